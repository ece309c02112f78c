/** Rows of the inbox as items of the escalation, with their alert level. Pure. */
import type { WaitingItem } from '@/client/notify/escalation'
import { type InboxRow, isOpenRow, itemOf, type OpenRow, rowSince, rowTask } from '@/components/inbox/rows'
import { isAlerting } from '@/components/request'
import type { Settings } from '@/lib/wire/http'
import { levelOf, type TaskLevel } from '@/lib/wire/levels'

/** in: levels: how loudly each task may alert; Urgents alert in all */
export function waitingItems(
  rows: readonly InboxRow[],
  levels: Settings['levels'] = {},
): { row: OpenRow; waiting: WaitingItem }[] {
  return rows
    .filter(isOpenRow)
    .map((row) => ({ row, waiting: applyTaskLevel(waitingItem(row), levelOf(levels, rowTask(row))) }))
}

function applyTaskLevel(waiting: WaitingItem, level: TaskLevel): WaitingItem {
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
  const common = { id: itemOf(row), since: rowSince(row), isAlerting: false }
  if (row.kind === 'request')
    return { ...common, level: row.request.urgent ? 'urgent' : 'call', isAlerting: isAlerting(row) }
  switch (row.group) {
    case 'urgent':
      return { ...common, level: 'urgent', isAlerting: true }
    case 'action':
    case 'mention':
      // An acknowledged Urgent is listed as an Action; it has alerted already, and louder.
      return { ...common, level: row.message.waiting === null ? 'call' : 'urgent' }
    case 'still':
    case 'unread':
      return { ...common, level: 'quiet' }
  }
}
