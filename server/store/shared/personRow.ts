/** Decides about conflicts when a personal row is written. */
import type { PersonRow } from '../interfaces'

/** value null: removed; the version stays, so that a page with an older one still notices. Texts are JSON. */
export type KeptRow = { value: string | null; version: number; other: string | null; at: number }

/** kept null: nothing to write */
export type PutDecision = { kept: KeptRow | null; ok: boolean; row: KeptRow }

export function decidePut(row: KeptRow | null, value: string, expectedVersion: number | null, at: number): PutDecision {
  if (!row || row.value === null) {
    const version = (row ? row.version : (expectedVersion ?? 0)) + 1
    return written({ value, version, other: null, at })
  }
  if (row.value === value) return { kept: null, ok: true, row }
  if (row.version === expectedVersion) return written({ value, version: row.version + 1, other: row.other, at })
  const kept = { ...row, other: value }
  return { kept, ok: false, row: kept }
}

export function decideRemove(row: KeptRow | null, expectedVersion: number | undefined, at: number): PutDecision | null {
  if (!row || row.value === null) return null
  if (expectedVersion !== undefined && row.version !== expectedVersion) return { kept: null, ok: false, row }
  return written({ value: null, version: row.version + 1, other: null, at })
}

/** The row for a person's page; null if removed. */
export function seenRow(key: string, row: KeptRow | null): PersonRow | null {
  return row && row.value !== null ? presentRow(key, row) : null
}

export function presentRow(key: string, row: KeptRow): PersonRow {
  return {
    key,
    value: parse(row.value),
    version: row.version,
    at: row.at,
    ...(row.other === null ? {} : { other: parse(row.other) }),
  }
}

function written(row: KeptRow): PutDecision {
  return { kept: row, ok: true, row }
}

function parse(text: string | null): unknown {
  return text === null ? null : JSON.parse(text)
}
