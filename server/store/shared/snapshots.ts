/** Snapshots over the tables of a store, compressed; and which of them are kept. */
import type { SnapshotRow, Snapshots } from '../interfaces'
import { requireText, requireWhole } from './names'
import { squeeze, unsqueeze } from './pack'
import { replacement, type Tables } from './tables'

const ROW = ['key', 'reducer', 'seq', 'at'] as const

export function snapshotsOf({ ensureUsable, select, change }: Tables): Snapshots {
  /** A snapshot with a damaged key cannot be found: it is left out. */
  const rows = (rest = '', values: string[] = []) => select(null, 'snapshot', ROW, rest, values)
  return {
    async save({ key, reducer, seq, at, data }) {
      requireText('key', key)
      requireWhole({ seq, reducer, at })
      ensureUsable()
      const { form: packed, data: stored } = await squeeze(data)
      const row = { key, reducer, seq, at, packed, data: stored }
      await change('snapshot', [replacement('snapshot', ['key', 'reducer', 'seq'], row)], 'again')
    },
    async newest(key, reducer, upTo = Number.MAX_SAFE_INTEGER) {
      requireWhole({ reducer, upTo })
      const [row] = await select(
        'a snapshot',
        'snapshot',
        ['seq', 'at', 'packed', 'data'],
        'where key = $1 and reducer = $2 and seq <= $3 order by seq desc limit 1',
        [key, reducer, upTo],
      )
      if (!row) return null
      const data = new Uint8Array(await unsqueeze(row.packed, row.data))
      return { key, reducer, seq: row.seq, at: row.at, data }
    },
    list: (key) =>
      rows(
        `${key === undefined ? '' : 'where key = $1'} order by snapshot.key, seq desc, reducer desc`,
        key === undefined ? [] : [key],
      ),
    remove: (key, before) => {
      requireWhole({ before })
      return change('snapshot', [['delete from snapshot where key = $1 and seq < $2', [key, before]]], 'again')
    },
    async prune(now) {
      const gone = snapshotsToDrop(await rows(), now)
      const sql = 'delete from snapshot where key = $1 and reducer = $2 and seq = $3'
      if (gone.length > 0)
        await change(
          'snapshot',
          gone.map(({ key, reducer, seq }) => [sql, [key, reducer, seq]]),
          'again',
        )
      return gone.length
    },
  }
}

const MOMENT_PREFIX = 'moment:'
/** The key of a part of a task's stored points: none of them is pruned while the reducers are the same. */
export const momentKey = (task: string, part: 'world' | 'left'): string => `${MOMENT_PREFIX}${task}:${part}`

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * The snapshots to delete.
 *
 * in      rows in any order; now in epoch ms
 * out     those that are neither the newest of their hour within a day, nor of their day within 30 days, nor one of the
 *         two newest of their key's newest reducer version. Hours and days are those of UTC. Of the points of a task
 *         (`momentKey`): those of an older reducer version than the newest of all
 */
export function snapshotsToDrop<Row extends SnapshotRow>(rows: Row[], now: number): Row[] {
  const newestReducer = new Map<string, number>()
  for (const row of rows) newestReducer.set(row.key, Math.max(row.reducer, newestReducer.get(row.key) ?? row.reducer))
  const newestOfAll = Math.max(...newestReducer.values())

  const taken = new Set<string>()
  const isFirst = (slot: string) => !taken.has(slot) && Boolean(taken.add(slot))
  return [...rows]
    .sort((a, b) => b.seq - a.seq)
    .filter((row) => {
      if (row.key.startsWith(MOMENT_PREFIX)) return row.reducer < newestOfAll
      const line = `${row.reducer} ${row.key}`
      const age = now - row.at
      const isOfHour = age < DAY_MS && isFirst(`hour ${Math.floor(row.at / HOUR_MS)} ${line}`)
      const isOfDay = age < 30 * DAY_MS && isFirst(`day ${Math.floor(row.at / DAY_MS)} ${line}`)
      const isOfTwo =
        row.reducer === newestReducer.get(row.key) && (isFirst(`newest ${line}`) || isFirst(`second ${line}`))
      return !(isOfHour || isOfDay || isOfTwo)
    })
}
