/** Rows of the inbox as items of the escalation, with their alert level. Pure. */
import type { WaitingItem } from '@/client/notify/escalation'
import {
  type InboxRow,
  isOpenRow,
  itemOf,
  type OpenRow,
  requestOfRow,
  ringsSince,
  rowSender,
  rowTask,
} from '@/components/inbox/rows'
import { requestAlerts } from '@/lib/mas/asks/alerts'
import { type RingLevel, type RingRules, ringLevel } from '@/lib/wire/levels'

/** in: rules: how loudly each task and each asker may alert; Urgents alert under all of them */
export function waitingItems(
  rows: readonly InboxRow[],
  rules: RingRules = {},
): { row: OpenRow; waiting: WaitingItem }[] {
  return rows
    .filter(isOpenRow)
    .map((row) => ({ row, waiting: applyLevel(waitingItem(row), ringLevel(rules, rowTask(row), rowSender(row).id)) }))
}

function applyLevel(waiting: WaitingItem, level: RingLevel): WaitingItem {
  switch (level) {
    case 'all':
      return waiting.level === 'quiet' ? { ...waiting, level: 'call' } : waiting
    case 'mentions':
      return waiting
    case 'urgent':
      return waiting.level === 'call' ? { ...waiting, level: 'quiet' } : waiting
  }
}

function waitingItem(row: OpenRow): WaitingItem {
  const request = requestOfRow(row)
  const common = { id: itemOf(row), since: ringsSince(row), isAlerting: request !== null && requestAlerts(request) }
  // An acknowledged Urgent is listed as an Action; it has alerted already, and louder.
  if (request !== null) return { ...common, level: request.type === 'urgent' ? 'urgent' : 'call' }
  return { ...common, level: row.group === 'mention' ? 'call' : 'quiet' }
}
