/** Who stands still on whom, for the rows of tasks, trees and the team. */

import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { selectWaits, type WaitEdge } from '@/lib/mas/selectors/waits'
import { memo } from '@/lib/memo'
import { gather } from './gather'

export type Wait = Pick<WaitEdge, 'agent' | 'lock' | 'on' | 'isBlocked' | 'state'>

/** What an agent waits for in one task; blocked when it does not end by itself. */
export const waitsOf = (world: World, agent: AgentId, task: TaskId): Wait[] =>
  (selectWaits(world).byAgent.get(agent) ?? []).filter(({ lock }) => lock.task === task)

const marks = memo((world: World): ReadonlyMap<TaskId, string> => {
  const byTask = gather(selectWaits(world).edges, (edge: WaitEdge) => [edge.lock.task])
  return new Map(
    [...byTask].map(([task, edges]) => [task, edges.map(({ lock, state, why }) => `${lock.id}${state}${why}`).join()]),
  )
})

/** Another text when a wait of the task came, went, or turned into a circle or a dead end, wherever the cause of that is. */
export const waitsMark = (world: World, task: TaskId): string => marks(world).get(task) ?? ''

/** The oldest wait first. */
export const byAge = (a: Wait, b: Wait): number => a.lock.at - b.lock.at || (a.lock.id < b.lock.id ? -1 : 1)
