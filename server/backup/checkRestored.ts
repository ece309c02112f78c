/** Does a restored copy hold what was written, and does its newest snapshot lead to the same world as its whole journal? */
import { isDeepStrictEqual } from 'node:util'
import type { World } from '@/lib/mas/records'
import { emptyWorld } from '@/lib/mas/reduce'
import { reduceAll } from '@/lib/mas/reduce/reduceAll'
import { entryPages } from '../engine/snapshots/entryPages'
import { openWorldSnapshots } from '../engine/snapshots/worldSnapshots'
import { type Damage, damageText, type Journal, type Snapshots, type Store } from '../store'
import { BackupError } from './BackupError'
import type { Manifest } from './manifest'

/** The parts of a store that are read here. */
export type Restored = {
  journal: Pick<Journal, 'id' | 'head' | 'read'>
  snapshots: Snapshots
  verify: Store['verify']
}

const PAGE = 1_000
/** Places that are named at once. */
const MOST_NAMED = 10

/**
 * Compare every hash and body of the journal; then reduce all entries from the first, and those after the newest snapshot,
 * and compare the two worlds.
 *
 * out     how many entries were reduced
 * faults  BackupError: the journal is another one, ends elsewhere, is damaged, or the two worlds differ
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
  const { damage } = await store.verify()
  if (damage.length > 0) throw new BackupError(damageIn(damage))
  const whole = await readOn(store, emptyWorld)
  const started = await readOn(store, await openWorldSnapshots(store.snapshots).load())
  if (!isDeepStrictEqual(plain(whole), plain(started)))
    throw new BackupError(
      `The snapshots of the copy do not agree with its journal (${head.seq} entries). Use another backup.`,
    )
  return { entries: head.seq, tasks: Object.keys(whole.tasks).length }
}

/** The files are as they were copied, so the journal was damaged before the backup was made. */
function damageIn(damage: readonly Damage[]): string {
  const more = damage.length - MOST_NAMED
  return [
    'The journal in this backup was damaged before it was copied:',
    ...damage.slice(0, MOST_NAMED).map((one) => `  ${damageText(one)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    'Use an earlier backup.',
  ].join('\n')
}

/** in: the world that a snapshot holds, or none. out: with all later entries */
export async function readOn(store: { journal: Pick<Journal, 'read'> }, from: World): Promise<World> {
  let world = from
  for await (const page of entryPages(store.journal.read, from.seq, PAGE)) world = reduceAll(world, page)
  return world
}

/** Through JSON, as snapshots are kept: a field that is undefined is a field that is not there. */
const plain = (world: World): unknown => JSON.parse(JSON.stringify(world))
