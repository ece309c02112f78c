/** What of the timeline is drawn where: the shapes of the rows in the window, and the words beside bars. Pure; all lengths px. */
import type { Chip, TimelineBar, TimelineLane } from '@/lib/wire/rows'
import { spanOf, workedParts } from './barTimes'
import type { RowModel } from './rows'
import type { AxisMarks } from './ticks'
import type { TimeScale } from './timeScale'

/** Chips that have colours of their own. */
export type Hue = Exclude<Chip, 'redone'>
export type Shape =
  | { is: 'row'; y: number; look: 'lane' | 'selected' }
  | { is: 'bar'; x: number; y: number; width: number; hue: Hue }
  /** A call of a model: before its first token, or where it failed. */
  | { is: 'call' | 'failure'; x: number; y: number; width: number; hue: Hue }
  | { is: 'wait' | 'path'; x: number; y: number; width: number }
  | { is: 'gap'; x: number; width: number }
  | { is: 'grid' | 'now'; x: number }
  /** share: of the time, 0 to 1 */
  | { is: 'sum'; x: number; y: number; width: number; hue: Hue; share: number }

/** mark: 'state', or which wait of the bar; most: the room for it; end: its right edge is at x; isShort: faces or an icon alone */
export type Label = {
  key: string
  mark: 'state' | number
  x: number
  most: number
  edge: 'start' | 'end'
  isShort: boolean
}
export type Drawing = { shapes: readonly Shape[]; labels: readonly Label[] }

/** height: of a row; from, columnMs: of the sums of lanes; selected: the bar that is inspected */
export type Picture = {
  scale: TimeScale
  marks: AxisMarks
  height: number
  now: number
  from: number
  columnMs: number
  isPathShown: boolean
  /** The axis ends now. */
  isOpenEnded: boolean
  selected: string | null
}

/** Room beside the first and the last time, where edges and words are whole. */
export const PAD = { start: 6, end: 18 } as const
export const BAR_PX = 18
export const SUM_PX = 9
/** A bar of no length is seen. */
const LEAST_PX = 3
const WORD_PX = 64
const ICON_PX = 22
/** A wait that is shorter has no face. */
const FACE_PX = 40
/** Of a wait with names and time: so many more for each face. */
const NAMES_PX = 84
const EACH_FACE_PX = 24

const hueOf = (chip: Chip): Hue => (chip === 'redone' ? 'idle' : chip)
const topOf = (index: number, { height }: Picture): number => index * height

/** in: rows of the window from the top down; first: the one at the upper edge of the drawing */
export function drawingOf(rows: readonly RowModel[], picture: Picture): Drawing {
  const { scale, marks, now } = picture
  const [below, shapes]: [Shape[], Shape[]] = [[], []]
  const labels: Label[] = []
  rows.forEach((row, index) => {
    const y = topOf(index, picture)
    if (row.kind === 'lane') {
      below.push({ is: 'row', y, look: 'lane' })
      shapes.push(...laneShapes(row.lane, y, picture))
      return
    }
    if (row.bar === null) return
    if (row.bar.id === picture.selected) below.push({ is: 'row', y, look: 'selected' })
    const span = spanOf(row.bar)
    if (span === null || !isInSight(span.from, span.to ?? now, scale)) return
    shapes.push(...barShapes(row.bar, y, picture))
    labels.push(...labelsOf(row.key, row.bar, picture))
  })
  for (const { from, to } of marks.gaps) below.push({ is: 'gap', x: from, width: to - from })
  for (const { x } of marks.ticks) below.push({ is: 'grid', x })
  const end = scale.xOf(now)
  if (picture.isOpenEnded && end <= scale.width + 1) shapes.push({ is: 'now', x: end })
  return { shapes: [...below, ...shapes], labels }
}

const isInSight = (from: number, to: number, { xOf, width }: TimeScale): boolean =>
  xOf(to) >= -PAD.start && xOf(from) <= width + PAD.end

/** Cut at the edges, as canvases draw long lines badly. */
function cut(from: number, to: number, { xOf, width }: TimeScale): { x: number; width: number } | null {
  const [left, right] = [Math.max(-PAD.start - 2, xOf(from)), Math.min(width + PAD.end + 2, xOf(to))]
  return right < -PAD.start || left > width + PAD.end || right < left ? null : { x: left, width: right - left }
}

function barShapes(bar: TimelineBar, y: number, { scale, height, now, isPathShown }: Picture): Shape[] {
  const hue = hueOf(bar.chip)
  const top = y + (height - BAR_PX) / 2
  const shapes: Shape[] = []
  const underline = top + BAR_PX + 2
  const path = (from: number, to: number): void => {
    const place = isPathShown ? cut(from, to, scale) : null
    if (place) shapes.push({ is: 'path', x: place.x, y: underline, width: Math.max(LEAST_PX, place.width) })
  }
  for (const { from, to } of bar.waits) {
    const place = cut(from, to ?? now, scale)
    if (place) shapes.push({ is: 'wait', ...place, y: y + height / 2 })
  }
  for (const { from, to } of workedParts(bar, now)) {
    const place = cut(from, to, scale)
    if (place) shapes.push({ is: 'bar', x: place.x, y: top, width: Math.max(LEAST_PX, place.width), hue })
    if (bar.onPath) path(from, to)
  }
  for (const { from, to, onPath } of bar.waits) if (onPath) path(from, to ?? now)
  for (const call of bar.calls) {
    const before = cut(call.from, call.first ?? call.to, scale)
    if (before && before.width >= 1) shapes.push({ is: 'call', ...before, y: top, hue })
    const end = call.isFailed ? cut(call.to, call.to, scale) : null
    if (end) shapes.push({ is: 'failure', x: end.x, width: 2, y: top, hue: 'failed' })
  }
  return shapes
}

/** The sums of a lane for all time, and what goes on in it. */
function laneShapes(lane: TimelineLane, y: number, picture: Picture): Shape[] {
  const { scale, height, from, columnMs, now } = picture
  const hue: Hue = lane.chip === 'done' || lane.chip === 'failed' ? lane.chip : 'running'
  const top = y + (height - SUM_PX) / 2
  const shapes: Shape[] = []
  const { busy } = lane
  const first = Math.max(0, Math.floor((scale.timeAt(0) - from) / columnMs))
  const last = Math.min(busy.length - 1, Math.floor((scale.timeAt(scale.width) - from) / columnMs))
  // Columns of one value beside each other are one shape: beside each other they would show their edges.
  for (let at = first; at <= last; ) {
    let end = at
    while (end < last && busy[end + 1] === busy[at]) end += 1
    const place = busy[at] === '0' ? null : cut(from + at * columnMs, Math.min(now, from + (end + 1) * columnMs), scale)
    if (place) shapes.push({ is: 'sum', ...place, y: top, hue, share: Number(busy[at]) / 9 })
    at = end + 1
  }
  if (lane.waitingSince !== null) {
    const place = cut(lane.waitingSince, now, scale)
    if (place) shapes.push({ is: 'wait', ...place, y: y + height / 2 })
  }
  return shapes
}

/** Beside failed bars the state is said even where it has no room inside. */
const isStuck = ({ chip }: TimelineBar): boolean => chip === 'failed' || chip === 'blocked'

function labelsOf(key: string, bar: TimelineBar, { scale, now }: Picture): Label[] {
  const labels: Label[] = []
  bar.waits.forEach((wait, mark) => {
    const place = cut(wait.from, wait.to ?? now, scale)
    if (place && place.width >= FACE_PX)
      labels.push({
        key,
        mark,
        x: place.x + place.width - 6,
        most: place.width - 12,
        edge: 'end',
        isShort: place.width < NAMES_PX + EACH_FACE_PX * wait.on.length,
      })
  })
  const widest = workedParts(bar, now)
    .flatMap(({ from, to }) => cut(from, to, scale) ?? [])
    .reduce<{ x: number; width: number } | null>((most, one) => (most && most.width >= one.width ? most : one), null)
  if (widest === null) return labels
  if (widest.width >= (isStuck(bar) ? WORD_PX + 8 : WORD_PX))
    labels.push({
      key,
      mark: 'state',
      x: Math.max(0, widest.x) + 4,
      most: widest.width - 8,
      edge: 'start',
      isShort: false,
    })
  else if (widest.width >= ICON_PX && !isStuck(bar))
    labels.push({ key, mark: 'state', x: Math.max(0, widest.x) + 4, most: ICON_PX - 6, edge: 'start', isShort: true })
  else if (isStuck(bar) && labels.length === 0 && widest.x + widest.width + WORD_PX < scale.width)
    labels.push({
      key,
      mark: 'state',
      x: widest.x + widest.width + 6,
      most: WORD_PX + 16,
      edge: 'start',
      isShort: false,
    })
  return labels
}
