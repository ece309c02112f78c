/** Rows of the inbox as items of the page's attention, as loud as the rules of their reader let them be. Pure. */
import type { WaitingItem } from '@/client/notify/escalation'
import {
  type InboxRow,
  isAlertingRow,
  isOpenRow,
  itemOf,
  type OpenRow,
  requestOfRow,
  ringsSince,
  rowSender,
  rowSince,
  rowTask,
  snoozedUntil,
} from '@/components/inbox/rows'
import type { AgentId } from '@/lib/mas/ids'
import { loudnessFor, type RingRules } from '@/lib/wire/levels'

export function waitingItems(
  rows: readonly InboxRow[],
  rules: RingRules,
  me: AgentId,
): { row: OpenRow; waiting: WaitingItem }[] {
  return rows.filter(isOpenRow).map((row) => ({ row, waiting: waitingItem(row, rules, me) }))
}

const waitingItem = (row: OpenRow, rules: RingRules, me: AgentId): WaitingItem => ({
  id: itemOf(row),
  loudness: loudnessFor(rules, { type: typeOf(row), task: rowTask(row), sender: rowSender(row).id }),
  isAlerting: isAlertingRow(row),
  askedAt: rowSince(row),
  since: ringsSince(row),
  snoozedUntil: snoozedUntil(row, me),
})

/** An acknowledged Urgent is listed as an Action; it has alerted already, and louder. */
const typeOf = (row: OpenRow) => requestOfRow(row)?.type ?? (row.group === 'mention' ? 'mention' : 'fyi')
