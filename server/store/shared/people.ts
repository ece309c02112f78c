/** Personal rows over the tables of a store: drafts, read cursors, settings, and the conflicts of two writers. */
import type { People, PersonRow } from '../interfaces'
import { jsonText } from './checkBatch'
import { requireText } from './names'
import { insertion, jsonIn, type TableRow, type Tables } from './tables'

/** value null: removed; the version stays, so that a page with an older one still notices. Texts are JSON. */
type KeptRow = Pick<TableRow<'person_row'>, 'value' | 'version' | 'other' | 'at'>
/** kept null: nothing to write */
type PutDecision = { kept: KeptRow | null; ok: boolean; row: KeptRow }

const ROW = ['key', 'value', 'version', 'other', 'at'] as const
const A_ROW = 'a row of a person'
/** Unless it has changed since it was read. */
const UPDATE = `update person_row set value = $3, version = $4, other = $5, at = $6 where person = $1 and key = $2
  and version = $7 and value is not distinct from $8 and other is not distinct from $9`
const DROP_OTHER = 'update person_row set other = null where person = $1 and key = $2 and other is not null'

/** in: now: epoch ms */
export function personalRowsOf(tables: Tables, now: () => number): People {
  const { select, change } = tables
  const rowOf = async (person: string, key: string): Promise<KeptRow | null> =>
    (await select(A_ROW, 'person_row', ROW, 'where person = $1 and key = $2', [person, key]))[0] ?? null
  const seen = (key: string, { value, version, other, at }: KeptRow): PersonRow => ({
    key,
    value: value === null ? null : jsonIn(tables, A_ROW, value),
    version,
    at,
    ...(other === null ? {} : { other: jsonIn(tables, A_ROW, other) }),
  })

  /** Decide on the stored row and write what is kept; again if it has changed meanwhile. */
  async function decided<Decision extends PutDecision | null>(
    person: string,
    key: string,
    decide: (row: KeptRow | null) => Decision,
  ): Promise<Decision> {
    for (;;) {
      const before = await rowOf(person, key)
      const decision = decide(before)
      if (!decision?.kept) return decision
      const { value, version, other, at } = decision.kept
      const row = { person, key, value, version, other, at }
      const written = await change('person_row', [
        before === null
          ? insertion('person_row', row, 'on conflict do nothing')
          : [UPDATE, [...Object.values(row), before.version, before.value, before.other]],
      ])
      if (written > 0) return decision
    }
  }

  return {
    async get(person, key) {
      const row = await rowOf(person, key)
      // The row of a removed value stays.
      return row === null || row.value === null ? null : seen(key, row)
    },
    async list(person, prefix) {
      const where =
        'where person = $1 and value is not null and substr(key, 1, length($2)) = $2 order by person_row.key'
      return (await select(A_ROW, 'person_row', ROW, where, [person, prefix])).map((row) => seen(row.key, row))
    },
    async put(person, key, value, expectedVersion) {
      requireText('person', person)
      requireText('key', key)
      const text = jsonText(value)
      const { ok, row } = await decided(person, key, (before) => decidePut(before, text, expectedVersion, now()))
      return ok ? { ok: true, version: row.version } : { ok: false, current: seen(key, row) }
    },
    async remove(person, key, expectedVersion) {
      const decision = await decided(person, key, (before) => decideRemove(before, expectedVersion, now()))
      return decision === null || decision.ok ? { ok: true } : { ok: false, current: seen(key, decision.row) }
    },
    async dropOther(person, key) {
      await change('person_row', [[DROP_OTHER, [person, key]]], 'again')
    },
  }
}

function decidePut(row: KeptRow | null, value: string, expectedVersion: number | null, at: number): PutDecision {
  if (!row || row.value === null) {
    const version = (row ? row.version : (expectedVersion ?? 0)) + 1
    return written({ value, version, other: null, at })
  }
  if (row.value === value) return { kept: null, ok: true, row }
  if (row.version === expectedVersion) return written({ value, version: row.version + 1, other: row.other, at })
  const kept = { ...row, other: value }
  return { kept, ok: false, row: kept }
}

function decideRemove(row: KeptRow | null, expectedVersion: number | undefined, at: number): PutDecision | null {
  if (!row || row.value === null) return null
  if (expectedVersion !== undefined && row.version !== expectedVersion) return { kept: null, ok: false, row }
  return written({ value: null, version: row.version + 1, other: null, at })
}

function written(row: KeptRow): PutDecision {
  return { kept: row, ok: true, row }
}
