/** The receipts of a bubble, and what counts as handled for its type. Pure. */
import type { AgentId, MessageId } from '@/lib/mas/ids'
import type { MessageRecord, MessageType, ReceiptRecord, ReceiptState } from '@/lib/mas/records'
import { holdersOf, isHandedOn, type MessageRecipient } from '@/lib/mas/selectors/requests/recipients'
import { isFulfilled, isSettled } from '@/lib/mas/statuses'
import type { Bubble } from './lines'

export type ReceiptsOfTask = Record<AgentId, Record<MessageId, ReceiptRecord>>

/** One row per receiver in the order of the message, then those it was transferred or escalated to. */
export const receiptRows = (bubble: Pick<Bubble, 'messages'>, receipts: ReceiptsOfTask): MessageRecipient[] =>
  bubble.messages.flatMap((message) => holdersOf(receipts, message))

/** The message that this person has: sent to them, or transferred or escalated to them. */
export const messageForMe = (
  { messages }: Pick<Bubble, 'messages'>,
  receipts: ReceiptsOfTask,
  me: AgentId,
): MessageRecord | null =>
  messages.find(({ receivers }) => receivers.includes(me)) ??
  messages.find(({ id }) => {
    const receipt = receipts[me]?.[id]
    return receipt?.passed !== undefined && receipt.state !== 'superseded'
  }) ??
  null

export type ReachedState = { state: ReceiptState; at: number }

/**
 * The states that a receipt reached, in their order, with their times.
 *
 * in      sentAt: when the message was sent, or reassigned to this receiver; epoch ms
 * out     `acknowledged` only where it was acknowledged before it was settled
 */
export function reachedStates(
  { state, deliveredAt, shownAt, acknowledgedAt, settledAt }: ReceiptRecord,
  sentAt: number,
): ReachedState[] {
  const wasHeld = deliveredAt === null || deliveredAt > sentAt
  const times: [ReceiptState, number | null][] = [
    ['queued', wasHeld ? sentAt : null],
    ['delivered', deliveredAt],
    ['shown', shownAt],
    ['acknowledged', acknowledgedAt === settledAt ? null : acknowledgedAt],
    [state, settledAt],
  ]
  return times.flatMap(([reached, at]) => (at === null ? [] : [{ state: reached, at }]))
}

/** Whether a receiver has done what this type asks: fyi to be read, action to be fulfilled, urgent to be acknowledged too. */
export function isHandled(type: MessageType, receipt: ReceiptRecord | null): boolean {
  if (receipt === null) return false
  switch (type) {
    case 'fyi':
      return receipt.shownAt !== null
    case 'action':
      return isFulfilled(receipt.state)
    case 'urgent':
      return receipt.state === 'acknowledged' || isFulfilled(receipt.state)
  }
}

/** Counts the receivers of the message only: what an assignee does is on the receipt of the original receiver too. */
export const countReceipts = (type: MessageType, rows: readonly MessageRecipient[]): { n: number; of: number } => {
  const named = rows.filter(({ receipt }) => receipt?.passed === undefined)
  return { n: named.filter(({ receipt }) => isHandled(type, receipt)).length, of: named.length }
}

export const pendingRows = (type: MessageType, rows: readonly MessageRecipient[]): MessageRecipient[] =>
  type === 'fyi'
    ? []
    : rows.filter(
        ({ receipt }) => !isHandled(type, receipt) && receipt?.settledAt == null && !(receipt && isHandedOn(receipt)),
      )

/** To whom the server sends a reminder: also to those who acknowledged an Urgent and have not settled it. */
export const remindedRows = (rows: readonly MessageRecipient[]): MessageRecipient[] =>
  rows.filter(({ receipt }) => receipt !== null && !isSettled(receipt.state) && !isHandedOn(receipt))

/** When one of them was last reminded, epoch ms; null: never. */
export function lastRemindedAt(rows: readonly MessageRecipient[]): number | null {
  const times = rows.flatMap(({ receipt }) =>
    (receipt?.notes ?? []).filter(({ kind }) => kind === 'reminded').map(({ at }) => at),
  )
  return times.length === 0 ? null : Math.max(...times)
}
