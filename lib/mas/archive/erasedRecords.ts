/** What the world and the journal keep of an erased task. No texts: names, messages and notes are gone. */
import type { AgentId, PeerId, ScheduleId, TaskId } from '../ids'
import type { PeerSpent } from '../outside/records'
import type { World } from '../records'

/**
 * What was counted of it: its entries can no longer be counted.
 *
 * figures  see CounterFigures of lib/mas/limits/counters.ts; those of 0 are absent
 */
export type ErasedCounter = {
  hour: number
  task: string
  agent: string
  model: string
  figures: Record<string, number>
}

/** Lists from which a task's records go. A list keeps its newest records up to a number, so an erased one made room for others. */
export const SHARED_LISTS = ['notices', 'taken', 'checkpoints', 'ratings', 'templateRatings', 'files'] as const
export type SharedList = (typeof SHARED_LISTS)[number]

/**
 * Records outside of the task as they are without it, for a reader of the journal who finds its entries empty.
 *
 * work, budgets, spent  as they are, without those of the task
 * peerSpent             costs for other systems
 * schedules             those whose last request made the task
 * lengths               of the lists in which it had records, by key (a file by the hash of its path)
 */
export type WithoutErased = Pick<World, 'work' | 'budgets' | 'spent'> & {
  peerSpent: Record<PeerId, PeerSpent[]>
  schedules: ScheduleId[]
  lengths: Record<SharedList, Record<string, number>>
}

/**
 * An operator erased a task that was at rest. Entries of the task from..to, and notes made in it, are emptied after this one.
 *
 * agents    those with steps or notes in it
 * rows      their number when this was decided, without the notes
 * counters  the sums that the page of numbers keeps
 * without   null: in a view, which has none of these records
 */
export type TaskErased = {
  task: TaskId
  by: AgentId
  agents: AgentId[]
  from: number
  to: number
  rows: number
  reason: string
  counters: ErasedCounter[]
  without: WithoutErased | null
}
