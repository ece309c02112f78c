/** Events of locks, which agents hold while they wait. */
import type { AgentId, SenderId, TaskId, WaitingId } from '../ids'
import type { LockOutcome, LockRecord } from '../records'
import type { OfStep } from '../steps/events'

export type LockEvents = {
  'lock.added': { agent: AgentId; task: TaskId; lock: Omit<LockRecord, 'at' | 'task'> }
  /** on, since: of the lock. on null: several could decide */
  'lock.released': OfStep & {
    waiting: WaitingId
    outcome: LockOutcome
    by: SenderId | null
    on: AgentId | null
    since: number
  }
}
