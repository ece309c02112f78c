/**
 * Who stands still on whom, read from the locks.
 *
 * Owns: what a lock waits for, and whether that can still come.
 */

import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { LockRecord, World } from '@/lib/mas/records'

export type Wait = { agent: AgentId; lock: LockRecord; on: readonly AgentId[]; isBlocked: boolean }

/** The people or the agent that a lock waits for. */
const waitedFor = (world: World, lock: LockRecord): readonly AgentId[] => {
  if (lock.on !== null) return [lock.on]
  return lock.request === null ? [] : (world.requests[lock.task]?.[lock.request]?.asked ?? [])
}

const canAnswer = (world: World, agent: AgentId): boolean => {
  const record = world.agents[agent]
  return record !== undefined && !record.removed && record.paused === null && record.access !== 'none'
}

/** Access says nothing of agents that are no people. */
const canReply = (world: World, agent: AgentId): boolean => {
  const record = world.agents[agent]
  if (record?.kind === 'human') return canAnswer(world, agent)
  return record !== undefined && !record.removed && record.paused === null
}

/** What an agent waits for in one task; all of it blocked when nobody of those waited for can reply. */
export function waitsOf(world: World, agent: AgentId, task: TaskId): Wait[] {
  const locks = world.work[agent]?.locks ?? []
  return locks
    .filter((lock) => lock.task === task)
    .map((lock) => {
      const on = waitedFor(world, lock)
      return { agent, lock, on, isBlocked: !on.some((one) => canReply(world, one)) }
    })
}

/** The oldest wait first. */
export const byAge = (a: Wait, b: Wait): number => a.lock.at - b.lock.at || (a.lock.id < b.lock.id ? -1 : 1)
