/** Entries without a gap, as the engine takes them. A separate file: pages reduce too and need no fault sentences. */
import { Fault } from '@/lib/faults'
import type { Entry } from '../events'
import type { World } from '../records'
import { reduceEntry } from './index'

/** The event of a stored entry does not have the shape of its type: another program or a defect wrote it. */
export class UnreadableEntryError extends Error {
  override readonly name = 'UnreadableEntryError'
  constructor({ seq, event }: Pick<Entry, 'seq' | 'event'>, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause)
    super(
      `entry ${seq} (${event.type}) does not have the shape of its type: ${why}. Another program or a defect wrote it: put a backup from before it back, and report the entry`,
      { cause },
    )
  }
}

/** Apply a stored entry. Throws UnreadableEntryError. */
export function reduceStored(world: World, entry: Entry): World {
  try {
    return reduceEntry(world, entry)
  } catch (error) {
    throw new UnreadableEntryError(entry, error)
  }
}

/** Apply entries that must follow the world without a gap. Throws JOURNAL_GAP, UnreadableEntryError. */
export function reduceAll(world: World, entries: readonly Entry[]): World {
  return entries.reduce((have, entry) => {
    if (entry.seq !== have.seq + 1) throw new Fault('JOURNAL_GAP', { have: have.seq, got: entry.seq })
    return reduceStored(have, entry)
  }, world)
}
