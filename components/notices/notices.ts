/** The notices of this person: stages and tasks that began or ended, replies that are needed. */
import { useRows } from '@/client'
import { sendRead, useReadCursor } from '@/client/readCursors'
import type { NoticeRow } from '@/lib/wire/rows'

const PLACE = 'notices'

type Notices = {
  rows: readonly NoticeRow[]
  isNew: (row: NoticeRow) => boolean
  /** How many are unread; 0 while the cursor is loading. */
  fresh: number
  sawAll: () => void
}

export function useNotices(): Notices {
  const all = useRows('me')
  const cursor = useReadCursor(PLACE)
  const rows = all.filter((row): row is NoticeRow => row.kind === 'notice')
  const isNew = ({ notice, isSettled }: NoticeRow): boolean =>
    cursor !== undefined && !isSettled && notice.seq > (cursor ?? 0)
  const newest = Math.max(0, ...rows.map(({ notice }) => notice.seq))
  return { rows, isNew, fresh: rows.filter(isNew).length, sawAll: () => sendRead(PLACE, newest) }
}
