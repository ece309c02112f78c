/** Is the world that a start would build from this store the one that its whole journal adds up to? */
import { isDeepStrictEqual } from 'node:util'
import { decodeEntry } from '@/lib/mas/decode'
import type { World } from '@/lib/mas/records'
import { emptyWorld } from '@/lib/mas/reduce'
import { reduceAll } from '@/lib/mas/reduce/reduceAll'
import { openWorldSnapshots } from '../engine/worldSnapshots'
import type { Journal, Snapshots } from '../store'
import { BackupError } from './BackupError'
import type { Manifest } from './manifest'

/** The parts of a store that are read here. */
export type Restored = { journal: Pick<Journal, 'id' | 'head' | 'read'>; snapshots: Snapshots }

const PAGE = 1_000

/**
 * Reduce all entries from the first, and those after the newest snapshot, and compare.
 *
 * out     how many entries were reduced
 * faults  BackupError: the journal is another one, ends elsewhere, or the two worlds differ
 */
export async function checkRestored(
  store: Restored,
  { journal, head: last }: Pick<Manifest, 'journal' | 'head'>,
): Promise<{ entries: number; tasks: number }> {
  const head = await store.journal.head()
  if (store.journal.id !== journal || head.seq !== last)
    throw new BackupError(
      `The copy holds journal ${store.journal.id} up to entry ${head.seq}, its manifest names ${journal} up to ${last}.`,
    )
  const whole = await readOn(store, emptyWorld)
  const started = await readOn(store, await openWorldSnapshots(store.snapshots).load())
  if (!isDeepStrictEqual(plain(whole), plain(started)))
    throw new BackupError(
      `The snapshots of the copy do not agree with its journal (${head.seq} entries). Use another backup.`,
    )
  return { entries: head.seq, tasks: Object.keys(whole.tasks).length }
}

async function readOn(store: Restored, from: World): Promise<World> {
  let world = from
  for (;;) {
    const page = await store.journal.read(world.seq, PAGE)
    if (page.length === 0) return world
    world = reduceAll(world, page.map(decodeEntry))
  }
}

/** Through JSON, as snapshots are kept: a field that is undefined is a field that is not there. */
const plain = (world: World): unknown => JSON.parse(JSON.stringify(world))
