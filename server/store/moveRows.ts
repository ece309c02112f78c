/** Copies all data of a store into an empty one: numbers, times, texts and hashes do not change. */
import { SHARED_DATABASE } from './database'
import { type Damage, StoreDamagedError } from './errors'
import type { Journal, Snapshots, Store } from './interfaces'
import { openStore, type StorePlace } from './openStore'
import type { SealedOutcome } from './shared/chain'
import { columnsOf, insertion, type Table, type TableChange } from './shared/tables'
import { type MovedDecision, UNCOVERED, uncoveredIn, type WholeHead, type WholeStore } from './shared/wholeStore'
import { sqliteSource, sqliteTarget } from './sqlite/moved'

export type MovedCounts = { entries: number; bodies: number; rows: number; snapshots: number }

/** A store that no other process uses. */
export type MoveSource = Pick<Store, 'bodies' | 'close'> & {
  journal: Pick<Journal, 'id' | 'head' | 'read'>
  snapshots: Pick<Snapshots, 'list' | 'newest'>
  whole: WholeStore
}
/** An empty store; its journal will end at the given head. */
export type MoveTarget = {
  addDecisions(decisions: readonly MovedDecision[]): Promise<void>
  addOutcomes(outcomes: readonly SealedOutcome[]): Promise<void>
  addBody(body: MovedBody): Promise<void>
  addRows(rows: readonly TableChange[]): Promise<void>
  /** Commits the added rows. */
  finish(): Promise<void>
  close(): Promise<void>
}
export type MovedBody = { sha: string; mime: string; bytes: Uint8Array }

const AT_ONCE = 200
/** The search index is rebuilt from the journal. */
const TABLES_MOVED = [
  'person_row',
  'password',
  'session',
  'session_origin',
  'link',
  'sealed_key',
  'act',
  'envelope',
] as const satisfies Table[]

/**
 * in      a store that no process uses; a database without a journal, or an empty folder
 * faults  those of opening; StoreDamagedError: the data is damaged; the old store is not changed
 */
export async function moveRows(from: StorePlace, to: StorePlace, withSnapshots: boolean): Promise<MovedCounts> {
  const counts: MovedCounts = { entries: 0, bodies: 0, rows: 0, snapshots: 0 }
  const source = await sourceOf(from)
  try {
    const { isWhole, ...head } = await source.whole.head()
    if (!isWhole) throw damaged(source.whole, { why: 'its head is another one' })
    const target = await (to.databaseUrl === null
      ? sqliteTarget(to.dataFolder, head)
      : SHARED_DATABASE.get('DATABASE_URL').moveTo(to.databaseUrl, head))
    try {
      await moveAll(source, target, head, counts)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
  if (withSnapshots) counts.snapshots = await withBoth(from, to, moveSnapshots)
  return counts
}

/** faults: those of opening; StoreDamagedError: the write-ahead log is damaged */
async function sourceOf({ databaseUrl, dataFolder }: StorePlace): Promise<MoveSource> {
  if (databaseUrl !== null) return SHARED_DATABASE.get('DATABASE_URL').moveFrom(databaseUrl)
  const source = await sqliteSource(dataFolder)
  if (source.damage === null) return source
  await source.close()
  throw new StoreDamagedError(source.damage)
}

async function moveAll({ whole, bodies }: MoveSource, target: MoveTarget, head: WholeHead, counts: MovedCounts) {
  let before = head.journal
  const uncovered = uncoveredIn(whole)
  for await (const some of inGroups(whole.decisions(0))) {
    const moved: MovedDecision[] = []
    for (const decision of some) {
      const { hash, why, erased } = decision.check({ before: new Set([before]), first: counts.entries + 1 })
      const bare = await uncovered(erased)
      const damage = why ?? (bare === null ? null : { entry: bare, why: UNCOVERED })
      if (damage) throw damaged(whole, { decision: decision.last, ...damage })
      before = hash
      counts.entries = decision.last
      moved.push(decision.moved())
    }
    await target.addDecisions(moved)
  }
  for await (const some of inGroups(whole.outcomes()))
    await target.addOutcomes(
      some.map(({ outcome, isWhole }) => {
        if (outcome === null || !isWhole) throw damaged(whole, { why: 'an outcome of a command is another one' })
        return outcome
      }),
    )
  for await (const { sha, fault } of whole.bodies()) {
    const found = await fault()
    if (found) throw new StoreDamagedError(found)
    const body = await bodies.get(sha)
    if (!body) continue
    await target.addBody({ sha, ...body })
    counts.bodies += 1
  }
  for (const table of TABLES_MOVED) {
    const rows = await whole.tables.select(`a row of ${table}`, table, columnsOf(table), '', [])
    await target.addRows(rows.map((row) => insertion<Table>(table, row)))
    counts.rows += rows.length
  }
  await target.finish()
}

const damaged = ({ file }: WholeStore, found: Partial<Damage> & Pick<Damage, 'why'>): StoreDamagedError =>
  new StoreDamagedError({ file, decision: null, entry: null, ...found })

async function* inGroups<One>(all: AsyncIterable<One>): AsyncGenerator<One[]> {
  let group: One[] = []
  for await (const one of all) {
    group.push(one)
    if (group.length < AT_ONCE) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

/** Both stores, opened exclusively; the old one for reading. */
export async function withBoth<T>(
  from: StorePlace,
  to: StorePlace,
  work: (from: MoveSource, to: Store) => Promise<T>,
): Promise<T> {
  const old = await sourceOf(from)
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

async function moveSnapshots({ snapshots: old }: MoveSource, { snapshots }: Store): Promise<number> {
  let moved = 0
  for (const { key, reducer, seq } of await old.list()) {
    const snapshot = await old.newest(key, reducer, seq)
    if (snapshot?.seq !== seq) continue
    await snapshots.save(snapshot)
    moved += 1
  }
  return moved
}
