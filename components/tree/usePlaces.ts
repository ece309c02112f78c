/**
 * The position of each drawn line. One new step moves all lines below it; set here, that costs a few attributes and no
 * rendering.
 */
import { type RefObject, useLayoutEffect } from 'react'
import type { TreeLineModel } from './model/treeModel'
import type { TreeFocus } from './useTreeFocus'

/** What was set last on a row: reading its attributes again takes longer. */
const placedRows = new WeakMap<HTMLElement, string>()

/** height: of a line, in pixels */
export function useRowPlaces(
  group: RefObject<HTMLElement | null>,
  lines: readonly TreeLineModel[],
  { drawn, pinned }: Pick<TreeFocus, 'drawn' | 'pinned'>,
  height: number,
): void {
  // Joins the drawn rows, before they are painted.
  useLayoutEffect(() => {
    const rows = group.current?.children ?? []
    drawn.forEach((place, at) => {
      const [row, line] = [rows[at], lines[place]]
      if (!(row instanceof HTMLElement) || line === undefined) return
      const transform = pinned.includes(place) ? '' : `translateY(${place * height}px)`
      const placed = `${place} ${line.place} ${line.of} ${transform}`
      if (placedRows.get(row) === placed) return
      placedRows.set(row, placed)
      row.setAttribute('aria-rowindex', String(place + 1))
      row.setAttribute('aria-posinset', String(line.place))
      row.setAttribute('aria-setsize', String(line.of))
      row.style.transform = transform
    })
  })
}
