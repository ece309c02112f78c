/** Entries without a gap, as the engine takes them. A separate file: pages reduce too and need no fault sentences. */
import { Fault } from '@/lib/faults'
import type { Entry } from '../events'
import type { World } from '../records'
import { reduceEntry } from './index'

/** Apply entries that must follow the world without a gap. Throws JOURNAL_GAP. */
export function reduceAll(world: World, entries: readonly Entry[]): World {
  return entries.reduce((have, entry) => {
    if (entry.seq !== have.seq + 1) throw new Fault('JOURNAL_GAP', { have: have.seq, got: entry.seq })
    return reduceEntry(have, entry)
  }, world)
}
