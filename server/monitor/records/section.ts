/** One kind of records of a view: which it holds in a world, what changed between two worlds, what is newer than an entry. */
import type { World } from '@/lib/mas/records'
import { memo } from '@/lib/memo'
import { patchOf, type RecordPatch } from '@/lib/wire/recordPatch'
import {
  type RecordName,
  type RecordRow,
  type RecordRowOf,
  type RecordTypes,
  recordId,
  recordRow,
} from '@/lib/wire/records'
import type { RowId } from '@/lib/wire/rows'

export type RowChanges = { set: Map<RowId, RecordRow>; patch: RecordPatch[]; del: Set<RowId> }
export const noChanges = (): RowChanges => ({ set: new Map(), patch: [], del: new Set() })

/**
 * Which records of one kind a reader sees in one world.
 *
 * basis    what the answer depends on beside the record: while it is ===, so is the answer
 * seqOf    of a record that is seen: the entry that changed it last, or with which the reader came to see it
 */
export type Sight<Held> = { basis: unknown; isSeen: (record: Held) => boolean; seqOf: (record: Held) => number }

/** Maps of records that the view reads, by any key; one that is === holds the same records. */
export type Maps<Held> = Readonly<Record<string, Readonly<Record<string, Held>>>>

export type Section = {
  compare: (before: World, after: World, changes: RowChanges) => void
  /** Adds the rows that changed after that entry. */
  since: (world: World, after: number, changes: RowChanges) => void
}

export function recordSection<Of extends RecordName>(
  of: Of,
  mapsOf: (world: World) => Maps<RecordTypes[Of]>,
  sightOf: (world: World) => Sight<RecordTypes[Of]>,
  shown: (record: RecordTypes[Of]) => RecordTypes[Of] = (record) => record,
): Section {
  // The world before is the one after of the last time.
  const sightIn = memo(sightOf)
  const put = (set: RowChanges['set'], record: RecordTypes[Of]): void => {
    const row: RecordRowOf<Of> = recordRow(of, shown(record))
    // The compiler cannot see that a row of some name is a row of one of them.
    set.set(row.id, row as RecordRow)
  }
  return {
    compare(before, after, { set, patch, del }) {
      const old = mapsOf(before)
      const now = mapsOf(after)
      const saw = sightIn(before)
      const sees = sightIn(after)
      const isSameSight = saw.basis === sees.basis
      for (const [key, records] of Object.entries(now)) {
        const known: Maps<RecordTypes[Of]>[string] = old[key] ?? NONE
        if (isSameSight && known === records) continue
        for (const id in records) {
          const was = known[id]
          const is = records[id]
          if (is === undefined || (isSameSight && was === is)) continue
          const wasSeen = was !== undefined && saw.isSeen(was)
          if (!sees.isSeen(is)) {
            if (wasSeen) del.add(recordId(of, was))
          } else if (!wasSeen) put(set, is)
          else if (was !== is) {
            const changed = patchOf(recordId(of, is), shown(was), shown(is))
            if (changed !== null) patch.push(changed)
          }
        }
      }
      for (const [key, records] of Object.entries(old)) {
        const left: Maps<RecordTypes[Of]>[string] = now[key] ?? NONE
        if (left === records) continue
        for (const id in records) {
          const was = records[id]
          if (was !== undefined && left[id] === undefined && saw.isSeen(was)) del.add(recordId(of, was))
        }
      }
    },
    since(world, after, { set }) {
      const sees = sightIn(world)
      for (const records of Object.values(mapsOf(world)))
        for (const record of Object.values(records))
          if (sees.isSeen(record) && sees.seqOf(record) > after) put(set, record)
    },
  }
}
const NONE: Maps<never>[string] = {}
