/** What of the inbox climbs the notification ladder, and how far. Pure. */
import type { WaitingItem } from '@/client/notify/escalation'
import { type InboxRow, isOpenRow, itemOf, type OpenRow } from '@/components/inbox/rows'
import { isAlerting } from '@/components/request'
import { levelOf, type Settings, type TaskLevel } from '@/lib/wire/http'

/** levels: how loudly each task may tell; an Urgent is told of in any. */
export function waitingItems(
  rows: readonly InboxRow[],
  levels: Settings['levels'] = {},
): { row: OpenRow; waiting: WaitingItem }[] {
  return rows
    .filter(isOpenRow)
    .map((row) => ({ row, waiting: applyTaskLevel(waitingItem(row), levelOf(levels, taskOf(row))) }))
}

const taskOf = (row: OpenRow): string => (row.kind === 'request' ? row.request.task : row.message.task)

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
  if (row.kind === 'request') {
    const level = row.request.urgent ? 'urgent' : 'call'
    return { id: itemOf(row), level, isAlerting: isAlerting(row), since: row.request.openedAt }
  }
  const since = row.message.at
  switch (row.group) {
    case 'urgent':
      return { id: itemOf(row), level: 'urgent', isAlerting: true, since }
    case 'action':
    case 'mention':
      // An Urgent that was acknowledged stands among the Actions: it was told of already, louder.
      return { id: itemOf(row), level: row.message.waiting === null ? 'call' : 'urgent', isAlerting: false, since }
    default:
      return { id: itemOf(row), level: 'quiet', isAlerting: false, since }
  }
}
