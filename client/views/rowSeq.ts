/** The last entry that changed a row, for `data-seq`, which tests wait on. Kept beside the row, since equal rows keep their identity. */
import type { AnyRow } from '@/lib/wire/rows'

const seqs = new WeakMap<object, number>()

export const noteRowSeq = (row: AnyRow, seq: number): void => {
  seqs.set(row, seq)
}

/** undefined: not a row of a view. */
export const rowSeq = (row: unknown): number | undefined =>
  typeof row === 'object' && row !== null ? seqs.get(row) : undefined
