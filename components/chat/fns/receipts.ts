/** What became of a bubble for its receivers, counted as its type asks. Pure. */
import type { AgentId, MessageId } from '@/lib/mas/ids'
import type { MessageRecord, MessageType, ReceiptRecord, ReceiptState } from '@/lib/mas/records'
import { holdersOf, isFulfilled, isHandedOn, type MessageRecipient } from '@/lib/mas/selectors/recipients'
import type { Bubble } from './lines'

export type ReceiptsOfTask = Record<AgentId, Record<MessageId, ReceiptRecord>>

/** One row per receiver, in the order they were named, then those it was put to besides. */
export const receiptRows = (bubble: Pick<Bubble, 'messages'>, receipts: ReceiptsOfTask): MessageRecipient[] =>
  bubble.messages.flatMap((message) => holdersOf(receipts, message))

/** The one of these messages that this person has: sent to them, or put to them because of another one. */
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

/** A state that a message reached for one receiver; at: epoch ms. */
export type ReachedState = { state: ReceiptState; at: number }

/**
 * Every state that it reached, in their order, each with its own time.
 *
 * in      sentAt: when it was said, or put to whoever was not named in it
 * out     acknowledged stands by itself only where that was an act of its own, and not said by answering
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

/** Read, done or acknowledged: what counts for this type. Released or expired is never counted as an answer. */
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

/** Only those it was sent to count: what another did in the place of one of them is on that one's receipt. */
export const countReceipts = (type: MessageType, rows: readonly MessageRecipient[]): { n: number; of: number } => {
  const named = rows.filter(({ receipt }) => receipt?.passed === undefined)
  return { n: named.filter(({ receipt }) => isHandled(type, receipt)).length, of: named.length }
}

/** Those who have still to do their part: who is reminded. */
export const pendingRows = (type: MessageType, rows: readonly MessageRecipient[]): MessageRecipient[] =>
  type === 'fyi'
    ? []
    : rows.filter(
        ({ receipt }) => !isHandled(type, receipt) && receipt?.settledAt == null && !(receipt && isHandedOn(receipt)),
      )

/** When any of them was last reminded, epoch ms; null: never. */
export function lastRemindedAt(rows: readonly MessageRecipient[]): number | null {
  const times = rows.flatMap(({ receipt }) =>
    (receipt?.notes ?? []).filter(({ kind }) => kind === 'reminded').map(({ at }) => at),
  )
  return times.length === 0 ? null : Math.max(...times)
}
