/** Personal rows in SQLite. shared/personRow.ts decides about conflicts. */
import { StoreDamagedError } from '../errors'
import type { People } from '../interfaces'
import { jsonText } from '../shared/checkBatch'
import { requireText } from '../shared/names'
import { decidePut, decideRemove, type KeptRow, type PutDecision, presentRow, seenRow } from '../shared/personRow'
import { asBytes, decodeText } from './columns'
import type { SqliteConnection } from './connection'
import { readRow } from './entries'

type FullRow = Omit<KeptRow, 'value' | 'other'> & {
  key: ArrayBuffer
  value: ArrayBuffer | null
  other: ArrayBuffer | null
}

const COLUMNS = `${asBytes('key', 'key')}, ${asBytes('value', 'value')}, version, ${asBytes('other', 'other')}, at`
const WHAT = 'a row of a person'

export function sqlitePeople(connection: SqliteConnection, now: () => number): People {
  const { read, write, query } = connection
  const rowQuery = query<FullRow>(`select ${COLUMNS} from person_row where person = ? and key = ?`)
  const listQuery = query<FullRow>(
    `select ${COLUMNS} from person_row where person = ? and value is not null and substr(key, 1, length(?)) = ? order by person_row.key`,
  )
  const keep = query(
    'insert into person_row (person, key, value, version, other, at) values (?, ?, ?, ?, ?, ?) on conflict (person, key) do update set value = excluded.value, version = excluded.version, other = excluded.other, at = excluded.at',
  )
  const dropOther = query('update person_row set other = null where person = ? and key = ? and other is not null')

  const keepRow = (person: string, key: string, row: KeptRow): void => {
    keep.run(person, key, row.value, row.version, row.other, row.at)
  }

  /** Change a row in one transaction. A damaged row is reported after it: an error inside would end all writing. */
  const change = <Decision extends PutDecision | null>(
    person: string,
    key: string,
    decide: (row: KeptRow | null) => Decision,
  ): Decision => {
    const decision = write('person row', () => {
      const row = rowQuery.get(person, key)
      let before: KeptRow | null
      try {
        before = readRow(WHAT, () => keptRow(row))
      } catch (error) {
        if (error instanceof StoreDamagedError) return error
        throw error
      }
      const decided = decide(before)
      if (decided?.kept) keepRow(person, key, decided.kept)
      return decided
    })
    if (decision instanceof StoreDamagedError) throw decision
    return decision
  }

  return {
    async get(person, key) {
      const row = read('person row', () => rowQuery.get(person, key))
      return readRow(WHAT, () => seenRow(key, keptRow(row)))
    },
    async list(person, prefix) {
      const rows = read('person rows', () => listQuery.all(person, prefix, prefix))
      return readRow(WHAT, () => rows.map((row) => presentRow(decodeText(row.key), textsOf(row))))
    },
    async put(person, key, value, expectedVersion) {
      requireText('person', person)
      requireText('key', key)
      const text = jsonText(value)
      const { ok, row } = change(person, key, (before) => decidePut(before, text, expectedVersion, now()))
      return ok ? { ok: true, version: row.version } : { ok: false, current: readRow(WHAT, () => presentRow(key, row)) }
    },
    async remove(person, key, expectedVersion) {
      const decision = change(person, key, (before) => decideRemove(before, expectedVersion, now()))
      if (decision === null || decision.ok) return { ok: true }
      return { ok: false, current: readRow(WHAT, () => presentRow(key, decision.row)) }
    },
    async dropOther(person, key) {
      write('person row', () => dropOther.run(person, key))
    },
  }
}

const keptRow = (row: FullRow | undefined): KeptRow | null => (row === undefined ? null : textsOf(row))

const textsOf = ({ value, version, other, at }: FullRow): KeptRow => ({
  value: value && decodeText(value),
  version,
  other: other && decodeText(other),
  at,
})
