import type { ComponentType } from 'react'
import type { RequestShown } from '../shown'
import type { Answering } from '../useAnswering'
import { ConfirmationBody } from './ConfirmationBody'
import { JudgeBody } from './JudgeBody'
import { LimitBody } from './LimitBody'
import { PartBody } from './PartBody'
import { ToolBody } from './ToolBody'

type BodyProps = { shown: RequestShown; answering: Answering; isInactive?: boolean }
type DecisionKind = Exclude<RequestShown['request']['kind'], 'answer'>

const BODIES: Record<DecisionKind, ComponentType<BodyProps>> = {
  confirm: ConfirmationBody,
  part: PartBody,
  judge: JudgeBody,
  tool: ToolBody,
  limit: LimitBody,
}

export default function DecisionBody({ kind, ...props }: BodyProps & { kind: DecisionKind }) {
  const Body = BODIES[kind]
  return <Body {...props} />
}
