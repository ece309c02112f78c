/** What part of the time is shown. Pure. */
import { type Axis, fitScale, gapWidth, type TimeScale, timeScale, type Zoom } from './timeScale'

/** Each press of a button or key. */
export const ZOOM_STEP = 1.6
/** px kept free beside what is brought into sight. */
const MARGIN = 24
/** px of a brush below which it is a press. */
export const BRUSH_LEAST = 5

/**
 * What the reader chose. null: all of the task. from: the time at the left edge: places move as the task goes on, times do not;
 * 'end': the newest is in sight
 */
export type TimeChoice = { pxPerMs: number; from: number | 'end' } | null

/** The scale of a choice at this width. */
export function scaleOf(axis: Axis, width: number, choice: TimeChoice): TimeScale {
  if (choice === null) return timeScale(axis, width, null)
  if (choice.from === 'end') return timeScale(axis, width, { pxPerMs: choice.pxPerMs, left: Number.POSITIVE_INFINITY })
  const start = timeScale(axis, width, { pxPerMs: choice.pxPerMs, left: 0 })
  return timeScale(axis, width, { pxPerMs: choice.pxPerMs, left: start.xOf(choice.from) })
}

/** The choice that shows this zoom; one that shows all is none. */
function choiceOf(axis: Axis, width: number, zoom: Zoom): TimeChoice {
  if (zoom.pxPerMs <= fitScale(axis, width)) return null
  const shown = timeScale(axis, width, zoom)
  return { pxPerMs: shown.pxPerMs, from: shown.timeAt(0) }
}

/** Larger by a factor; the time at x stays where it is. */
export function zoomedAt(axis: Axis, scale: TimeScale, factor: number, x: number): TimeChoice {
  const time = scale.timeAt(x)
  const pxPerMs = timeScale(axis, scale.width, { pxPerMs: scale.pxPerMs * factor, left: 0 }).pxPerMs
  const place = timeScale(axis, scale.width, { pxPerMs, left: 0 }).xOf(time)
  return choiceOf(axis, scale.width, { pxPerMs, left: place - x })
}

/** Moved by some px to later. */
export const movedBy = (axis: Axis, scale: TimeScale, px: number): TimeChoice =>
  choiceOf(axis, scale.width, { pxPerMs: scale.pxPerMs, left: scale.hidden + px })

/** What lies between two places fills the width. */
export function zoomedTo(axis: Axis, scale: TimeScale, one: number, other: number): TimeChoice {
  const [from, to] = [scale.timeAt(Math.min(one, other)), scale.timeAt(Math.max(one, other))]
  let [ms, gaps] = [to - from, 0]
  for (const gap of axis.gaps) {
    const inside = Math.max(0, Math.min(to, gap.to) - Math.max(from, gap.from))
    ms -= inside
    gaps += inside / (gap.to - gap.from)
  }
  const room = Math.max(1, scale.width - gaps * gapWidth(axis, scale.width))
  const pxPerMs = timeScale(axis, scale.width, { pxPerMs: room / Math.max(1, ms), left: 0 }).pxPerMs
  return choiceOf(axis, scale.width, { pxPerMs, left: timeScale(axis, scale.width, { pxPerMs, left: 0 }).xOf(from) })
}

/** Moved so far that a time is in sight; the same choice if it is. */
export function withTime(axis: Axis, scale: TimeScale, choice: TimeChoice, time: number): TimeChoice {
  const x = scale.xOf(time)
  if (x < 0) return movedBy(axis, scale, x - MARGIN)
  return x > scale.width ? movedBy(axis, scale, x - scale.width + MARGIN) : choice
}

/** The newest in sight from now on; all that is shown has it already. */
export const following = (scale: TimeScale, choice: TimeChoice): TimeChoice =>
  choice === null ? null : { pxPerMs: scale.pxPerMs, from: 'end' }
