/** The data of a task's timeline: the rows of the view, pages of older bars, open lanes. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useRows, useTotals, useViewPages, useViewStatus, type ViewStatus } from '@/client'
import { openChoices } from '@/components/tree/openChoices'
import type { TimelineTotals } from '@/lib/wire/rows'
import { type BarPage, type LoadedBars, pagesFor, rowsOf, type TimelineRows, viewOfPage } from './model/rows'

/** Bars of a task whose lanes are all open at first. */
const FEW_BARS = 120
/** ms that the window is still before pages are asked for: not all that a scroll passes. */
const REST_MS = 80

const openLanes = openChoices('convene_timeline_open')

export type TimelineData = {
  status: ViewStatus
  rows: TimelineRows
  totals: TimelineTotals | null
  turn: (agent: string, isOpen: boolean) => void
}

export function useTimelineData(taskId: string): TimelineData {
  const view = `timeline:${taskId}` as const
  const status = useViewStatus(view)
  const own = useRows(view)
  const totals = useTotals(view)
  const choices = openLanes.useChoices(taskId)
  // By the first picture: lanes do not close because the task goes on.
  const isOpenAtFirst = useRef<boolean | null>(null)
  if (isOpenAtFirst.current === null && totals !== null)
    isOpenAtFirst.current = own.reduce((count, row) => count + (row.kind === 'lane' ? row.bars : 0), 0) <= FEW_BARS
  const isFew = isOpenAtFirst.current ?? true
  const rows = useMemo(() => rowsOf(own, (agent) => choices[agent] ?? isFew), [own, choices, isFew])
  const turn = useCallback((agent: string, isOpen: boolean) => openLanes.choose(taskId, { [agent]: isOpen }), [taskId])
  return { status, rows, totals, turn }
}

/** The pages that the rows of a window need, as far as they are loaded. */
export function useOlderBars(taskId: string, rows: TimelineRows, first: number, count: number): readonly LoadedBars[] {
  const wanted = pagesFor(rows, first, count)
  const words = wanted.map((page) => viewOfPage(taskId, page)).join(' ')
  const [asked, setAsked] = useState<{ words: string; pages: readonly BarPage[] }>({ words: '', pages: [] })
  // Joins the clock: a page is asked for once the window has come to rest on it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pages are those of these words.
  useEffect(() => {
    if (words === asked.words) return
    const timer = setTimeout(() => setAsked({ words, pages: wanted }), REST_MS)
    return () => clearTimeout(timer)
  }, [words, asked.words])
  const views = useMemo(() => asked.pages.map((page) => viewOfPage(taskId, page)), [taskId, asked])
  const loaded = useViewPages(views)
  return useMemo(
    () =>
      asked.pages.flatMap((page, at) => {
        const bars = loaded[at]?.rows.filter((row) => row.kind !== 'lane')
        return bars === undefined ? [] : [{ ...page, bars }]
      }),
    [asked, loaded],
  )
}
