/** The window of lines and the one line with the focus. */
import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useId, useLayoutEffect, useRef, useState } from 'react'
import { ancestorsOf } from './treeModel'
import type { TreeData } from './useTreeData'

export type TreeFocus = {
  scroller: RefObject<HTMLDivElement | null>
  virtualizer: Virtualizer<HTMLDivElement, Element>
  /** The line with the focus; null before there was one. */
  current: string | null
  setCurrent: (id: string) => void
  /** Place of the line that is a tab stop. */
  tabPlace: number
  /** Id of a line's element. */
  elementId: (id: string) => string
  /** Open what hides a line and scroll to it; isFocused: give it the focus. */
  reveal: (id: string, isFocused: boolean) => void
  /** Give a line the focus as soon as it is drawn. */
  focusWhenDrawn: (id: string) => void
}

export const lineIndex = (lines: TreeData['lines'], id: string | null): number =>
  id === null ? -1 : lines.findIndex((line) => line.node.id === id)

/** height: of a line, in pixels. */
export function useTreeFocus({ tree, lines, turn }: TreeData, height: number): TreeFocus {
  const base = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<string | null>(null)
  const awaited = useRef<string | null>(null)
  const tabPlace = Math.max(lineIndex(lines, current), 0)
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
    getItemKey: (index) => lines[index]?.node.id ?? index,
    // The line with the focus stays mounted when it scrolls away; the focus would fall to the page.
    rangeExtractor: (range: Range) => {
      const shown = defaultRangeExtractor(range)
      return shown.includes(tabPlace) || tabPlace >= lines.length ? shown : [...shown, tabPlace].sort((a, b) => a - b)
    },
  })
  // Joins the virtualiser, which keeps measured sizes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height is another layout.
  useLayoutEffect(() => virtualizer.measure(), [height])

  const elementId = (id: string): string => `${base}-${id}`
  const reveal = useCallback(
    (id: string, isFocused: boolean) => {
      const above = ancestorsOf(tree, id)
      if (above.length > 0) turn(above, true)
      setCurrent(id)
      awaited.current = isFocused ? id : null
      const at = lineIndex(lines, id)
      if (at >= 0) virtualizer.scrollToIndex(at, { align: 'auto' })
    },
    [tree, lines, turn, virtualizer],
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
    virtualizer.scrollToIndex(at, { align: 'auto' })
  })
  return { scroller, virtualizer, current, setCurrent, tabPlace, elementId, reveal, focusWhenDrawn }
}
