/** Which item of a list is open. Pure. */

import type { AgentId } from '@/lib/mas/ids'
import { isOpen } from '@/lib/mas/statuses'
import { type InboxRow, itemOf, requestOfRow, snoozedUntil } from './rows'

/** What was open, and the order of the list then. */
export type Before = { item: string | null; order: readonly string[] }

/** Nothing is read by itself: only what asks its reader opens without a press. */
function opensByItself(row: InboxRow, me: AgentId, now: number): boolean {
  switch (row.kind) {
    case 'request':
    case 'message': {
      const request = requestOfRow(row)
      return request !== null && isOpen(request) && snoozedUntil(row, me) <= now
    }
    case 'waiting':
      return true
    case 'notice':
      return false
  }
}

/**
 * The item that is open: the same as before while it is listed. When it leaves, the next below it that asks something, else the next
 * above it; at first the first one. A row that comes changes nothing.
 *
 * in      now: epoch ms, for snoozes
 * out     null: none
 */
export function nextItem(rows: readonly InboxRow[], { item, order }: Before, me: AgentId, now: number): string | null {
  if (item !== null && rows.some((row) => itemOf(row) === item)) return item
  const asking = rows.filter((row) => opensByItself(row, me, now)).map(itemOf)
  const at = item === null ? -1 : order.indexOf(item)
  const around = at < 0 ? [] : [...order.slice(at + 1), ...order.slice(0, at).reverse()]
  return around.find((one) => asking.includes(one)) ?? asking[0] ?? null
}
