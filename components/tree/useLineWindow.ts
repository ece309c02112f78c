/** The window of lines. All lines have one height: positions are computed, and no layout is read for them. */
import { type RefObject, useCallback, useLayoutEffect, useReducer, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { TreeLineModel } from './model/treeModel'

export type LineWindow = {
  scroller: RefObject<HTMLDivElement | null>
  /** Pixels: from the first line to the window, the window's height (0 before it is drawn), the height of all lines. */
  top: number
  room: number
  total: number
  /** Place of the first line in the window, and the number of lines in it. */
  first: number
  count: number
  /** Scroll so far that this line is in the window and nothing is pinned over it; not at all if it is. */
  scrollTo: (place: number) => void
}

/** By how many lines what is read has moved; top: the first line in the window before; count: of lines in the window. */
type ShiftOf<Lines> = (before: Lines, after: Lines, top: number, count: number) => number

/**
 * in      height: of a line, in pixels; mostPinned: lines at the top of the window that may cover others
 */
export function useLineWindow<Lines extends { length: number }>(
  lines: Lines,
  height: number,
  shiftOf: ShiftOf<Lines>,
  mostPinned: number,
): LineWindow {
  const scroller = useRef<HTMLDivElement>(null)
  const [, draw] = useReducer((times: number) => times + 1, 0)
  const seen = useRef({ lines, top: 0, room: 0 })
  const hasMoved = useRef(false)
  const before = seen.current
  if (before.lines !== lines) {
    // Lines that appear or disappear above the window leave what is read where it is.
    const shift = shiftOf(before.lines, lines, Math.floor(before.top / height), Math.ceil(before.room / height))
    const last = Math.max(0, lines.length * height - before.room)
    const top = Math.max(0, Math.min(last, before.top + shift * height))
    hasMoved.current ||= top !== before.top
    seen.current = { ...before, lines, top }
  }
  // Joins the scroll position of lines that have moved.
  useLayoutEffect(() => {
    if (hasMoved.current && scroller.current) scroller.current.scrollTop = seen.current.top
    hasMoved.current = false
  })
  // Joins scrolling and the size of the pane: other lines are drawn before the next frame.
  useLayoutEffect(() => {
    const pane = scroller.current
    if (!pane) return
    /** out: whether other lines are in the window now */
    const look = (): boolean => {
      const { top, room } = seen.current
      seen.current = { ...seen.current, top: pane.scrollTop, room: pane.clientHeight }
      return Math.floor(top / height) !== Math.floor(seen.current.top / height) || room !== seen.current.room
    }
    const drawNow = (): void => {
      if (look()) flushSync(draw)
    }
    if (look()) draw()
    const observer = new ResizeObserver(drawNow)
    observer.observe(pane)
    pane.addEventListener('scroll', drawNow, { passive: true })
    return () => {
      observer.disconnect()
      pane.removeEventListener('scroll', drawNow)
    }
  }, [height])

  const scrollTo = useCallback(
    (place: number): void => {
      const pane = scroller.current
      if (pane === null || place < 0) return
      const { top, room } = seen.current
      const [highest, lowest] = [(place - mostPinned) * height, (place + 1) * height - room]
      const to = highest < top ? Math.max(0, highest) : Math.max(top, lowest)
      if (to !== top) pane.scrollTop = to
    },
    [height, mostPinned],
  )
  const { top, room } = seen.current
  const [first, end] = [Math.floor(top / height), Math.ceil((top + room) / height)]
  return { scroller, top, room, total: lines.length * height, first, count: end - first, scrollTo }
}

const idAt = (lines: readonly TreeLineModel[], at: number): string | undefined => lines[at]?.node.id

/**
 * The same for lines of a tree.
 *
 * out     the first line of the window that is still there decides; where none is, the nearest one above it
 */
export function treeShift(
  before: readonly TreeLineModel[],
  after: readonly TreeLineModel[],
  top: number,
  count: number,
): number {
  const first = idAt(before, top)
  if (first === undefined || first === idAt(after, top)) return 0
  const now = after.findIndex(({ node }) => node.id === first)
  if (now >= 0) return now - top
  const places = new Map(after.map(({ node }, at) => [node.id, at]))
  const placeOf = (at: number): number | undefined => places.get(idAt(before, at) ?? '')
  for (let at = top + 1; at < Math.min(top + count, before.length); at++) {
    const place = placeOf(at)
    if (place !== undefined) return place - at
  }
  for (let at = top - 1; at >= 0; at--) {
    const place = placeOf(at)
    if (place !== undefined) return place - top
  }
  return 0
}
