/** Events of budgets. */
import type { AgentId, RequestId, TaskId } from '../ids'
import type { LimitKind } from '../records'

export type LimitEvents = {
  /** 80 % of a limit are used; `limit` includes its value, so that a higher one is reported again. */
  'budget.warned': { task: TaskId; limit: string }
  /** The work is stopped until people allow more: `of` the agent or person whose limit it is, null: the task or the day. */
  'budget.reached': {
    task: TaskId
    key: string
    of: AgentId | null
    limit: LimitKind
    height: number
    request: RequestId
  }
  /** The work is no longer stopped. allowed: what people allowed beyond the limit; null: nothing */
  'budget.lifted': {
    task: TaskId
    key: string
    of: AgentId | null
    allowed: { limit: LimitKind; more: number } | null
  }
}
