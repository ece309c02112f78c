/** Copies all data of a store into an empty one. */
import type { Store } from './interfaces'
import { movedTables } from './moved'
import { openStore, type StorePlace } from './openStore'
import { sqliteSource, sqliteTarget } from './sqlite/moved'

export type MovedCounts = { entries: number; bodies: number; rows: number; snapshots: number }

const ofPostgres = () => import('./postgres/moved')

/**
 * in      a store that no process uses; a database without a journal, or an empty folder
 * faults  those of opening; StoreDamagedError: the data is damaged; the old store is not changed
 */
export async function moveRows(from: StorePlace, to: StorePlace, withSnapshots: boolean): Promise<MovedCounts> {
  const counts: MovedCounts = { entries: 0, bodies: 0, rows: 0, snapshots: 0 }
  const source = await (from.databaseUrl === null
    ? sqliteSource(from.dataFolder)
    : (await ofPostgres()).postgresSource(from.databaseUrl))
  try {
    const head = await source.head()
    const target = await (to.databaseUrl === null
      ? sqliteTarget(to.dataFolder, head)
      : (await ofPostgres()).postgresTarget(to.databaseUrl, head))
    try {
      for await (const decisions of source.decisions()) {
        await target.addDecisions(decisions)
        counts.entries = decisions.at(-1)?.last ?? counts.entries
      }
      for await (const outcomes of source.outcomes()) await target.addOutcomes(outcomes)
      for await (const body of source.bodies()) {
        await target.addBody(body)
        counts.bodies += 1
      }
      for (const table of movedTables)
        for await (const rows of source.rows(table)) {
          await target.addRows(table, rows)
          counts.rows += rows.length
        }
      await target.finish()
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
  if (withSnapshots) counts.snapshots = await withBoth(from, to, moveSnapshots)
  return counts
}

/** Both stores, opened exclusively. */
export async function withBoth<T>(
  from: StorePlace,
  to: StorePlace,
  work: (from: Store, to: Store) => Promise<T>,
): Promise<T> {
  const old = await openStore(from)
  try {
    const next = await openStore(to)
    try {
      return await work(old, next)
    } finally {
      await next.close()
    }
  } finally {
    await old.close()
  }
}

async function moveSnapshots({ snapshots: old }: Store, { snapshots }: Store): Promise<number> {
  let moved = 0
  for (const { key, reducer, seq } of await old.list()) {
    const snapshot = await old.newest(key, reducer, seq)
    if (snapshot?.seq !== seq) continue
    await snapshots.save(snapshot)
    moved += 1
  }
  return moved
}
