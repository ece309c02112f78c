/** Buttons of those who direct the work: run a failed step again, cancel one that is not over. */
import { CircleSlash, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRow } from '@/client'
import { useMe } from '@/client/account/session'
import { ActDialog, type ActQuestion } from '@/components/operate/ActDialog'
import { cancelStepAct, retryStepAct } from '@/components/operate/acts'
import { ServerButton } from '@/components/ui/ServerButton'
import type { StepRecord } from '@/lib/mas/records'

export function StepButtons({ step, agentName }: { step: StepRecord; agentName: string }) {
  const t = useTranslations('operate')
  const person = useMe()?.person ?? null
  const task = useRow('overview', step.task)
  const [asked, setAsked] = useState<ActQuestion | null>(null)
  const mayAct = person !== null && (person.access === 'operator' || task?.manager.id === person.agent_id)
  if (!mayAct || task === null || step.retired) return null
  const isFailed = step.state === 'failed'
  const canRetry = isFailed && !step.byHand
  const canCancel = !isFailed && step.state !== 'finished'
  const off = task.endedAt === null ? null : t('off.taskOver')
  const retry: ActQuestion = {
    title: t('retryTitle'),
    what: t('retryWhat', { who: agentName }),
    action: t('retry'),
    act: retryStepAct(step.id),
    done: t('done.retryStep'),
  }
  const cancel: ActQuestion = {
    title: t('cancelTitle'),
    what: t('cancelWhat', { who: agentName }),
    action: t('cancelAct'),
    dismiss: t('keep'),
    act: cancelStepAct(step.id),
    done: t('done.cancelStep'),
  }
  return (
    <>
      {canRetry ? (
        <ServerButton
          look="primary"
          icon={<RotateCcw aria-hidden />}
          isDisabled={off !== null}
          reason={off ?? undefined}
          onClick={() => setAsked(retry)}
        >
          {t('retryStep')}
        </ServerButton>
      ) : null}
      {canCancel ? (
        <ServerButton
          icon={<CircleSlash aria-hidden />}
          isDisabled={off !== null}
          reason={off ?? undefined}
          onClick={() => setAsked(cancel)}
        >
          {t('cancelStep')}
        </ServerButton>
      ) : null}
      <ActDialog asked={asked} onClose={() => setAsked(null)} />
    </>
  )
}
