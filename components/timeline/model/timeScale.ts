/**
 * Where a time is drawn, and the time at a place. Pure; times are epoch ms, places px.
 *
 * Idle times are as wide as `gapPx`, whatever their length and the zoom: inside of one, times are only denser. So the scale rises
 * everywhere, and each place has one time.
 */
import type { Gap } from './idle'

export type Axis = { from: number; to: number; gaps: readonly Gap[] }

export type TimeScale = {
  /** From the left edge of what is shown. */
  xOf: (time: number) => number
  timeAt: (x: number) => number
  /** Of all of the axis, and of what is shown. */
  total: number
  width: number
  /** Of what is left of the left edge. */
  hidden: number
  pxPerMs: number
  gaps: readonly Gap[]
}

/** pxPerMs: outside of gaps; left: how much of the axis is left of the edge */
export type Zoom = { pxPerMs: number; left: number }

export const GAP_PX = 28
/** Of many gaps: no more of the width than this. */
const GAPS_SHARE = 0.4
/** 1 ms is no wider. */
const PX_PER_MS_MOST = 8

export const gapWidth = ({ gaps }: Axis, width: number): number =>
  gaps.length === 0 ? 0 : Math.min(GAP_PX, (width * GAPS_SHARE) / gaps.length)

/** The time of the axis that is not squeezed. */
function shownMs({ from, to, gaps }: Axis): number {
  return Math.max(
    1,
    gaps.reduce((ms, gap) => ms - (gap.to - gap.from), to - from),
  )
}

/** The scale that shows all of the axis. */
export function fitScale(axis: Axis, width: number): number {
  const room = Math.max(1, width - axis.gaps.length * gapWidth(axis, width))
  return Math.min(PX_PER_MS_MOST, room / shownMs(axis))
}

/** zoom null: all of the axis */
export function timeScale(axis: Axis, width: number, zoom: Zoom | null): TimeScale {
  const { from, gaps } = axis
  const gapPx = gapWidth(axis, width)
  const fit = fitScale(axis, width)
  const pxPerMs = zoom === null ? fit : Math.max(fit, Math.min(PX_PER_MS_MOST, zoom.pxPerMs))
  const total = shownMs(axis) * pxPerMs + gaps.length * gapPx
  const hidden = Math.max(0, Math.min(total - width, zoom?.left ?? 0))
  const starts = startsOf(axis, pxPerMs, gapPx)
  const xOf = (time: number): number => {
    const at = lastAtMost(gaps.length, (one) => gaps[one]?.from ?? 0, time)
    const [gap, start] = [gaps[at], starts[at]]
    if (gap === undefined || start === undefined) return (time - from) * pxPerMs - hidden
    if (time < gap.to) return start + ((time - gap.from) / (gap.to - gap.from)) * gapPx - hidden
    return start + gapPx + (time - gap.to) * pxPerMs - hidden
  }
  const timeAt = (x: number): number => {
    const place = x + hidden
    const at = lastAtMost(gaps.length, (one) => starts[one] ?? 0, place)
    const [gap, start] = [gaps[at], starts[at]]
    if (gap === undefined || start === undefined) return from + place / pxPerMs
    if (place < start + gapPx) return gap.from + ((place - start) / gapPx) * (gap.to - gap.from)
    return gap.to + (place - start - gapPx) / pxPerMs
  }
  return { xOf, timeAt, total, width, hidden, pxPerMs, gaps }
}

/** The place of each gap on the whole axis. */
function startsOf({ from, gaps }: Axis, pxPerMs: number, gapPx: number): readonly number[] {
  const starts: number[] = []
  let [x, time] = [0, from]
  for (const gap of gaps) {
    x += (gap.from - time) * pxPerMs
    starts.push(x)
    x += gapPx
    time = gap.to
  }
  return starts
}

/** The last of `count` rising values that is at most this; -1: none. */
function lastAtMost(count: number, valueAt: (at: number) => number, most: number): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    if (valueAt(middle) <= most) low = middle + 1
    else high = middle
  }
  return low - 1
}
