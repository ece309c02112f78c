/** The newest page of a private conversation, and the older ones that were asked for. */
import { useMemo, useState } from 'react'
import { useRows, useTotals, useViewPages, useViewStatus, type ViewStatus } from '@/client'
import type { AgentId } from '@/lib/mas/ids'
import type { TalkRow } from '@/lib/wire/rows'

type TalkView = `direct:${string}`

type TalkPages = {
  status: ViewStatus
  /** The rows of each page, the newest first. */
  pages: readonly (readonly TalkRow[])[]
  ofOverTasks: number
  /** Fetches the previous page; null: everything is here or being fetched. */
  showOlder: (() => void) | null
}

/** in: isAll: with tasks that are over */
export function useTalk(agent: AgentId, isAll: boolean): TalkPages {
  const view: TalkView = `direct:${agent}${isAll ? '/all' : ''}`
  const status = useViewStatus(view)
  const rows = useRows(view)
  const totals = useTotals(view)
  const [asked, setAsked] = useState<readonly TalkView[]>([])
  const older = useViewPages(asked)
  // New messages move the edge of the first page; once older pages are here, the oldest of them says what is next.
  const next = asked.length === 0 ? (totals?.older ?? null) : (older.at(-1)?.totals?.older ?? null)
  const pages = useMemo(() => [rows, ...older.flatMap((page) => (page ? [page.rows] : []))], [rows, older])
  return {
    status,
    pages,
    ofOverTasks: totals?.ofOverTasks ?? 0,
    showOlder: next === null ? null : () => setAsked([...asked, next]),
  }
}
