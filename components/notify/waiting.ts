/**
 * What of the inbox climbs the notification ladder, and how far. Pure.
 *
 * Owns: the level of each row. Not here: the ladder (client/notify/ladder.ts), the words (useNoteWords.ts).
 */
import type { Waiting } from '@/client/notify/ladder'
import { type InboxRow, isOpenRow, itemOf, type OpenRow } from '@/components/inbox/rows'
import { isRinging } from '@/components/request'

export function waitingOf(rows: readonly InboxRow[]): { row: OpenRow; waiting: Waiting }[] {
  return rows.filter(isOpenRow).map((row) => ({ row, waiting: oneWaiting(row) }))
}

function oneWaiting(row: OpenRow): Waiting {
  if (row.kind === 'request') {
    const level = row.request.urgent ? 'urgent' : 'call'
    return { id: itemOf(row), level, isRinging: isRinging(row), since: row.request.openedAt }
  }
  const since = row.message.at
  switch (row.group) {
    case 'urgent':
      return { id: itemOf(row), level: 'urgent', isRinging: true, since }
    case 'action':
    case 'mention':
      // An Urgent that was acknowledged stands among the Actions: it was told of already, louder.
      return { id: itemOf(row), level: row.message.waiting === null ? 'call' : 'urgent', isRinging: false, since }
    default:
      return { id: itemOf(row), level: 'quiet', isRinging: false, since }
  }
}
