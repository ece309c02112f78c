/** Personal rows in SQLite. */
import { StoreDamagedError } from '../errors'
import type { KeptRow, PersonRows } from '../shared/personRow'
import { asBytes, decodeText } from './database/columns'
import type { SqliteConnection } from './database/connection'
import { DATABASE, readRow } from './journal/entries'

type FullRow = Omit<KeptRow, 'value' | 'other'> & {
  key: ArrayBuffer
  value: ArrayBuffer | null
  other: ArrayBuffer | null
}

const SELECT = `select ${asBytes('key', 'key')}, ${asBytes('value', 'value')}, version, ${asBytes('other', 'other')}, at from person_row`

export function sqlitePeople({ read, write, query }: SqliteConnection): PersonRows {
  const rowQuery = query<FullRow>(`${SELECT} where person = ? and key = ?`)
  const listQuery = query<FullRow>(
    `${SELECT} where person = ? and value is not null and substr(key, 1, length(?)) = ? order by person_row.key`,
  )
  const keep = query(
    'insert into person_row (person, key, value, version, other, at) values (?, ?, ?, ?, ?, ?) on conflict (person, key) do update set value = excluded.value, version = excluded.version, other = excluded.other, at = excluded.at',
  )
  const dropOther = query('update person_row set other = null where person = ? and key = ? and other is not null')

  return {
    file: DATABASE,
    async get(person, key) {
      const row = read('person row', () => rowQuery.get(person, key))
      return row ? keptRow(row) : null
    },
    async list(person, prefix) {
      return read('person rows', () => listQuery.all(person, prefix, prefix)).map(keptRow)
    },
    async change(person, key, decide) {
      // A damaged row is reported after the transaction: an error inside would end all writing.
      const decision = write('person row', () => {
        const row = rowQuery.get(person, key)
        try {
          const decided = decide(row ? keptRow(row) : null)
          const kept = decided?.kept
          if (kept) keep.run(person, key, kept.value, kept.version, kept.other, kept.at)
          return decided
        } catch (error) {
          if (error instanceof StoreDamagedError) return error
          throw error
        }
      })
      if (decision instanceof StoreDamagedError) throw decision
      return decision
    },
    async dropOther(person, key) {
      write('person row', () => dropOther.run(person, key))
    },
  }
}

/** faults: StoreDamagedError */
const keptRow = ({ key, value, version, other, at }: FullRow): KeptRow & { key: string } =>
  readRow('a row of a person', () => ({
    key: decodeText(key),
    value: value && decodeText(value),
    version,
    other: other && decodeText(other),
    at,
  }))
