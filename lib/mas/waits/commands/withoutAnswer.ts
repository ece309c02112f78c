/** Ends of waits and requests without an answer; a message tells the asker who ended it and why. */

import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId, WaitingId } from '../../ids'
import { deliverSystem } from '../../messages/commands/deliver'
import type { LockOutcome, RequestRecord } from '../../records'
import { findLock, type HeldLock, releaseLock } from './locks'

/** There will be no reply: return the waiting id as failed. */
export function failLock(context: DecisionContext, waiting: WaitingId, by: AgentId, why: string): void {
  const held = findLock(context, waiting)
  if (!held) return
  releaseLock(context, held, 'failed', by, why)
  tellOutcome(context, held, by, 'failed', why)
}

/** An operator or a due time ends the wait: return the waiting id as released or expired. */
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

/** The subject of the wait ended but the asker did not: return the waiting id as ended. */
function endLock(context: DecisionContext, held: HeldLock, why: string): void {
  releaseLock(context, held, 'ended', null)
  tellOutcome(context, held, held.lock.on, 'ended', why)
}

/** Send the asker a message that carries the waiting id and the outcome. */
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
    text: context.said('outcome', {
      who: who === null ? context.say('theTask') : context.name(who),
      how,
      why,
    }),
    stage: lock.stage,
    returnWaiting: lock.id,
    replyTo: lock.message,
  })
}

/** Withdraw a request, with its lock. */
export function supersede(context: DecisionContext, request: RequestRecord, reason: string): void {
  context.emit('request.ended', { task: request.task, request: request.id, state: 'superseded', by: null, reason })
  const held = findLock(context, request.lock)
  if (held) endLock(context, held, reason)
}
