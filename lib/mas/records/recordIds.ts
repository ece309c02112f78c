/** The id of each record among all that a page is sent, of whatever branch. */
import type { AgentId, MessageId, RequestId, StageId, StepId, TaskId } from '../ids'

export const RECORD_IDS = {
  team: (): string => 'team',
  task: (task: TaskId): string => `task:${task}`,
  stage: (stage: StageId): string => `stage:${stage}`,
  agent: (agent: AgentId): string => `agent:${agent}`,
  work: (agent: AgentId): string => `work:${agent}`,
  note: (agent: AgentId, key: string): string => `note:${agent}/${key}`,
  step: (step: StepId): string => `step:${step}`,
  message: (message: MessageId): string => `message:${message}`,
  delivery: (message: MessageId, receiver: AgentId): string => `delivery:${message}/${receiver}`,
  request: (request: RequestId): string => `request:${request}`,
  /** seq: of the entry that brought the line. */
  line: (task: TaskId, seq: number): string => `line:${task}/${seq}`,
} as const
