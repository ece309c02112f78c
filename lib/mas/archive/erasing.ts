/** What an erased task leaves in records of others. */

import { type AgentId, type PeerId, shortHash, type TaskId } from '../ids'
import type { PeerRecord, PeerSpent } from '../outside/records'
import type { LockRecord, MemoryNote, ScheduleRecord, StepRef, World } from '../records'
import { cutEach } from '../reduce/branch'
import { SHARED_LISTS, type SharedList, type WithoutErased } from './erasedRecords'

/** The queues and locks of agents, without those of the task. */
const workWithout = (work: World['work'], task: TaskId): World['work'] =>
  cutEach(work, (own) => {
    const isOther = (one: StepRef | LockRecord): boolean => one.task !== task
    if (own.running?.task !== task && own.todo.every(isOther) && own.locks.every(isOther)) return own
    const running = own.running?.task === task ? null : own.running
    return { todo: own.todo.filter(isOther), running, locks: own.locks.filter(isOther) }
  })

/** in: a task at rest, or one that is archived. out: `without` of its `task.erased` */
export const selectWithoutErased = (world: World, task: TaskId): WithoutErased => ({
  work: workWithout(world.work, task),
  budgets: Object.fromEntries(Object.entries(world.budgets).filter(([id]) => id !== task)),
  spent: world.spent,
  peerSpent: Object.fromEntries(
    (Object.entries(world.peers) as [PeerId, PeerRecord][]).flatMap(([peer, { spent }]): [PeerId, PeerSpent[]][] =>
      spent === undefined ? [] : [[peer, spent]],
    ),
  ),
  schedules: Object.values<ScheduleRecord>(world.schedules).flatMap(({ id, last }) =>
    last?.task === task ? [id] : [],
  ),
  lengths: Object.fromEntries(SHARED_LISTS.map((list) => [list, lengthsIn(world, list, task)])) as Record<
    SharedList,
    Record<string, number>
  >,
})

/** Whose views it is in: agents with steps in it, and with notes that they made in it. */
export const selectAgentsOfErased = (world: World, task: TaskId): AgentId[] => [
  ...new Set([
    ...(Object.keys(world.steps[task] ?? {}) as AgentId[]),
    ...(Object.entries(world.memory) as [AgentId, MemoryNote[]][]).flatMap(([agent, notes]) =>
      notes.some((note) => note.task === task) ? [agent] : [],
    ),
  ]),
]

function lengthsIn(world: World, list: SharedList, task: TaskId): Record<string, number> {
  const lists: [string, readonly { task: TaskId | null }[]][] = Object.entries(world[list])
  return Object.fromEntries(
    lists.flatMap(([key, all]): [string, number][] => {
      const left = all.filter((one) => one.task !== task).length
      // Which files it had changed is not known of those that others changed often since: all have their length.
      if (list === 'files') return left === 0 ? [] : [[shortHash(key), left]]
      return left === all.length ? [] : [[key, left]]
    }),
  )
}
