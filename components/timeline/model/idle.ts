/** The times in which nobody in a task did anything. Pure; times are epoch ms. */
import { openWait } from './barTimes'
import type { TimelineRows } from './rows'

/** A shorter pause is shown as it is. */
export const IDLE_LEAST_MS = 60_000

export type Gap = { from: number; to: number }
/** gaps: in order, none touches another. last: the end of what was done; null: something is done now */
export type Activity = { from: number; gaps: readonly Gap[]; last: number | null }

type Axis = { from: number; columnMs: number }

/**
 * When something was done: by the bars that the view holds, and before them by the sums of their lanes. A wait is no work:
 * while all wait for a person, nobody works.
 */
export function activityOf({ lanes }: TimelineRows, { from, columnMs }: Axis): Activity {
  const spans: Gap[] = []
  const columns: boolean[] = []
  let isNow = false
  for (const { lane, own } of lanes) {
    const exactFrom =
      lane.before === 0 ? Number.NEGATIVE_INFINITY : (own.find((bar) => bar.from !== null)?.from ?? Infinity)
    for (let at = 0; at < lane.busy.length && from + at * columnMs < exactFrom; at++)
      if (lane.busy[at] !== '0') columns[at] = true
    for (const bar of own) {
      if (bar.kind !== 'step' || bar.from === null) continue
      const isAtWork = bar.to === null && bar.chip === 'running'
      if (isAtWork) isNow = true
      const end = bar.to ?? openWait(bar)?.from ?? bar.from
      spans.push({ from: bar.from, to: isAtWork ? Number.POSITIVE_INFINITY : end })
    }
  }
  columns.forEach((isBusy, at) => {
    if (isBusy) spans.push({ from: from + at * columnMs, to: from + (at + 1) * columnMs })
  })
  spans.sort((a, b) => a.from - b.from)
  const gaps: Gap[] = []
  let last = from
  for (const span of spans) {
    if (span.from - last >= IDLE_LEAST_MS) gaps.push({ from: last, to: span.from })
    last = Math.max(last, span.to)
  }
  return { from, gaps, last: isNow ? null : last }
}

/** The gaps up to the end of the axis. */
export function gapsUntil({ gaps, last }: Activity, end: number): readonly Gap[] {
  return last !== null && end - last >= IDLE_LEAST_MS ? [...gaps, { from: last, to: end }] : gaps
}
