/** What a key does in the timeline. Pure. */
import { spanOf } from './barTimes'
import { type LoadedBars, laneAt, rowAt, type TimelineRows } from './rows'

export type TimelineAction =
  | { do: 'focus'; index: number }
  | { do: 'turn'; agent: string; isOpen: boolean; index: number }
  | { do: 'inspect'; index: number }
  | { do: 'zoom'; step: 1 | -1 }
  | { do: 'fit' }

type Loaded = { rows: TimelineRows; pages: readonly LoadedBars[] }

/**
 * in      current: the index of the row with the focus; pageSize: rows that fit
 * out     null: the key is not the timeline's
 */
export function timelineKey(key: string, shown: Loaded, current: number, pageSize: number): TimelineAction | null {
  const { rows } = shown
  const go = (index: number): TimelineAction | null =>
    rows.length === 0 ? null : { do: 'focus', index: Math.max(0, Math.min(rows.length - 1, index)) }
  switch (key) {
    case 'ArrowDown':
      return go(current + 1)
    case 'ArrowUp':
      return go(current - 1)
    case 'PageDown':
      return go(current + pageSize)
    case 'PageUp':
      return go(current - pageSize)
    case 'Home':
      return go(0)
    case 'End':
      return go(rows.length - 1)
    case 'ArrowRight':
    case 'ArrowLeft': {
      const next = nextInTime(shown, current, key === 'ArrowRight' ? 1 : -1)
      return next === null ? null : go(next)
    }
    case ' ': {
      // On a bar it closes the lane around it.
      const at = laneAt(rows, current)
      return at && { do: 'turn', agent: at.lane.agent, isOpen: !at.isOpen, index: at.top }
    }
    case 'Enter':
      return { do: 'inspect', index: current }
    case '+':
    case '=':
      return { do: 'zoom', step: 1 }
    case '-':
    case '−':
      return { do: 'zoom', step: -1 }
    case '0':
      return { do: 'fit' }
    default:
      return null
  }
}

/** The bar that begins next after a row, or last before it, among those that are shown and loaded; null: there is none. */
function nextInTime(shown: Loaded, current: number, step: 1 | -1): number | null {
  const here = rowAt(shown.rows, shown.pages, current)
  const time =
    here === null ? null : here.kind === 'lane' ? here.lane.from : here.bar && (spanOf(here.bar)?.from ?? null)
  const isAfter = (from: number, index: number, than: { from: number; index: number }): boolean =>
    from === than.from ? index > than.index : from > than.from
  const start = { from: time ?? Number.NEGATIVE_INFINITY, index: current }
  let best: { from: number; index: number } | null = null
  for (const { from, index } of loadedBars(shown)) {
    const isBeyond = step === 1 ? isAfter(from, index, start) : isAfter(start.from, start.index, { from, index })
    const isNearer =
      best === null || (step === 1 ? isAfter(best.from, best.index, { from, index }) : isAfter(from, index, best))
    if (isBeyond && isNearer) best = { from, index }
  }
  return best?.index ?? null
}

function* loadedBars({ rows, pages }: Loaded): Iterable<{ from: number; index: number }> {
  for (const { lane, own, top, isOpen } of rows.lanes) {
    if (!isOpen) continue
    const older = pages.filter(({ agent }) => agent === lane.agent)
    for (const { from: first, bars } of [...older, { from: lane.before, bars: own }])
      for (const [at, bar] of bars.entries()) {
        const span = spanOf(bar)
        if (span) yield { from: span.from, index: top + 1 + first + at }
      }
  }
}
