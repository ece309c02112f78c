/** The body of a card that asks for more than an answer, by the kind of its request. A lazy file. */
import { RotateCcw } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useRow } from '@/client'
import { Link, pathTo } from '@/client/nav'
import type { TaskActName } from '@/components/operate/taskActs'
import { sendRetry } from '@/components/request/commands'
import { useCommandToast } from '@/components/request/useCommandToast'
import { buttonClass } from '@/components/ui/Button'
import { ServerButton } from '@/components/ui/ServerButton'
import type { StepId, TaskId } from '@/lib/mas/ids'
import type { ArgumentsAnswer } from '@/lib/wire'
import type { RequestShown } from '../shown'
import type { Answering } from '../useAnswering'
import { ConfirmationBody } from './ConfirmationBody'
import { LimitBody } from './LimitBody'
import { PartBody } from './PartBody'
import { ToolBody } from './ToolBody'

type DecisionBodyProps = {
  kind: Exclude<RequestShown['request']['kind'], 'answer'>
  shown: RequestShown
  answering: Answering
  areButtonsDead?: boolean
  given?: ArgumentsAnswer
}

export default function DecisionBody({ kind, shown, answering, areButtonsDead, given }: DecisionBodyProps) {
  switch (kind) {
    case 'confirm':
      return <ConfirmationBody shown={shown} answering={answering} areButtonsDead={areButtonsDead} known={given} />
    case 'part':
      return <PartBody shown={shown} answering={answering} />
    case 'judge':
      return <JudgeBody shown={shown} areButtonsDead={areButtonsDead} />
    case 'tool':
      return <ToolBody shown={shown} answering={answering} areButtonsDead={areButtonsDead} />
    case 'limit':
      return <LimitBody shown={shown} answering={answering} />
  }
}

const OF_STAGE: readonly TaskActName[] = ['finishStage', 'retryStage', 'makeManager']
const OF_TASK: readonly TaskActName[] = ['addStage', 'finishTask', 'makeManager']

type JudgeBodyProps = { shown: RequestShown; areButtonsDead?: boolean }

function JudgeBody({ shown: { request }, areButtonsDead = false }: JudgeBodyProps) {
  const t = useTranslations('operate')
  const acts = request.stage === null ? OF_TASK : OF_STAGE
  return (
    <div className="mt-2.5 flex flex-wrap gap-2">
      {request.step === null ? null : <TryAgain task={request.task} step={request.step} isOff={areButtonsDead} />}
      {acts.map((act) => (
        <Link
          key={act}
          data-act={act === acts[0] && request.step === null ? 'reply' : undefined}
          href={`${pathTo('task', { taskId: request.task })}?act=${act}`}
          className={buttonClass('plain')}
        >
          {t(`act.${act}`)}
        </Link>
      ))}
    </div>
  )
}

function TryAgain({ task, step, isOff }: { task: TaskId; step: StepId; isOff: boolean }) {
  const t = useTranslations('request')
  const sendWithToast = useCommandToast()
  const who = useRow('overview', task)?.manager.name ?? t('theManager')
  return (
    <ServerButton
      look="primary"
      icon={<RotateCcw />}
      isDisabled={isOff}
      data-act="reply"
      onClick={() => void sendWithToast(sendRetry(step, t('tryAgainReason', { who })), t('tryAgainDone', { who }))}
    >
      {t('tryAgain', { who })}
    </ServerButton>
  )
}
