/** The drawn rows and the one row with the focus. */
import { useCallback, useId, useLayoutEffect, useRef, useState } from 'react'
import { type LineWindow, useLineWindow } from '@/components/tree/useLineWindow'
import { indexOf, keyOf, pinnedRow, placeAt, placeOfKey, rowShift, type TimelineRows } from './model/rows'

export type TimelineFocus = {
  rowWindow: LineWindow
  /** Indexes of the rows to draw, from the top down; from `first` on without gaps, as far as `drawnEnd`. */
  drawn: readonly number[]
  first: number
  count: number
  /** The row that is a tab stop. */
  current: number
  setCurrent: (key: string) => void
  /** The row that stays at the top: the member of the bars below it. */
  pinned: number | null
  elementId: (key: string) => string
  /** Scroll to a row; isFocused: give it the focus. */
  reveal: (index: number, isFocused: boolean) => void
}

/** TimelineRows that are drawn above and below the window: while somebody scrolls the next ones are there. */
const OVERSCAN = 6
const MOST_PINNED = 1

/** height: of a row, px */
export function useTimelineFocus(rows: TimelineRows, height: number): TimelineFocus {
  const base = useId()
  const [currentKey, setCurrent] = useState<string | null>(null)
  const awaited = useRef<string | null>(null)
  const rowWindow = useLineWindow(rows, height, rowShift, MOST_PINNED)
  const { room, scrollTo } = rowWindow
  const current = currentKey === null ? 0 : Math.max(0, indexOf(rows, placeOfKey(currentKey)))
  const first = Math.max(0, rowWindow.first - OVERSCAN)
  // A hidden pane has no rows.
  const count =
    room === 0 ? 0 : Math.max(0, Math.min(rows.length, rowWindow.first + rowWindow.count + OVERSCAN) - first)
  const pinned = room === 0 ? null : pinnedRow(rows, rowWindow.first)
  const inWindow = Array.from({ length: count }, (_, at) => first + at)
  // The row with the focus stays mounted when it scrolls away; the focus would fall to the page.
  const others = room === 0 || rows.length === 0 ? [] : [current, ...(pinned === null ? [] : [pinned])]
  const drawn = [...new Set([...inWindow, ...others])].sort((a, b) => a - b)

  const elementId = (key: string): string => `${base}-${key}`
  const reveal = useCallback(
    (index: number, isFocused: boolean) => {
      const place = placeAt(rows, index)
      if (place === null) return
      const key = keyOf(place)
      setCurrent(key)
      awaited.current = isFocused ? key : null
      scrollTo(index)
    },
    [rows, scrollTo],
  )
  // Joins the browser's focus: a row that was far away can take it only after it is drawn.
  useLayoutEffect(() => {
    const key = awaited.current
    if (key === null) return
    const element = document.getElementById(elementId(key))
    if (element === null) return
    awaited.current = null
    element.focus({ preventScroll: true })
    scrollTo(indexOf(rows, placeOfKey(key)))
  })
  return { rowWindow, drawn, first, count, current, setCurrent, pinned, elementId, reveal }
}
