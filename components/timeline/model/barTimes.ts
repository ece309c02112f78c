/** When a bar of the timeline begins and ends, with its waits. Pure; times are epoch ms. */
import type { TimelineBar, TimelineLane, TimelineWait } from '@/lib/wire/rows'

/** to null: it goes on. */
export type BarSpan = { from: number; to: number | null }

type BarTimes = Pick<TimelineBar, 'from' | 'to' | 'waits'>

export const openWait = ({ waits }: Pick<TimelineBar, 'waits'>): TimelineWait | null =>
  waits.find(({ to }) => to === null) ?? null

/** From the first that was done or waited to the last; null: it has not begun. */
export function spanOf({ from, to, waits }: BarTimes): BarSpan | null {
  const spans: readonly BarSpan[] = [...(from === null ? [] : [{ from, to }]), ...waits]
  if (spans.length === 0) return null
  const start = Math.min(...spans.map((span) => span.from))
  if (spans.some((span) => span.to === null)) return { from: start, to: null }
  return { from: start, to: Math.max(...spans.map((span) => span.to ?? span.from)) }
}

/** The parts in which it was at work: its own time without its waits, in order. now: the end of a part that goes on */
export function workedParts(bar: BarTimes, now: number): readonly { from: number; to: number }[] {
  if (bar.from === null) return []
  const parts: { from: number; to: number }[] = []
  const end = bar.to ?? Math.max(bar.from, now)
  let at = bar.from
  for (const wait of [...bar.waits].sort((a, b) => a.from - b.from)) {
    const until = wait.to ?? end
    if (until <= at || wait.from >= end) continue
    if (wait.from > at) parts.push({ from: at, to: wait.from })
    at = until
  }
  if (at < end) parts.push({ from: at, to: end })
  // A step of no length is a part too.
  return parts.length > 0 ? parts : [{ from: bar.from, to: bar.from }]
}

/** Something in this lane becomes longer with time. */
export const isGrowing = ({ running, waitingSince, chip }: TimelineLane): boolean =>
  running !== null || waitingSince !== null || chip === 'running'
