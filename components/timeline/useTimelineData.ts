/** The data of a task's timeline: the rows of the view, pages of older bars, open lanes. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useRows, useTotals, useViewPages, useViewStatus, type ViewStatus } from '@/client'
import { useApiQuery } from '@/client/queries'
import { openChoices } from '@/components/tree/openChoices'
import type { StepAnswer } from '@/lib/wire'
import type { TimelineTotals } from '@/lib/wire/rows'
import {
  type BarPage,
  type LoadedBars,
  nextSought,
  pagesFor,
  rowsOf,
  type TimelineRows,
  viewOfPage,
} from './model/rows'

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

type Sought = { step: string; page: BarPage | null; looked: number }
const NO_BARS: readonly LoadedBars[] = []

/**
 * The page with the bar of a step that the view lacks: its member's pages are looked through, the newest first.
 *
 * in      step: the one that the address names; null: none
 * out     that page; none while it is looked for, and where no page has the step
 */
export function useSoughtBars(taskId: string, rows: TimelineRows, step: string | null): readonly LoadedBars[] {
  const isOwn = rows.lanes.some(({ own }) => own.some(({ id }) => id === step))
  const wanted = isOwn ? null : step
  const { data } = useApiQuery<StepAnswer>(wanted && `/api/steps/${encodeURIComponent(wanted)}`)
  const asked = data && !data.archived && data.step.task === taskId ? data.step : null
  const lane = rows.lanes.find((one) => one.lane.agent === asked?.agent)?.lane ?? null
  const [sought, setSought] = useState<Sought | null>(null)
  const isStale = sought !== null && sought.step !== wanted
  const page = sought === null || isStale ? null : sought.page
  const loaded = useViewPages(page === null ? [] : [viewOfPage(taskId, page)])[0]
  const bars = useMemo(() => loaded?.rows.filter((row) => row.kind !== 'lane'), [loaded])
  const isFound = bars?.some(({ id }) => id === wanted) ?? false
  const isLookedAt = page !== null && bars !== undefined && !isFound
  useEffect(() => {
    // Joins the views: the next page is asked for when the last one came without the bar.
    if (wanted === null || isStale) setSought(null)
    else if (lane !== null && (sought === null || isLookedAt))
      setSought((before) => {
        const looked = before?.looked ?? 0
        return { step: wanted, page: nextSought(lane, before?.page ?? null, looked), looked: looked + 1 }
      })
  }, [wanted, isStale, lane, sought, isLookedAt])
  return useMemo(() => (isFound && page && bars ? [{ ...page, bars }] : NO_BARS), [isFound, page, bars])
}
