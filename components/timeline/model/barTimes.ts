/** When a bar of the timeline begins and ends, with its waits. Pure; times are epoch ms. */
import type { TimelineBar, TimelineLane, TimelineWait } from '@/lib/wire/rows'

/** to null: it goes on. */
export type Span = { from: number; to: number | null }

type BarTimes = Pick<TimelineBar, 'from' | 'to' | 'waits'>

export const openWait = ({ waits }: Pick<TimelineBar, 'waits'>): TimelineWait | null =>
  waits.find(({ to }) => to === null) ?? null

/** From the first that was done or waited to the last; null: it has not begun. */
export function spanOf(bar: BarTimes): Span | null {
  const own = workedSpan(bar)
  const spans = [...(own ? [own] : []), ...bar.waits]
  if (spans.length === 0) return null
  const from = Math.min(...spans.map((span) => span.from))
  return spans.some(({ to }) => to === null) ? { from, to: null } : { from, to: Math.max(...spans.map(endOf)) }
}

const endOf = ({ from, to }: Span): number => to ?? from

/** What the bar itself took: a step that waits now is not at work. */
function workedSpan({ from, to, waits }: BarTimes): Span | null {
  return from === null ? null : { from, to: to ?? openWait({ waits })?.from ?? null }
}

/** The parts in which it was at work: its own time without its waits, in order. now: the end of a part that goes on */
export function workedParts(bar: BarTimes, now: number): readonly { from: number; to: number }[] {
  const own = workedSpan(bar)
  if (own === null) return []
  const parts: { from: number; to: number }[] = []
  const end = own.to ?? Math.max(own.from, now)
  let at = own.from
  for (const wait of [...bar.waits].sort((a, b) => a.from - b.from)) {
    const until = wait.to ?? end
    if (until <= at || wait.from >= end) continue
    if (wait.from > at) parts.push({ from: at, to: wait.from })
    at = Math.max(at, until)
  }
  // A step of no length is a part too.
  if (at < end || parts.length === 0) parts.push({ from: at, to: Math.max(at, end) })
  return parts
}

/** Something in this lane becomes longer with time. */
export const isGrowing = ({ running, waitingSince, chip }: TimelineLane): boolean =>
  running !== null || waitingSince !== null || chip === 'running'
