/** Step locks: a sender that waits gets one waiting id per receiver and runs nothing until all are back. */

import type { AgentId, MessageId, WaitingId } from '../ids'
import type { LockOutcome, LockRecord } from '../records'
import { selectName } from '../selectors/agents'
import type { DecisionContext } from './decisionContext'
import { deliverSystem } from './send'

export type HeldLock = { agent: AgentId; lock: LockRecord }

/** Whoever holds that waiting id; null when it came back before. */
export function findLock(context: DecisionContext, waiting: WaitingId): HeldLock | null {
  for (const [agent, work] of Object.entries(context.world.work)) {
    const lock = work.locks.find((held) => held.id === waiting)
    if (lock) return { agent: agent as AgentId, lock }
  }
  return null
}

/** Hand a waiting id back; its message's receipt and its request end with it. Nothing happens when it is back already. */
export function releaseLock(
  context: DecisionContext,
  { agent, lock }: HeldLock,
  outcome: LockOutcome,
  by: AgentId | null,
  note: string | null = null,
): void {
  context.emit('lock.released', { agent, task: lock.task, waiting: lock.id, outcome, by })
  if (lock.message !== null && lock.on !== null && outcome !== 'ended') {
    settleReceipt(context, lock, lock.message, lock.on, outcome, note)
  }
}

function settleReceipt(
  context: DecisionContext,
  lock: LockRecord,
  message: MessageId,
  agent: AgentId,
  outcome: Exclude<LockOutcome, 'ended'>,
  note: string | null,
): void {
  context.emit('message.receipt', { task: lock.task, message, agent, state: outcome, note })
}

/** The reply will never come: the id goes back as failed, and the asker is told who and why. */
export function failLock(context: DecisionContext, waiting: WaitingId, by: AgentId, why: string): void {
  const held = findLock(context, waiting)
  if (!held) return
  releaseLock(context, held, 'failed', by, why)
  tellOutcome(context, held, by, 'failed', why)
}

/** An operator or a due time ends the wait: the id goes back, and the asker is told who and why. */
export function giveBack(
  context: DecisionContext,
  held: HeldLock,
  outcome: 'released' | 'expired',
  by: AgentId | null,
  why: string,
): void {
  releaseLock(context, held, outcome, by, why)
  tellOutcome(context, held, by ?? held.lock.on, outcome, why)
}

/** What was waited for ended while the asker goes on: the id goes back as ended, and the asker is told why. */
export function endLock(context: DecisionContext, held: HeldLock, why: string): void {
  releaseLock(context, held, 'ended', null)
  tellOutcome(context, held, held.lock.on, 'ended', why)
}

/** Every outcome but an answer reaches the asker as a message that carries the id. */
function tellOutcome(
  context: DecisionContext,
  { agent, lock }: HeldLock,
  who: AgentId | null,
  how: LockOutcome,
  why: string,
): void {
  deliverSystem(context, {
    task: lock.task,
    receivers: [agent],
    text: context.say('outcome', {
      who: who === null ? context.say('theTask') : selectName(context.world, who),
      how,
      why,
    }),
    stage: lock.stage,
    thread: null,
    instruction: null,
    returnWaiting: lock.id,
    replyTo: lock.message,
  })
}
