/**
 * The last entry that changed a row of a view, as far as this page saw: for `data-seq`, which tests wait on.
 *
 * A row that did not change keeps its identity, so its number is kept beside it.
 */
import type { AnyRow } from '@/lib/wire/rows'

const seqs = new WeakMap<object, number>()

export const noteRowSeq = (row: AnyRow, seq: number): void => {
  seqs.set(row, seq)
}

/** undefined: it is no row of a view. */
export const rowSeq = (row: unknown): number | undefined =>
  typeof row === 'object' && row !== null ? seqs.get(row) : undefined
