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
import type { OverviewRow } from '@/lib/wire'

/** out: mayDirect: the reader may retry and cancel steps of its task; task: null for one that left the list */
export function useMayDirect(step: StepRecord): { task: OverviewRow | null; mayDirect: boolean } {
  const person = useMe()?.person ?? null
  const task = useRow('overview', step.task)
  const isManager = task !== null && task.manager.id === person?.agent_id
  return { task, mayDirect: person?.access === 'operator' || isManager }
}

export function StepButtons({ step, agentName }: { step: StepRecord; agentName: string }) {
  const t = useTranslations('operate')
  const { task, mayDirect } = useMayDirect(step)
  const [asked, setAsked] = useState<ActQuestion | null>(null)
  if (!mayDirect || task === null || step.retired) return null
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
          icon={<RotateCcw />}
          isDisabled={off !== null}
          reason={off ?? undefined}
          onClick={() => setAsked(retry)}
        >
          {t('retryStep')}
        </ServerButton>
      ) : null}
      {canCancel ? (
        <ServerButton
          icon={<CircleSlash />}
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
