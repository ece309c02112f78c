/**
 * Where each drawn line stands. One new step moves all lines below it; set here, that costs a few attributes and no drawing
 * (35 elements a line).
 */
import { type RefObject, useLayoutEffect } from 'react'
import type { TreeLineModel } from './model/treeModel'

/** One drawn line: its place in `lines`, pixels from their top; isPinned: it stands at the top of the window instead. */
export type Placed = { index: number; start: number; isPinned: boolean }

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
      place(row, 'aria-rowindex', index + 1)
      place(row, 'aria-posinset', line.place)
      place(row, 'aria-setsize', line.of)
      const transform = isPinned ? '' : `translateY(${start}px)`
      if (row.style.transform !== transform) row.style.transform = transform
    })
  })
}

function place(row: HTMLElement, name: string, value: number): void {
  if (row.getAttribute(name) !== String(value)) row.setAttribute(name, String(value))
}
