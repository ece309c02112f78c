import type { ArgumentsAnswer } from '@/lib/wire'
import type { RequestShown } from '../shown'
import type { Answering } from '../useAnswering'
import { ConfirmationBody } from './ConfirmationBody'
import { JudgeBody } from './JudgeBody'
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
