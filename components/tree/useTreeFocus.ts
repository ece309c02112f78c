/** The window of lines and the one line with the focus. */
import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useId, useLayoutEffect, useRef, useState } from 'react'
import { shiftOf } from './model/anchor'
import { ancestorsOf, MOST_PINNED, pinnedLines } from './model/treeModel'
import type { TreeData } from './useTreeData'

export type TreeFocus = {
  scroller: RefObject<HTMLDivElement | null>
  virtualizer: Virtualizer<HTMLDivElement, Element>
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
  /** Scroll so far that this line is in the window and nothing is pinned over it; not at all if it is. */
  scrollTo: (place: number) => void
  /** Give a line the focus as soon as it is drawn. */
  focusWhenDrawn: (id: string) => void
}

export const lineIndex = (lines: TreeData['lines'], id: string | null): number =>
  id === null ? -1 : lines.findIndex((line) => line.node.id === id)

/** Lines that are drawn above and below the window: while somebody scrolls the next ones are there, and each costs 35 elements. */
const OVERSCAN = 6

/** height: of a line, in pixels. */
export function useTreeFocus({ tree, lines, turn }: TreeData, height: number): TreeFocus {
  const base = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<string | null>(null)
  const awaited = useRef<string | null>(null)
  const tabPlace = Math.max(lineIndex(lines, current), 0)
  const pinned = useRef<readonly number[]>([])
  const drawn = useRef<{ lines: TreeData['lines']; virtualizer: Virtualizer<HTMLDivElement, Element> } | null>(null)
  const before = drawn.current
  const offset = before?.virtualizer.scrollOffset ?? null
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    // Lines that come above the window leave what is read where it is, and are not drawn.
    anchorTo: 'end',
    getItemKey: (index) => lines[index]?.node.id ?? index,
    // The line with the focus stays mounted when it scrolls away; the focus would fall to the page.
    rangeExtractor: (range: Range) => {
      pinned.current = pinnedLines(lines, range.startIndex)
      const kept = [...pinned.current, ...(tabPlace < lines.length ? [tabPlace] : [])]
      return [...new Set([...kept, ...defaultRangeExtractor(range)])].sort((a, b) => a - b)
    },
  })
  // Joins the virtualiser, which keeps measured sizes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height is another layout.
  useLayoutEffect(() => virtualizer.measure(), [height])

  // All lines have one height, so no layout is read; the virtualiser's own way reads it again for several frames.
  const scrollTo = useCallback(
    (place: number): void => {
      const pane = virtualizer.scrollElement
      if (pane === null || place < 0) return
      const [from, room] = [virtualizer.scrollOffset ?? 0, virtualizer.scrollRect?.height ?? 0]
      const [top, bottom] = [(place - MOST_PINNED) * height, (place + 1) * height - room]
      const to = top < from ? Math.max(0, top) : Math.max(from, bottom)
      if (to !== from) pane.scrollTop = to
    },
    [virtualizer, height],
  )

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
  const moved = useRef(0)
  if (before !== null && before.lines !== lines && offset !== null) {
    // The virtualiser sees lines come or go only when their number or the outermost changes, and knows no other line to go by
    // when the first in the window is gone: a list that loses its oldest step with each new one.
    const [top, count] = [Math.floor(offset / height), Math.ceil((virtualizer.scrollRect?.height ?? 0) / height)]
    const last = virtualizer.getTotalSize() - (virtualizer.scrollRect?.height ?? 0)
    const to = Math.max(0, Math.min(last, offset + shiftOf(before.lines, lines, top, count) * height))
    moved.current += to - (virtualizer.scrollOffset ?? to)
    virtualizer.scrollOffset = to
  }
  drawn.current = { lines, virtualizer }
  // Joins the scroll position, after the virtualiser, which sets it to where the window is when it moved the window itself.
  useLayoutEffect(() => {
    const by = moved.current
    moved.current = 0
    const pane = virtualizer.scrollElement
    if (pane === null || by === 0 || Math.abs(pane.scrollTop - (virtualizer.scrollOffset ?? 0)) < 1) return
    pane.scrollTop += by
  })
  // The lines in the window are chosen first: that sets which of them are pinned.
  virtualizer.getVirtualItems()
  return {
    scroller,
    virtualizer,
    current,
    setCurrent,
    tabPlace,
    pinned: pinned.current,
    elementId,
    reveal,
    scrollTo,
    focusWhenDrawn,
  }
}
