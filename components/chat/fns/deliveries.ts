/** The deliveries of a bubble, and what counts as handled for its type. Pure. */
import type { AgentId, MessageId } from '@/lib/mas/ids'
import type { DeliveryRecord, DeliveryState, MessageRecord, MessageType } from '@/lib/mas/records'
import { holdersOf, isHandedOn, type MessageRecipient } from '@/lib/mas/selectors/requests/recipients'
import { isFulfilled, isSettled } from '@/lib/mas/statuses'
import type { Bubble } from './lines'

export type DeliveriesOfTask = Record<AgentId, Record<MessageId, DeliveryRecord>>

/** One row per receiver in the order of the message, then those it was transferred or escalated to. */
export const deliveryRows = (bubble: Pick<Bubble, 'messages'>, deliveries: DeliveriesOfTask): MessageRecipient[] =>
  bubble.messages.flatMap((message) => holdersOf(deliveries, message))

/** The message that this person has: sent to them, or transferred or escalated to them. */
export const messageForMe = (
  { messages }: Pick<Bubble, 'messages'>,
  deliveries: DeliveriesOfTask,
  me: AgentId,
): MessageRecord | null =>
  messages.find(({ receivers }) => receivers.includes(me)) ??
  messages.find(({ id }) => {
    const delivery = deliveries[me]?.[id]
    return delivery?.passed !== undefined && delivery.state !== 'superseded'
  }) ??
  null

export type ReachedState = { state: DeliveryState; at: number }

/**
 * The states that a delivery reached, in their order, with their times.
 *
 * in      sentAt: when the message was sent, or reassigned to this receiver; epoch ms
 * out     `acknowledged` only where it was acknowledged before it was settled
 */
export function reachedStates(
  { state, deliveredAt, shownAt, acknowledgedAt, settledAt }: DeliveryRecord,
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
export function isHandled(type: MessageType, delivery: DeliveryRecord | null): boolean {
  if (delivery === null) return false
  switch (type) {
    case 'fyi':
      return delivery.shownAt !== null
    case 'action':
      return isFulfilled(delivery.state)
    case 'urgent':
      return delivery.state === 'acknowledged' || isFulfilled(delivery.state)
  }
}

/** Counts the receivers of the message only: what an assignee does is on the delivery of the original receiver too. */
export const countDeliveries = (type: MessageType, rows: readonly MessageRecipient[]): { n: number; of: number } => {
  const named = rows.filter(({ delivery }) => delivery?.passed === undefined)
  return { n: named.filter(({ delivery }) => isHandled(type, delivery)).length, of: named.length }
}

export const pendingRows = (type: MessageType, rows: readonly MessageRecipient[]): MessageRecipient[] =>
  type === 'fyi'
    ? []
    : rows.filter(
        ({ delivery }) =>
          !isHandled(type, delivery) && delivery?.settledAt == null && !(delivery && isHandedOn(delivery)),
      )

/** To whom the server sends a reminder: also to those who acknowledged an Urgent and have not settled it. */
export const remindedRows = (rows: readonly MessageRecipient[]): MessageRecipient[] =>
  rows.filter(({ delivery }) => delivery !== null && !isSettled(delivery.state) && !isHandedOn(delivery))

/** When one of them was last reminded, epoch ms; null: never. */
export function lastRemindedAt(rows: readonly MessageRecipient[]): number | null {
  const times = rows.flatMap(({ delivery }) =>
    (delivery?.notes ?? []).filter(({ kind }) => kind === 'reminded').map(({ at }) => at),
  )
  return times.length === 0 ? null : Math.max(...times)
}
