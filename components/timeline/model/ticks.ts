/** The marks of the time axis: round times of the reader's clock, and the idle times between them. Pure. */
import type { TimeScale } from './timeScale'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 3, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 28, 91, 364].map((count) => count * DAY),
]
/** px that a mark and its words take. */
const ROOM = 92

/** at: epoch ms */
export type Tick = { at: number; x: number }
export type GapMark = { ms: number; from: number; to: number }
export type AxisMarks = { step: number; ticks: readonly Tick[]; gaps: readonly GapMark[] }

/** in: aheadMs: how far the reader's clock is ahead of UTC; end: where the words of the end begin, px */
export function axisMarks(scale: TimeScale, aheadMs: number, end: number): AxisMarks {
  const { width, pxPerMs } = scale
  const step = STEPS.find((ms) => ms * pxPerMs >= ROOM) ?? STEPS.at(-1) ?? DAY
  const gaps = scale.gaps
    .map(({ from, to }) => ({ ms: to - from, from: scale.xOf(from), to: scale.xOf(to) }))
    .filter((gap) => gap.to > 0 && gap.from < width)
  const words = gapsWithWords(gaps, end).map(({ from, to }) => (from + to) / 2)
  const next = (time: number): number => Math.ceil((time + aheadMs) / step) * step - aheadMs
  const ticks: Tick[] = []
  const until = scale.timeAt(width)
  let nextGap = 0
  for (let at = next(scale.timeAt(0)); at <= until; at = next(at + 1)) {
    while ((scale.gaps[nextGap]?.to ?? Number.POSITIVE_INFINITY) <= at) nextGap += 1
    const gap = scale.gaps[nextGap]
    if (gap !== undefined && gap.from < at) {
      at = gap.to
      if (next(at) > until) break
      at = next(at)
    }
    const x = scale.xOf(at)
    const isFree = words.every((place) => Math.abs(place - x) >= ROOM * 0.75)
    if (isFree && x >= ROOM * 0.3 && x <= end - ROOM / 2 && x - (ticks.at(-1)?.x ?? -ROOM) >= ROOM * 0.75)
      ticks.push({ at, x })
  }
  return { step, ticks, gaps }
}

/** The gaps that have room for their words: none is near another, or near the end. */
export function gapsWithWords(gaps: readonly GapMark[], end: number): readonly GapMark[] {
  const shown: GapMark[] = []
  for (const gap of gaps) {
    const [x, before] = [(gap.from + gap.to) / 2, shown.at(-1)]
    const isFree = before === undefined || x - (before.from + before.to) / 2 >= ROOM * 0.75
    if (isFree && x >= ROOM / 3 && x <= end - ROOM / 2) shown.push(gap)
  }
  return shown
}
