/**
 * The position of each rendered line. One new step moves all lines below it; set here, that costs a few attributes and no drawing
 * (35 elements a line).
 */
import { type RefObject, useLayoutEffect } from 'react'
import type { TreeLineModel } from './model/treeModel'

/** One rendered line: its index in `lines`, pixels from their top; isPinned: it is at the top of the window instead. */
type Placed = { index: number; start: number; isPinned: boolean }

/** What was set last on a row: reading its attributes again takes longer. */
const placedRows = new WeakMap<HTMLElement, string>()

export function useRowPlaces(
  group: RefObject<HTMLElement | null>,
  lines: readonly TreeLineModel[],
  placed: readonly Placed[],
): void {
  // Joins the drawn rows, before they are painted.
  useLayoutEffect(() => {
    const rows = group.current?.children ?? []
    placed.forEach(({ index, start, isPinned }, at) => {
      const [row, line] = [rows[at], lines[index]]
      if (!(row instanceof HTMLElement) || line === undefined) return
      const transform = isPinned ? '' : `translateY(${start}px)`
      const place = `${index} ${line.place} ${line.of} ${transform}`
      if (placedRows.get(row) === place) return
      placedRows.set(row, place)
      row.setAttribute('aria-rowindex', String(index + 1))
      row.setAttribute('aria-posinset', String(line.place))
      row.setAttribute('aria-setsize', String(line.of))
      row.style.transform = transform
    })
  })
}
