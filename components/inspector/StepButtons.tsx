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

export function StepButtons({ step, agentName: who }: { step: StepRecord; agentName: string }) {
  const t = useTranslations('operate')
  const { task, mayDirect } = useMayDirect(step)
  const [asked, setAsked] = useState<ActQuestion | null>(null)
  if (!mayDirect || task === null || step.retired) return null
  const isOver = task.endedAt !== null
  const button = { isDisabled: isOver, reason: isOver ? t('off.taskOver') : undefined }
  const retry = (): void =>
    setAsked({
      title: t('retryTitle'),
      what: t('retryWhat', { who }),
      action: t('retry'),
      act: retryStepAct(step.id),
      done: t('done.retryStep'),
    })
  const cancel = (): void =>
    setAsked({
      title: t('cancelTitle'),
      what: t('cancelWhat', { who }),
      action: t('cancelAct'),
      dismiss: t('keep'),
      act: cancelStepAct(step.id),
      done: t('done.cancelStep'),
    })
  return (
    <>
      {step.state === 'failed' && !step.byHand ? (
        <ServerButton {...button} look="primary" icon={<RotateCcw />} onClick={retry}>
          {t('retryStep')}
        </ServerButton>
      ) : step.state !== 'failed' && step.state !== 'finished' ? (
        <ServerButton {...button} icon={<CircleSlash />} onClick={cancel}>
          {t('cancelStep')}
        </ServerButton>
      ) : null}
      <ActDialog asked={asked} onClose={() => setAsked(null)} />
    </>
  )
}
