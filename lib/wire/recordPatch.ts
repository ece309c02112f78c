/** What changed in a record whose row the reader holds: a step is sent whole once, not again with each of its changes. */
import { isSameValue } from '../json'
import type { RecordRow } from './records'
import type { RowId } from './rows'

/**
 * The difference between two states of one record.
 *
 * id       of its row
 * fields   those whose value is another, each whole
 * without  those that the record no longer has; absent: none
 */
export type RecordPatch = { id: RowId; fields: Readonly<Record<string, unknown>>; without?: readonly string[] }

/** in: two states of a record. out: null: they say the same */
export function patchOf<Held extends object>(id: RowId, was: Held, is: Held): RecordPatch | null {
  const fields: Record<string, unknown> = {}
  for (const key in is) if (is[key] !== undefined && !isSameValue(was[key], is[key])) fields[key] = is[key]
  const without: string[] = []
  for (const key in was) if (was[key] !== undefined && is[key] === undefined) without.push(key)
  if (without.length > 0) return { id, fields, without }
  return Object.keys(fields).length > 0 ? { id, fields } : null
}

/** The row with its record as the patch leaves it. The patch must have been made from the state that the row has. */
export function patchedRow<Held extends RecordRow>(row: Held, { fields, without }: RecordPatch): Held {
  const record: Record<string, unknown> = { ...row.record, ...fields }
  for (const key of without ?? []) delete record[key]
  return { ...row, record }
}
