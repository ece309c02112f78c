/** Locks: a sender that waits gets one waiting id per receiver and runs nothing until all are returned. */

import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId, WaitingId } from '../../ids'
import type { LockOutcome, LockRecord } from '../../records'

export type HeldLock = { agent: AgentId; lock: LockRecord }

/** The holder of that waiting id; null when it was returned before, or there is none. */
export function findLock(context: DecisionContext, waiting: WaitingId | null): HeldLock | null {
  if (waiting === null) return null
  for (const [agent, work] of Object.entries(context.world.work)) {
    const lock = work.locks.find((held) => held.id === waiting)
    if (lock) return { agent: agent as AgentId, lock }
  }
  return null
}

/** Return a waiting id; the delivery of its message ends with it. */
export function releaseLock(
  context: DecisionContext,
  { agent, lock }: HeldLock,
  outcome: LockOutcome,
  by: AgentId | null,
  note: string | null = null,
): void {
  const { task, step, id: waiting, on, at: since } = lock
  context.emit('lock.released', { agent, task, step, waiting, outcome, by, on, since })
  if (lock.message !== null && lock.on !== null && outcome !== 'ended') {
    const { task, message, on } = lock
    context.delivery(task, message, on, outcome, note)
  }
}
