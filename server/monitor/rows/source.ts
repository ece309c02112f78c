/** What computes the rows of one row view for one class of viewers. */
import type { World } from '@/lib/mas/records'
import { isSameList } from '@/lib/memo'
import type { AnyRow, RowId } from '@/lib/wire/rows'

/** The same row object as the last time while `deps` are the same; an id is used once per computation. */
export type KeepRow = <R extends AnyRow>(id: RowId, deps: readonly unknown[], make: () => R) => AnyRow

export type RowSource = {
  /** What it reads: while all are === nothing can have changed. */
  inputs: (world: World) => readonly unknown[]
  rows: (world: World, keep: KeepRow) => AnyRow[]
}

/** Keeps rows from one computation to the next. `turn` ends a computation: what it did not ask for is forgotten. */
export function createKeeper(): { keep: KeepRow; turn: () => void } {
  type Kept = Map<RowId, { deps: readonly unknown[]; row: AnyRow }>
  let [last, next]: [Kept, Kept] = [new Map(), new Map()]
  return {
    keep: (id, deps, make) => {
      const old = last.get(id)
      const row = old && isSameList(old.deps, deps) ? old.row : make()
      next.set(id, { deps, row })
      return row
    },
    turn: () => {
      last = next
      next = new Map()
    },
  }
}

/** A number as text that sorts as the number does, up to 15 digits. */
export const padded = (value: number): string => String(Math.max(0, Math.round(value))).padStart(15, '0')
/** The same, the highest first. */
export const paddedDown = (value: number): string => padded(999_999_999_999_999 - value)
