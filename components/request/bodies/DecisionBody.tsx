/** The body of every kind of request but a question. A lazy file. */
import { RotateCcw } from 'lucide-react'
import type { ComponentType } from 'react'
import { useTranslations } from 'use-intl'
import { useRow } from '@/client'
import { pathTo } from '@/client/nav'
import type { TaskActName } from '@/components/operate/taskActs'
import { LinkButton } from '@/components/ui/Button'
import { ServerButton } from '@/components/ui/ServerButton'
import type { StepId, TaskId } from '@/lib/mas/ids'
import { sendRetry } from '../commands'
import type { RequestShown } from '../shown'
import type { Answering } from '../useAnswering'
import { useCommandToast } from '../useCommandToast'
import { ConfirmationBody } from './ConfirmationBody'
import { LimitBody } from './LimitBody'
import { PartBody } from './PartBody'
import { PlanBody } from './PlanBody'
import { ToolBody } from './ToolBody'

type BodyProps = { shown: RequestShown; answering: Answering; isInactive?: boolean }
type DecisionKind = Exclude<RequestShown['request']['kind'], 'answer'>

const BODIES: Record<DecisionKind, ComponentType<BodyProps>> = {
  confirm: ConfirmationBody,
  part: PartBody,
  judge: JudgeBody,
  tool: ToolBody,
  limit: LimitBody,
  plan: PlanBody,
}

export default function DecisionBody({ kind, ...props }: BodyProps & { kind: DecisionKind }) {
  const Body = BODIES[kind]
  return <Body {...props} />
}

const OF_STAGE: readonly TaskActName[] = ['finishStage', 'retryStage', 'makeManager']
const OF_TASK: readonly TaskActName[] = ['addStage', 'finishTask', 'makeManager']

/**
 * What was to be judged and has no judge, or has a person for one: the manager may try again, or a person does its
 * work by one of the acts that are linked.
 */
function JudgeBody({ shown: { request }, isInactive = false }: BodyProps) {
  const t = useTranslations('operate')
  const acts = request.stage === null ? OF_TASK : OF_STAGE
  return (
    <div className="mt-2.5 flex flex-wrap gap-2">
      {request.step === null ? null : <TryAgain task={request.task} step={request.step} isOff={isInactive} />}
      {acts.map((act) => (
        <LinkButton
          key={act}
          data-act={act === acts[0] && request.step === null ? 'reply' : undefined}
          href={`${pathTo('task', { taskId: request.task })}?act=${act}`}
        >
          {t(`act.${act}`)}
        </LinkButton>
      ))}
    </div>
  )
}

function TryAgain({ task, step, isOff }: { task: TaskId; step: StepId; isOff: boolean }) {
  const t = useTranslations('request')
  const run = useCommandToast()
  const who = useRow('overview', task)?.manager.name ?? t('theManager')
  return (
    <ServerButton
      look="primary"
      icon={<RotateCcw />}
      isDisabled={isOff}
      data-act="reply"
      onClick={() => void run(sendRetry(step, t('tryAgainReason', { who })), t('tryAgainDone', { who }))}
    >
      {t('tryAgain', { who })}
    </ServerButton>
  )
}
