/** Snapshots in PostgreSQL, compressed. Which are kept is decided in shared/retention.ts. */
import type { Snapshot, SnapshotRow, Snapshots } from '../interfaces'
import { requireText, requireWhole } from '../shared/names'
import { squeeze, unsqueeze } from '../shared/pack'
import { snapshotsToDrop } from '../shared/retention'
import type { PostgresConnection } from './connection'

const ROW = 'select key, reducer, seq, at from snapshot'
const ORDER = 'order by key, seq desc, reducer desc'

export function postgresSnapshots(connection: PostgresConnection): Snapshots {
  const { read, write } = connection
  return {
    async save({ key, reducer, seq, at, data }) {
      requireText('key', key)
      requireWhole({ seq, reducer, at })
      connection.ensureUsable()
      const stored = await squeeze(data)
      await write(
        'snapshot',
        `insert into snapshot (key, reducer, seq, at, packed, data) values ($1, $2, $3, $4, $5, $6)
         on conflict (key, reducer, seq) do update set at = excluded.at, packed = excluded.packed, data = excluded.data`,
        [key, reducer, seq, at, stored.form, stored.data],
        'again',
      )
    },
    async newest(key, reducer, upTo = Number.MAX_SAFE_INTEGER) {
      requireWhole({ reducer, upTo })
      const [row] = await read<Omit<Snapshot, 'key' | 'data'> & { packed: number; data: Buffer }>(
        'snapshot',
        'select reducer, seq, at, packed, data from snapshot where key = $1 and reducer = $2 and seq <= $3 order by seq desc limit 1',
        [key, reducer, upTo],
      )
      if (!row) return null
      const data = new Uint8Array(await unsqueeze(row.packed, row.data))
      return { key, reducer: row.reducer, seq: row.seq, at: row.at, data }
    },
    list: (key) =>
      key === undefined
        ? read<SnapshotRow>('snapshots', `${ROW} ${ORDER}`)
        : read<SnapshotRow>('snapshots', `${ROW} where key = $1 ${ORDER}`, [key]),
    async prune(now) {
      const gone = snapshotsToDrop(await read<SnapshotRow>('prune', ROW), now)
      if (gone.length === 0) return 0
      const names = gone.map(({ key, reducer, seq }) => ({ key, reducer, seq }))
      await write(
        'prune',
        `delete from snapshot s using json_to_recordset($1) as g(key text, reducer integer, seq bigint)
         where s.key = g.key and s.reducer = g.reducer and s.seq = g.seq`,
        [JSON.stringify(names)],
        'again',
      )
      return gone.length
    },
  }
}
