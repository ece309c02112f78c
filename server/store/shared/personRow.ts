/** Personal rows over the rows of a store: conflicts are decided here for all of them. */
import { StoreDamagedError } from '../errors'
import type { People, PersonRow } from '../interfaces'
import { jsonText } from './checkBatch'
import { requireText } from './names'

/** value null: removed; the version stays, so that a page with an older one still notices. Texts are JSON. */
export type KeptRow = { value: string | null; version: number; other: string | null; at: number }

/** What a store does with the rows. */
export type PersonRows = Pick<People, 'dropOther'> & {
  /** Where damage is reported. */
  file: string
  get(person: string, key: string): Promise<KeptRow | null>
  /** Those with a value whose key begins so, by key. */
  list(person: string, prefix: string): Promise<(KeptRow & { key: string })[]>
  /** Decide on the stored row and write what is kept, with no other change between the two. */
  change<Decision extends PutDecision | null>(
    person: string,
    key: string,
    decide: (row: KeptRow | null) => Decision,
  ): Promise<Decision>
}

/** kept null: nothing to write */
type PutDecision = { kept: KeptRow | null; ok: boolean; row: KeptRow }

/** in: now: epoch ms */
export function peopleStore({ file, get, list, change, dropOther }: PersonRows, now: () => number): People {
  const parsed = (text: string | null): unknown => {
    try {
      return text === null ? null : JSON.parse(text)
    } catch (error) {
      const why = `a row of a person cannot be read (${String(error)})`
      throw new StoreDamagedError({ file, decision: null, entry: null, why })
    }
  }
  const seen = (key: string, { value, version, other, at }: KeptRow): PersonRow => ({
    key,
    value: parsed(value),
    version,
    at,
    ...(other === null ? {} : { other: parsed(other) }),
  })
  return {
    async get(person, key) {
      const row = await get(person, key)
      // The row of a removed value stays.
      return row === null || row.value === null ? null : seen(key, row)
    },
    list: async (person, prefix) => (await list(person, prefix)).map((row) => seen(row.key, row)),
    async put(person, key, value, expectedVersion) {
      requireText('person', person)
      requireText('key', key)
      const text = jsonText(value)
      const { ok, row } = await change(person, key, (before) => decidePut(before, text, expectedVersion, now()))
      return ok ? { ok: true, version: row.version } : { ok: false, current: seen(key, row) }
    },
    async remove(person, key, expectedVersion) {
      const decision = await change(person, key, (before) => decideRemove(before, expectedVersion, now()))
      return decision === null || decision.ok ? { ok: true } : { ok: false, current: seen(key, decision.row) }
    },
    dropOther,
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
