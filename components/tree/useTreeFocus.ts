/** The drawn lines and the one line with the focus. */
import { useCallback, useId, useLayoutEffect, useRef, useState } from 'react'
import { ancestorsOf, MOST_PINNED, pinnedLines } from './model/treeModel'
import { type LineWindow, treeShift, useLineWindow } from './useLineWindow'
import type { TreeData } from './useTreeData'

export type TreeFocus = {
  lineWindow: LineWindow
  /** Places of the lines to draw, from the top down. */
  drawn: readonly number[]
  /** The line with the focus; null before there was one. */
  current: string | null
  setCurrent: (id: string) => void
  /** Place of the line that is a tab stop. */
  tabPlace: number
  /** Places of the lines that stay at the top: the stage and the member of the steps below them. */
  pinned: readonly number[]
  /** Id of a line's element. */
  elementId: (id: string) => string
  /** Open what hides a line and scroll to it; isFocused: give it the focus. */
  reveal: (id: string, isFocused: boolean) => void
  /** Give a line the focus as soon as it is drawn. */
  focusWhenDrawn: (id: string) => void
}

export const lineIndex = (lines: TreeData['lines'], id: string | null): number =>
  id === null ? -1 : lines.findIndex((line) => line.node.id === id)

/** Lines that are drawn above and below the window: while somebody scrolls the next ones are there. */
const OVERSCAN = 6

/** height: of a line, in pixels. */
export function useTreeFocus({ tree, lines, turn }: TreeData, height: number): TreeFocus {
  const base = useId()
  const [current, setCurrent] = useState<string | null>(null)
  const awaited = useRef<string | null>(null)
  const lineWindow = useLineWindow(lines, height, treeShift, MOST_PINNED)
  const { first, count, room, scrollTo } = lineWindow
  const tabPlace = Math.max(lineIndex(lines, current), 0)
  const pinned = pinnedLines(lines, first)
  const places = Array.from({ length: count + 2 * OVERSCAN }, (_, at) => first - OVERSCAN + at)
  // The line with the focus stays mounted when it scrolls away; the focus would fall to the page. A hidden pane has no lines.
  const drawn = [...new Set(room === 0 ? [] : [...pinned, tabPlace, ...places])]
    .filter((place) => place >= 0 && place < lines.length)
    .sort((a, b) => a - b)

  const elementId = (id: string): string => `${base}-${id}`
  const reveal = useCallback(
    (id: string, isFocused: boolean) => {
      const above = ancestorsOf(tree, id)
      if (above.length > 0) turn(above, true)
      setCurrent(id)
      awaited.current = isFocused ? id : null
      scrollTo(lineIndex(lines, id))
    },
    [tree, lines, turn, scrollTo],
  )
  const focusWhenDrawn = useCallback((id: string) => {
    setCurrent(id)
    awaited.current = id
  }, [])

  // Joins the browser's focus: a line that was hidden or far away can take it only after it is drawn.
  useLayoutEffect(() => {
    const id = awaited.current
    const at = lineIndex(lines, id)
    if (id === null || at < 0) return
    const element = document.getElementById(elementId(id))
    if (element) {
      awaited.current = null
      element.focus({ preventScroll: true })
    }
    scrollTo(at)
  })
  return { lineWindow, drawn, current, setCurrent, tabPlace, pinned, elementId, reveal, focusWhenDrawn }
}
