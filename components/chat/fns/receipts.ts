/**
 * What became of a bubble for its receivers, counted as its type asks. Pure.
 *
 * Owns: the count behind "Read by 3 of 5", "2 of 5 done", "1 of 3 acknowledged".
 */
import type { AgentId, MessageId } from '@/lib/mas/ids'
import type { ReceiptRecord } from '@/lib/mas/records'
import type { Bubble, MessageKind } from './lines'

export type ReceiptsOfTask = Record<AgentId, Record<MessageId, ReceiptRecord>>
export type Receipted = { receiver: AgentId; receipt: ReceiptRecord | null }

/** One row per receiver, in the order they were named. */
export const rowsOf = (bubble: Pick<Bubble, 'messages'>, receipts: ReceiptsOfTask): Receipted[] =>
  bubble.messages.flatMap((message) =>
    message.receivers.map((receiver) => ({ receiver, receipt: receipts[receiver]?.[message.id] ?? null })),
  )

/** Read, done or acknowledged: what counts for this type. Released or expired is never counted as an answer. */
export function hasCounted(type: MessageKind, receipt: ReceiptRecord | null): boolean {
  if (receipt === null) return false
  const isEnded = receipt.state === 'done' || receipt.state === 'answered'
  switch (type) {
    case 'fyi':
      return receipt.shownAt !== null
    case 'action':
      return isEnded
    case 'urgent':
      return receipt.state === 'acknowledged' || isEnded
  }
}

export const countReceipts = (type: MessageKind, rows: readonly Receipted[]): { n: number; of: number } => ({
  n: rows.filter(({ receipt }) => hasCounted(type, receipt)).length,
  of: rows.length,
})

/** When any of them was last reminded, epoch ms; null: never. */
export function lastReminded(rows: readonly Receipted[]): number | null {
  const times = rows.flatMap(({ receipt }) =>
    (receipt?.notes ?? []).filter(({ kind }) => kind === 'reminded').map(({ at }) => at),
  )
  return times.length === 0 ? null : Math.max(...times)
}
