/** Per-person rows in SQLite. What a write does is decided in shared/personRow.ts. */
import type { People } from '../interfaces'
import { jsonText } from '../shared/checkBatch'
import { requireText } from '../shared/names'
import { decidePut, decideRemove, type KeptRow, presentRow, seenRow } from '../shared/personRow'
import type { Connection } from './connection'

type FullRow = KeptRow & { key: string }

export function sqlitePeople(connection: Connection, now: () => number): People {
  const { read, write, query } = connection
  const rowQuery = query<FullRow>('select key, value, version, other, at from person_row where person = ? and key = ?')
  const listQuery = query<FullRow>(
    'select key, value, version, other, at from person_row where person = ? and value is not null and substr(key, 1, length(?)) = ? order by key',
  )
  const keep = query(
    'insert into person_row (person, key, value, version, other, at) values (?, ?, ?, ?, ?, ?) on conflict (person, key) do update set value = excluded.value, version = excluded.version, other = excluded.other, at = excluded.at',
  )
  const dropOther = query('update person_row set other = null where person = ? and key = ? and other is not null')

  const rowOf = (person: string, key: string): KeptRow | null => rowQuery.get(person, key) ?? null
  const keepRow = (person: string, key: string, row: KeptRow): void => {
    keep.run(person, key, row.value, row.version, row.other, row.at)
  }

  return {
    async get(person, key) {
      return read('person row', () => seenRow(key, rowOf(person, key)))
    },
    async list(person, prefix) {
      return read('person rows', () => listQuery.all(person, prefix, prefix).map((row) => presentRow(row.key, row)))
    },
    async put(person, key, value, expectedVersion) {
      requireText('person', person)
      requireText('key', key)
      const text = jsonText(value)
      return write('person row', () => {
        const { kept, ok, row } = decidePut(rowOf(person, key), text, expectedVersion, now())
        if (kept) keepRow(person, key, kept)
        return ok ? { ok: true, version: row.version } : { ok: false, current: presentRow(key, row) }
      })
    },
    async remove(person, key, expectedVersion) {
      return write('person row', () => {
        const decision = decideRemove(rowOf(person, key), expectedVersion, now())
        if (decision?.kept) keepRow(person, key, decision.kept)
        return decision && !decision.ok ? { ok: false, current: presentRow(key, decision.row) } : { ok: true }
      })
    },
    async dropOther(person, key) {
      write('person row', () => dropOther.run(person, key))
    },
  }
}
