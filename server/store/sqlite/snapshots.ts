/** Snapshots in SQLite, compressed. Which are kept is decided in shared/retention.ts. */
import type { Snapshot, SnapshotRow, Snapshots } from '../interfaces'
import { requireText, requireWhole } from '../shared/names'
import { squeeze, unsqueeze } from '../shared/pack'
import { snapshotsToDrop } from '../shared/retention'
import { asBytes, textOrNull } from './database/columns'
import type { SqliteConnection } from './database/connection'

type FullRow = Omit<Snapshot, 'key' | 'data'> & { packed: number; data: ArrayBuffer }
type NamedRow = Omit<SnapshotRow, 'key'> & { key: ArrayBuffer }

/** Rows with a readable key: a snapshot with a damaged key cannot be found. */
const readable = (rows: readonly NamedRow[]): SnapshotRow[] =>
  rows.flatMap(({ key: kept, ...row }) => {
    const key = textOrNull(kept)
    return key === null ? [] : [{ key, ...row }]
  })

export function sqliteSnapshots(connection: SqliteConnection): Snapshots {
  const { read, write, query } = connection
  const save = query('insert or replace into snapshot (key, reducer, seq, at, packed, data) values (?, ?, ?, ?, ?, ?)')
  const newest = query<FullRow>(
    'select reducer, seq, at, packed, data from snapshot where key = ? and reducer = ? and seq <= ? order by seq desc limit 1',
  )
  const ROW = `select ${asBytes('key', 'key')}, reducer, seq, at from snapshot`
  const all = query<NamedRow>(`${ROW} order by snapshot.key, seq desc, reducer desc`)
  const ofKey = query<NamedRow>(`${ROW} where key = ? order by seq desc, reducer desc`)
  const drop = query('delete from snapshot where key = ? and reducer = ? and seq = ?')

  return {
    async save({ key, reducer, seq, at, data }) {
      requireText('key', key)
      requireWhole({ seq, reducer, at })
      connection.ensureUsable()
      const stored = await squeeze(data)
      write('snapshot', () => save.run(key, reducer, seq, at, stored.form, stored.data))
    },
    async newest(key, reducer, upTo = Number.MAX_SAFE_INTEGER) {
      requireWhole({ reducer, upTo })
      const row = read('snapshot', () => newest.get(key, reducer, upTo))
      if (!row) return null
      const data = await unsqueeze(row.packed, new Uint8Array(row.data))
      return { key, reducer: row.reducer, seq: row.seq, at: row.at, data }
    },
    async list(key) {
      return readable(read('snapshots', () => (key === undefined ? all.all() : ofKey.all(key))))
    },
    async prune(now) {
      return write('prune', () => {
        const gone = snapshotsToDrop(readable(all.all()), now)
        for (const row of gone) drop.run(row.key, row.reducer, row.seq)
        return gone.length
      })
    },
  }
}
