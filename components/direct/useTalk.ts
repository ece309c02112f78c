/** Looks at a private conversation: its newest page, and the older ones that were asked for. */
import { useMemo, useState } from 'react'
import { useRows, useTotals, useViewPages, useViewStatus, type ViewStatus } from '@/client'
import type { AgentId } from '@/lib/mas/ids'
import type { TalkRow } from '@/lib/wire/rows'

type TalkView = `direct:${string}`

export type TalkPages = {
  status: ViewStatus
  /** Of each page, the newest first. */
  pages: readonly (readonly TalkRow[])[]
  ofOverTasks: number
  /** Fetch the page before; null: everything is here, or on its way. */
  showOlder: (() => void) | null
}

/** isAll: with tasks that are over. */
export function useTalk(agent: AgentId, isAll: boolean): TalkPages {
  const view: TalkView = `direct:${agent}${isAll ? '/all' : ''}`
  const status = useViewStatus(view)
  const rows = useRows(view)
  const totals = useTotals(view)
  const [asked, setAsked] = useState<readonly TalkView[]>([])
  const older = useViewPages(asked)
  // What was the oldest page may be cut elsewhere once new messages came: the first page's edge moves, the older stay.
  const next = asked.length === 0 ? (totals?.older ?? null) : (older.at(-1)?.totals?.older ?? null)
  const pages = useMemo(() => [rows, ...older.flatMap((page) => (page ? [page.rows] : []))], [rows, older])
  return {
    status,
    pages,
    ofOverTasks: totals?.ofOverTasks ?? 0,
    showOlder: next === null ? null : () => setAsked([...asked, next]),
  }
}
