/** Buttons of those who direct the work: run a failed step again, cancel one that is not over. */
import { CircleSlash, PenLine, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRow } from '@/client'
import { useMe } from '@/client/account/session'
import { pathTo } from '@/client/nav'
import { ActDialog, type ActQuestion } from '@/components/operate/ActDialog'
import { cancelStepAct, retryStepAct } from '@/components/operate/acts'
import { RetryWithDialog } from '@/components/operate/lazy'
import { LinkButton } from '@/components/ui/Button'
import { ServerButton } from '@/components/ui/ServerButton'
import type { StepRecord } from '@/lib/mas/records'
import { toolCallOf } from '@/lib/mas/steps/toolCall'
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
  const [isEditing, setEditing] = useState(false)
  // Readers of a held step may read its request: they decide there, or see who may.
  const held =
    step.held === null ? null : (
      <LinkButton href={pathTo('request', { requestId: step.held })}>
        <PenLine />
        {t('toHeld')}
      </LinkButton>
    )
  if (!mayDirect || task === null || step.retired) return held
  const call = step.byHand ? null : toolCallOf(step)
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
      {held}
      {step.state === 'failed' && !step.byHand ? (
        <>
          <ServerButton {...button} look="primary" icon={<RotateCcw />} onClick={retry}>
            {t('retryStep')}
          </ServerButton>
          {call === null ? null : (
            <ServerButton {...button} icon={<PenLine />} onClick={() => setEditing(true)}>
              {t('retryWith')}
            </ServerButton>
          )}
        </>
      ) : step.state !== 'failed' && step.state !== 'finished' ? (
        <ServerButton {...button} icon={<CircleSlash />} onClick={cancel}>
          {t('cancelStep')}
        </ServerButton>
      ) : null}
      <ActDialog asked={asked} onClose={() => setAsked(null)} />
      {isEditing && call !== null ? (
        <RetryWithDialog
          step={step.id}
          who={who}
          tool={`${step.executor}.${call.name}`}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </>
  )
}
