/** What became of a bubble for each who has it, and what counts as handled for its type. Pure. */

import {
  isDealtWith,
  type MessageOutcome,
  type MessageRecipient,
  type OutcomeSources,
  outcomeFor,
  recipientsOf,
} from '@/lib/mas/asks/outcomes'
import { isNumbered } from '@/lib/mas/asks/requests'
import type { AgentId } from '@/lib/mas/ids'
import type { DeliveryState, MessageRecord, MessageType } from '@/lib/mas/records'
import { isFulfilled } from '@/lib/mas/statuses'
import type { Bubble } from './lines'

/** One row per receiver in the order of the message, then those it was transferred or escalated to. */
export const bubbleOutcomes = (bubble: Pick<Bubble, 'messages'>, sources: OutcomeSources): MessageRecipient[] =>
  bubble.messages.flatMap((message) => recipientsOf(sources, message))

/** The message that this person has: sent to them, or transferred or escalated to them. */
export const messageForMe = (
  { messages }: Pick<Bubble, 'messages'>,
  sources: OutcomeSources,
  me: AgentId,
): MessageRecord | null =>
  messages.find(({ receivers }) => receivers.includes(me)) ??
  messages.find((message) => {
    const outcome = outcomeFor(sources, message, me)
    return outcome?.reassigned != null && outcome.request !== null && !isNumbered(outcome.request)
  }) ??
  null

export type ReachedState = { state: DeliveryState; at: number }

/**
 * The states that it reached, in their order, with their times.
 *
 * in      sentAt: when the message was sent, or reassigned to this receiver; epoch ms
 * out     `acknowledged` only where it was acknowledged before it was settled
 */
export function reachedStates(
  { state, deliveredAt, shownAt, acknowledgedAt, settledAt }: MessageOutcome,
  sentAt: number,
): ReachedState[] {
  const wasHeld = deliveredAt === null || deliveredAt > sentAt
  const times: [DeliveryState, number | null][] = [
    ['queued', wasHeld ? sentAt : null],
    ['delivered', deliveredAt],
    ['shown', shownAt],
    ['acknowledged', acknowledgedAt === settledAt ? null : acknowledgedAt],
    [state, settledAt],
  ]
  return times.flatMap(([reached, at]) => (at === null ? [] : [{ state: reached, at }]))
}

/** Whether a receiver has done what this type asks: fyi to be read, action to be fulfilled, urgent to be acknowledged too. */
export function isHandled(type: MessageType, outcome: MessageOutcome | null): boolean {
  if (outcome === null) return false
  switch (type) {
    case 'fyi':
      return outcome.shownAt !== null
    case 'action':
      return isFulfilled(outcome.state)
    case 'urgent':
      return outcome.state === 'acknowledged' || isFulfilled(outcome.state)
  }
}

/** Counts the receivers of the message only: what an assignee does is the outcome of the original receiver too. */
export const countOutcomes = (type: MessageType, rows: readonly MessageRecipient[]): { n: number; of: number } => {
  const named = rows.filter(({ outcome }) => outcome === null || outcome.reassigned === null)
  return { n: named.filter(({ outcome }) => isHandled(type, outcome)).length, of: named.length }
}

/** Who is asked and has not done yet what this type asks: an Urgent needs no more than to be acknowledged. */
export const pendingRows = (type: MessageType, rows: readonly MessageRecipient[]): MessageRecipient[] =>
  remindedRows(rows).filter(({ outcome }) => !isHandled(type, outcome))

/** The people to whom the server sends a reminder: also those who acknowledged an Urgent and have not settled it. */
export const remindedRows = (rows: readonly MessageRecipient[]): MessageRecipient[] =>
  rows.filter(({ outcome }) => outcome !== null && outcome.request !== null && !isDealtWith(outcome))

/** When one of them was last reminded, epoch ms; null: never. */
export function lastRemindedAt(rows: readonly MessageRecipient[]): number | null {
  const times = rows.flatMap(({ outcome }) =>
    (outcome?.request?.notes ?? []).filter(({ kind }) => kind === 'reminded').map(({ at }) => at),
  )
  return times.length === 0 ? null : Math.max(...times)
}
