/** The critical path: from the end backwards, what had to end before the next could begin. */
import type { AgentId } from '@/lib/mas/ids'

/** Something that takes time, epoch ms. to null: it goes on. on: who was waited for; absent: it is no wait */
export type Span = { id: string; agent: AgentId; from: number; to: number | null; on?: readonly AgentId[] }
/** Of one member: what has ended, in the order of the ends, and what goes on. */
export type SpansOfLane = { ended: readonly Span[]; open: readonly Span[] }

/** No task is looked at further back than this many spans. */
const SPANS_MOST = 1_000

/** out: the spans of the path, from its last backwards: each ended last of all before the one after it began */
export function criticalPath(lanes: readonly SpansOfLane[]): Span[] {
  const path: Span[] = []
  const ended = lanes.map((lane) => lane.ended)
  // What goes on since the longest holds up the end.
  let next = lanes
    .flatMap(({ open }) => open)
    .reduce<Span | null>((oldest, span) => (oldest === null || span.from < oldest.from ? span : oldest), null)
  next ??= lastBefore(ended, Number.POSITIVE_INFINITY, null)
  while (next !== null && path.length < SPANS_MOST) {
    path.push(next)
    next = lastBefore(ended, next.from, next)
  }
  return path
}

/** The span that ended last until then; of several the one of the same member. It began before the one after it: the path ends. */
function lastBefore(lanes: readonly (readonly Span[])[], until: number, after: Span | null): Span | null {
  let found: Span | null = null
  for (const lane of lanes) {
    for (let at = placeAfter(lane, until) - 1; at >= 0; at--) {
      const span = lane[at]
      if (span === undefined || span.to === null) break
      if (found?.to != null && span.to < found.to) break
      const isEarlier = after === null || span.from < after.from
      const isBetter = found === null || found.to !== span.to || span.agent === after?.agent
      if (isEarlier && isBetter) found = span
      if (isEarlier) break
    }
  }
  return found
}

/** How many of the lane ended until then. */
function placeAfter(lane: readonly Span[], until: number): number {
  let [low, high] = [0, lane.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lane[middle]?.to ?? until) <= until) low = middle + 1
    else high = middle
  }
  return low
}
