/**
 * Looks at a private conversation: its newest page, and the older ones that were asked for.
 *
 * Owns: joining these views. Not here: what they come to (talkWorld.ts).
 */
import { useEffect, useMemo, useState } from 'react'
import { thePage, useRows, useTotals, useViewStatus, type ViewStatus } from '@/client'
import type { AgentId } from '@/lib/mas/ids'
import type { TalkRow, TalkTotals } from '@/lib/wire/rows'

type TalkView = `direct:${string}`
type Page = { rows: readonly TalkRow[]; totals: TalkTotals | null }

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
  const older = useOlder(asked)
  const last = older.at(-1)
  // What was the oldest page may be cut elsewhere once new messages came: the first page's edge moves, the older stay.
  const next = asked.length === 0 ? (totals?.older ?? null) : (last?.totals?.older ?? null)
  const pages = useMemo(() => [rows, ...older.map((page) => page.rows)], [rows, older])
  return {
    status,
    pages,
    ofOverTasks: totals?.ofOverTasks ?? 0,
    showOlder: next === null ? null : () => setAsked([...asked, next]),
  }
}

function useOlder(views: readonly TalkView[]): readonly Page[] {
  const names = views.join(' ')
  const [pages, setPages] = useState<ReadonlyMap<string, Page>>(new Map())
  useEffect(() => {
    // Joins the views of older pages: one place on the wire for each while it is looked at.
    const ends = (names === '' ? [] : (names.split(' ') as TalkView[])).map((view) => {
      const store = thePage().views.store(view)
      const read = (): void => {
        const { held } = store.getState()
        if (held?.kind !== 'rows') return
        const rows = held.list.filter((row): row is TalkRow => row.id !== '$')
        const totals = held.rows.get('$')
        setPages((before) => new Map(before).set(view, { rows, totals: isTalkTotals(totals) ? totals : null }))
      }
      const leave = thePage().views.open(view)
      const stop = store.subscribe(read)
      read()
      return () => {
        stop()
        leave()
      }
    })
    return () => {
      for (const end of ends) end()
    }
  }, [names])
  return useMemo(() => (names === '' ? [] : names.split(' ').flatMap((view) => pages.get(view) ?? [])), [names, pages])
}

const isTalkTotals = (row: unknown): row is TalkTotals =>
  typeof row === 'object' && row !== null && 'ofOverTasks' in row
