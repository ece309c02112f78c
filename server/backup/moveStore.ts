/** Moves a team from the embedded store to PostgreSQL or back, and shows that it is the same team. */
import { emptyWorld } from '@/lib/mas/reduce'
import {
  canonicalJson,
  damageText,
  type MovedCounts,
  moveRows,
  placeShown,
  type Store,
  type StorePlace,
  withBoth,
} from '../store'
import { BackupError } from './BackupError'
import { readOn } from './checkRestored'

/**
 * The old store stays as it is.
 *
 * in      a store that no process uses; a database without a journal, or an empty folder
 * out     what was moved: every hash, text and body was compared, and the worlds of both journals are one canonical text
 * faults  those of moveRows; BackupError: the two are not the same, and the new one must not be used
 */
export async function moveStore(from: StorePlace, to: StorePlace, { withSnapshots = true } = {}): Promise<MovedCounts> {
  const counts = await moveRows(from, to, withSnapshots)
  await withBoth(from, to, async (old, next) => {
    const { damage } = await next.verify()
    if (damage[0]) throw notTheSame(to, damageText(damage[0]))
    const heads = [await old.journal.head(), await next.journal.head()]
    if (old.journal.id !== next.journal.id || canonicalJson(heads[0]) !== canonicalJson(heads[1]))
      throw notTheSame(to, 'its journal ends elsewhere')
    if ((await worldText(old)) !== (await worldText(next))) throw notTheSame(to, 'its entries lead to another world')
  })
  return counts
}

const worldText = async (store: Store): Promise<string> => canonicalJson(await readOn(store, emptyWorld))

const notTheSame = (to: StorePlace, why: string): BackupError =>
  new BackupError(
    `What was moved to ${placeShown(to)} is not what was there: ${why}. Do not use it; the old store is as it was.`,
  )
