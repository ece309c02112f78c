/**
 * The rows of a timeline: a row for each member, and below an open one a row for each of its bars. Pure.
 *
 * TimelineRows are computed by their place: a task may have 100,000 bars, of which the view and some pages hold a few hundred.
 */
import type { TimelineBar, TimelineLane } from '@/lib/wire/rows'

/** Bars per page, as the server cuts them. */
const PAGE = 100

/** top: place of the member's row; shown: rows of bars below it; own: its newest bars, from the place `lane.before` on. */
export type LaneRows = {
  lane: TimelineLane
  own: readonly TimelineBar[]
  isOpen: boolean
  top: number
  shown: number
}
export type TimelineRows = { lanes: readonly LaneRows[]; length: number }

/** bar: its place in the lane; null: the row of the member. */
export type RowPlace = { agent: string; bar: number | null }
/** bar null: it is on a page that is not loaded. */
export type RowModel =
  | { kind: 'lane'; key: string; lane: TimelineLane; isOpen: boolean }
  | { kind: 'bar'; key: string; lane: TimelineLane; place: number; bar: TimelineBar | null }

/** Bars of a member before those of the view: those at the places from `from` on. */
export type BarPage = { agent: string; from: number }
export type LoadedBars = BarPage & { bars: readonly TimelineBar[] }

export const keyOf = ({ agent, bar }: RowPlace): string => (bar === null ? agent : `${agent}/${bar}`)

export function placeOfKey(key: string): RowPlace {
  const [agent = '', bar] = key.split('/')
  return { agent, bar: bar === undefined ? null : Number(bar) }
}

/** in: rows of the view in their order; isOpen: whether a member's bars are shown */
export function rowsOf(
  view: readonly (TimelineLane | TimelineBar)[],
  isOpen: (agent: string) => boolean,
): TimelineRows {
  const bars = new Map<string, TimelineBar[]>()
  for (const row of view) {
    if (row.kind === 'lane') continue
    const own = bars.get(row.lane)
    if (own) own.push(row)
    else bars.set(row.lane, [row])
  }
  let length = 0
  const lanes = view.flatMap((lane): LaneRows[] => {
    if (lane.kind !== 'lane') return []
    const [open, top] = [isOpen(lane.agent), length]
    const shown = open ? lane.bars : 0
    length += 1 + shown
    return [{ lane, own: bars.get(lane.agent) ?? [], isOpen: open, top, shown }]
  })
  return { lanes, length }
}

/** The lane of a row; null where there is no such row. */
export function laneAt({ lanes }: TimelineRows, index: number): LaneRows | null {
  const found = lanes.findLast(({ top }) => top <= index)
  return found && index <= found.top + found.shown ? found : null
}

export function rowAt(rows: TimelineRows, pages: readonly LoadedBars[], index: number): RowModel | null {
  const at = laneAt(rows, index)
  if (at === null) return null
  const { lane, isOpen } = at
  if (index === at.top) return { kind: 'lane', key: lane.agent, lane, isOpen }
  const place = index - at.top - 1
  const key = keyOf({ agent: lane.agent, bar: place })
  return { kind: 'bar', key, lane, place, bar: barAt(at, pages, place) }
}

function barAt({ lane, own }: LaneRows, pages: readonly LoadedBars[], place: number): TimelineBar | null {
  if (place >= lane.before) return own[place - lane.before] ?? null
  const from = pageStart(place)
  return pages.find((page) => page.agent === lane.agent && page.from === from)?.bars[place - from] ?? null
}

/** Pages begin at multiples of 100, so that new bars do not move them. */
const pageStart = (place: number): number => Math.floor(place / PAGE) * PAGE

/** The name of a page's view. */
export const viewOfPage = (task: string, { agent, from }: BarPage): `timeline:${string}` =>
  `timeline:${task}/${agent}@${from + PAGE}`

/** The pages that these rows need besides the view. */
export function pagesFor(rows: TimelineRows, first: number, count: number): BarPage[] {
  const pages: BarPage[] = []
  for (const { lane, top, shown } of rows.lanes) {
    const begin = Math.max(0, first - top - 1)
    const end = Math.min(shown, lane.before, first + count - top - 1)
    if (begin >= end) continue
    for (let from = pageStart(begin); from < end; from += PAGE) pages.push({ agent: lane.agent, from })
  }
  return pages
}

/** Pages in which a bar is looked for: a live task has fewer; one without an end would be asked for on and on. */
export const MOST_SOUGHT = 20

/**
 * The pages of a member from the newest one that the view lacks down to the oldest, one after the other.
 *
 * in      before: the page that was looked at last; null: none yet; looked: how many were
 * out     the next one; null: there is none, or enough were looked at
 */
export function nextSought(lane: TimelineLane, before: BarPage | null, looked: number): BarPage | null {
  const from = before === null ? pageStart(lane.before - 1) : before.from - PAGE
  return from < 0 || looked >= MOST_SOUGHT ? null : { agent: lane.agent, from }
}

/** The index of a row; of a bar that is not shown, of its member; -1: the member is not there. */
export function indexOf({ lanes }: TimelineRows, { agent, bar }: RowPlace): number {
  const at = lanes.find(({ lane }) => lane.agent === agent)
  if (at === undefined) return -1
  return bar === null || bar >= at.shown ? at.top : at.top + 1 + bar
}

export function placeAt(rows: TimelineRows, index: number): RowPlace | null {
  const at = laneAt(rows, index)
  if (at === null) return null
  return { agent: at.lane.agent, bar: index === at.top ? null : index - at.top - 1 }
}

/** By how many rows what is read has moved: the first row of the window is the anchor. */
export function rowShift(before: TimelineRows, after: TimelineRows, top: number): number {
  const [anchor, then] = [placeAt(before, top), laneAt(before, top)]
  if (anchor === null || then === null) return 0
  const lane = after.lanes.find((one) => one.lane.agent === anchor.agent)
  const bar = anchor.bar === null || lane === undefined ? anchor.bar : Math.max(0, anchor.bar + placeShift(then, lane))
  const now = indexOf(after, { ...anchor, bar })
  return now < 0 ? 0 : now - top
}

/** By how many places the bars of a lane have moved: the oldest leave the world, and what follows them moves up. */
function placeShift(before: LaneRows, after: LaneRows): number {
  const places = new Map(after.own.map(({ id }, at) => [id, after.lane.before + at]))
  for (const [at, { id }] of before.own.entries()) {
    const now = places.get(id)
    if (now !== undefined) return now - (before.lane.before + at)
  }
  return 0
}

/** The row of the member that stays at the top while its bars scroll; null: none is covered. */
export function pinnedRow(rows: TimelineRows, first: number): number | null {
  const at = laneAt(rows, first)
  return at === null || at.top >= first ? null : at.top
}

/** Where a bar is; null: neither the view nor a loaded page has it. */
export function placeOfBar({ lanes }: TimelineRows, pages: readonly LoadedBars[], id: string): RowPlace | null {
  for (const { lane, own } of lanes) {
    const at = own.findIndex((bar) => bar.id === id)
    if (at >= 0) return { agent: lane.agent, bar: lane.before + at }
  }
  for (const { agent, from, bars } of pages) {
    const at = bars.findIndex((bar) => bar.id === id)
    if (at >= 0) return { agent, bar: from + at }
  }
  return null
}
