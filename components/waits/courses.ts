/** Where the lines of the graph run, and the place of each one's wait: none covers another or a box. Pure. */
import type { GraphEdge, GraphGroup, GraphNode } from './layout'

/** In sixteenths of a rem, so that the picture scales with the text. */
export const BOX = { width: 200, height: 50, gapX: 112, gapY: 24 } as const
/** The longest wait that is written: "23 h 59 m". */
export const LABEL = { width: 64, height: 18 } as const
const PAD = 20
/** Distance from the middle of the two lines of a pair that waits for each other. */
const TWIN = 11
/** Room below the boxes for lines that lead back. */
const LOOP = 24

export const leftOf = (node: GraphNode): number => PAD + node.column * (BOX.width + BOX.gapX)
export const topOf = (node: GraphNode): number => PAD + node.line * (BOX.height + BOX.gapY)
const middleOf = (node: GraphNode): number => topOf(node) + BOX.height / 2
const bottomOf = (lines: number): number => PAD + lines * BOX.height + (lines - 1) * BOX.gapY

type Point = { x: number; y: number }
export type Course = GraphEdge & {
  path: string
  /** The middle of its label. */
  label: Point
  /** The tip of the arrow, and its direction in degrees: 0 is to the right. */
  tip: Point & { turn: number }
}
/** along: places for its label, the best first. */
type Line = Pick<Course, 'path' | 'tip'> & { along: readonly Point[] }

export function pictureSize(group: GraphGroup): { width: number; height: number } {
  const hasLoop = group.edges.some((edge) => edge.isBack && !isPair(group, edge))
  const labels = coursesOf(group).map(({ label }) => label)
  return {
    width: Math.max(
      PAD * 2 + group.columns * BOX.width + (group.columns - 1) * BOX.gapX,
      ...labels.map(({ x }) => x + LABEL.width / 2),
    ),
    height: Math.max(
      bottomOf(group.lines) + PAD + (hasLoop ? LOOP : 0),
      ...labels.map(({ y }) => y + LABEL.height / 2),
    ),
  }
}

/** The course of each edge whose ends are drawn, in their order. */
export function coursesOf(group: GraphGroup): Course[] {
  const boxes = group.nodes.map((node) => ({ x: leftOf(node), y: topOf(node), ...BOX }))
  const taken: Area[] = []
  return group.edges.flatMap((edge) => {
    const from = group.nodes.find((node) => node.id === edge.from)
    const to = group.nodes.find((node) => node.id === edge.to)
    if (!from || !to) return []
    const { along, ...line } = lineOf(group, edge, from, to)
    const label = freePlace(along, boxes, taken)
    taken.push(areaOf(label))
    return [{ ...edge, ...line, label }]
  })
}

type Area = { x: number; y: number; width: number; height: number }
const areaOf = ({ x, y }: Point): Area => ({ x: x - LABEL.width / 2, y: y - LABEL.height / 2, ...LABEL })
export const overlaps = (a: Area, b: Area): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** The first of the places, each also a little above and below, that is free; where all are taken, below the last. */
function freePlace(places: readonly Point[], boxes: readonly Area[], taken: readonly Area[]): Point {
  const isFree = (point: Point): boolean =>
    point.y >= LABEL.height / 2 && ![...boxes, ...taken].some((area) => overlaps(areaOf(point), area))
  for (const shift of [0, -LABEL.height, LABEL.height]) {
    const free = places.map(({ x, y }) => ({ x, y: y + shift })).find(isFree)
    if (free) return free
  }
  let last = places.at(-1) ?? { x: LABEL.width / 2, y: 0 }
  while (!isFree(last)) last = { x: last.x, y: last.y + LABEL.height / 2 }
  return last
}

/** Two that wait for each other, side by side: both lines are straight. */
const isPair = (group: GraphGroup, edge: GraphEdge): boolean =>
  group.edges.some((other) => other.from === edge.to && other.to === edge.from)

/** Shares of a line at which its label may be: near the middle first. */
const SHARES = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8] as const
const between = (from: Point, to: Point): Point[] =>
  SHARES.map((share) => ({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }))

/** The line from box to box, ending a little before it. */
function lineOf(group: GraphGroup, edge: GraphEdge, from: GraphNode, to: GraphNode): Line {
  if (from.id === to.id) return ownLine(from)
  if (!edge.isBack) return forwardLine(group, edge, from, to)
  return isPair(group, edge) ? twinLine(from, to) : backLine(group, from, to)
}

function ownLine(node: GraphNode): Line {
  const [x, y] = [leftOf(node) + BOX.width, middleOf(node)]
  return {
    path: `M${x} ${y - 10}c44 -22 44 42 6 22`,
    along: [{ x: x + 42 + LABEL.width / 2, y }],
    tip: { x: x + 4, y: y + 11, turn: 200 },
  }
}

/** Below the other line of the pair. */
function twinLine(from: GraphNode, to: GraphNode): Line {
  const [start, end] = [
    { x: leftOf(from), y: middleOf(from) + TWIN },
    { x: leftOf(to) + BOX.width + 4, y: middleOf(to) + TWIN },
  ]
  return {
    path: `M${start.x} ${start.y}L${end.x} ${end.y}`,
    along: between(start, end).map(({ x, y }) => ({ x, y: y + 14 })),
    tip: { ...end, turn: 180 },
  }
}

/** Below all boxes. */
function backLine(group: GraphGroup, from: GraphNode, to: GraphNode): Line {
  const below = bottomOf(group.lines) + 18
  const [x1, x2] = [leftOf(from) + BOX.width / 2, leftOf(to) + BOX.width / 2]
  const end = { x: x2, y: topOf(to) + BOX.height + 4 }
  return {
    path: `M${x1} ${topOf(from) + BOX.height}V${below - 8}q0 8 -8 8H${x2 + 8}q-8 0 -8 -8V${end.y}`,
    along: between({ x: x1, y: below }, { x: x2, y: below }),
    tip: { ...end, turn: -90 },
  }
}

function forwardLine(group: GraphGroup, edge: GraphEdge, from: GraphNode, to: GraphNode): Line {
  const twin = isPair(group, edge) ? TWIN : 0
  // Lines from one box to several begin one below the other.
  const siblings = group.edges.filter((one) => one.from === edge.from && !one.isBack)
  const shift = (siblings.indexOf(edge) - (siblings.length - 1) / 2) * 12 - twin
  const [x1, y1] = [leftOf(from) + BOX.width, middleOf(from) + shift]
  const [x2, y2] = [leftOf(to) - 4, middleOf(to) - twin]
  const tip = { x: x2, y: y2, turn: 0 }
  /** In the gap after its own box: there it is the only line, or one of few. */
  const atStart = [0.45, 0.6, 0.35].map((share) => ({ x: x1 + BOX.gapX * share, y: y1 - 10 }))
  // It bends in the last gap, so that it crosses no box in between.
  const bend = x2 - BOX.gapX + 4
  if (isBarred(group, from, to)) {
    // Behind a box it would seem to begin at that box: it runs below the row of boxes.
    const under = topOf(from) + BOX.height + BOX.gapY / 2
    const down = `M${x1} ${y1}C${x1 + 48} ${y1} ${x1 + 40} ${under} ${x1 + 88} ${under}`
    const up = `C${bend + 56} ${under} ${x2 - 64} ${y2} ${x2 - 12} ${y2}`
    return {
      path: `${down}H${bend}${up}H${x2}`,
      along: [
        { x: x1 + BOX.gapX + BOX.width / 2, y: under },
        ...between({ x: x1 + 88, y: under }, { x: bend, y: under }),
      ],
      tip,
    }
  }
  if (Math.abs(y1 - y2) < 1) return { path: `M${x1} ${y1}H${x2}`, along: atStart, tip }
  const start = Math.max(x1, bend)
  const curve = between({ x: start, y: y1 }, { x: x2, y: y2 })
  return {
    path: `M${x1} ${y1}H${start}C${bend + 56} ${y1} ${x2 - 64} ${y2} ${x2 - 12} ${y2}H${x2}`,
    along: bend > x1 ? [...between({ x: x1, y: y1 }, { x: bend, y: y1 }), ...curve] : [...atStart, ...curve],
    tip,
  }
}

/** Whether another member's box is between the two, in the row of the first. */
const isBarred = (group: GraphGroup, from: GraphNode, to: GraphNode): boolean =>
  group.nodes.some(({ line, column }) => line === from.line && column > from.column && column < to.column)
