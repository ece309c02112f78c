/** What computes the rows of one row view for one class of viewers. */
import type { World } from '@/lib/mas/records'
import type { AnyRow } from '@/lib/wire/rows'

export type RowSource = {
  /** What it reads: while all are === and the mark is the same, nothing can have changed. */
  inputs: (world: World) => readonly unknown[]
  /** What it reads that takes longer to find: it is asked only while all inputs are the same. */
  mark?: (world: World) => string
  rows: (world: World) => readonly RowPart[]
}

/** A row, or a list of rows that change together: of the same list none has changed. */
export type RowPart = AnyRow | readonly AnyRow[]

/** Of the row that counts all of a view: it is the first. */
export const TOTALS = { id: '$', sort: '', kind: 'totals' } as const

/** A number as text that sorts as the number does, up to 15 digits. */
export const padded = (value: number): string => String(Math.max(0, Math.round(value))).padStart(15, '0')
/** The same, the highest first. */
export const paddedDown = (value: number): string => padded(999_999_999_999_999 - value)
