/**
 * What a card holds when more than an answer is asked for: a file of its own, for most cards ask for an answer only.
 */
import type { ArgumentsAnswer } from '@/lib/wire'
import { ConfirmationBody } from './ConfirmationBody'
import { JudgeBody } from './JudgeBody'
import { LimitBody } from './LimitBody'
import { PartBody } from './PartBody'
import type { RequestShown } from './shown'
import { ToolBody } from './ToolBody'
import type { Answering } from './useAnswering'

export type DecisionBodyProps = {
  kind: Exclude<RequestShown['request']['kind'], 'answer'>
  shown: RequestShown
  answering: Answering
  areButtonsDead?: boolean
  /** The arguments, where they are known already. */
  given?: ArgumentsAnswer
}

export default function DecisionBody({ kind, shown, answering, areButtonsDead, given }: DecisionBodyProps) {
  switch (kind) {
    case 'confirm':
      return <ConfirmationBody shown={shown} answering={answering} areButtonsDead={areButtonsDead} known={given} />
    case 'part':
      return <PartBody shown={shown} answering={answering} />
    case 'judge':
      return <JudgeBody shown={shown} />
    case 'tool':
      return <ToolBody shown={shown} answering={answering} areButtonsDead={areButtonsDead} />
    case 'limit':
      return <LimitBody shown={shown} answering={answering} />
  }
}
