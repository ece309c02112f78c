/** Which snapshots are kept. */
import type { SnapshotRow } from '../interfaces'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * The snapshots to delete.
 *
 * in      rows in any order; now in epoch ms
 * out     those that are neither the newest of their hour within a day, nor of their day within 30 days, nor one of the
 *         two newest of their key's newest reducer version. Hours and days are those of UTC.
 */
export function snapshotsToDrop<Row extends SnapshotRow>(rows: Row[], now: number): Row[] {
  const newestReducer = new Map<string, number>()
  for (const row of rows) newestReducer.set(row.key, Math.max(row.reducer, newestReducer.get(row.key) ?? row.reducer))

  const taken = new Set<string>()
  const isFirst = (slot: string) => !taken.has(slot) && Boolean(taken.add(slot))
  return [...rows]
    .sort((a, b) => b.seq - a.seq)
    .filter((row) => {
      const line = `${row.reducer} ${row.key}`
      const age = now - row.at
      const isOfHour = age < DAY_MS && isFirst(`hour ${Math.floor(row.at / HOUR_MS)} ${line}`)
      const isOfDay = age < 30 * DAY_MS && isFirst(`day ${Math.floor(row.at / DAY_MS)} ${line}`)
      const isOfTwo =
        row.reducer === newestReducer.get(row.key) && (isFirst(`newest ${line}`) || isFirst(`second ${line}`))
      return !(isOfHour || isOfDay || isOfTwo)
    })
}
