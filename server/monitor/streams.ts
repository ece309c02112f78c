/** A stream is one view as one class of viewers sees it: made by the first who looks, dropped with the last. */
import { isSameValue } from '@/lib/json'
import type { World } from '@/lib/mas/records'
import { isSameList } from '@/lib/memo'
import type { AnyRow, RowId } from '@/lib/wire/rows'
import type { ViewChanges } from '@/lib/wire/views'
import type { RecordSource } from './records/changes'
import type { RowPart, RowSource } from './rows/source'

/** What a frame says, without whom it is for. */
export type FrameBody = ViewChanges & { from: number; to: number }

export type Stream = {
  readonly scopeKey: string
  /** Compared with === only; names this stream in cursors and beats. */
  readonly gen: string
  /** `to` of the last frame: where the next one begins. A snapshot never moves it. */
  from: () => number
  /** What changed since the last frame; null when nothing did, and then `from` stays. */
  flush: (world: World) => FrameBody | null
  /** The whole, as of the last flush. Only to be taken right after one. */
  snapshot: (world: World) => AnyRow[]
  /** What a page at `after` lacks, in one frame; null when that is no longer known. Right after a flush. */
  missing: (after: number, world: World) => FrameBody | null
}

/** Frames that a row stream keeps for those who come back. */
const RING = 50

/**
 * Records.
 *
 * in      gen must be the same for the same journal, view and class, for every reader: a page then continues by cursor on another
 *         node and over a restart, since records say which entry changed them last
 */
export function recordStream(source: RecordSource, scopeKey: string, gen: string, world: World): Stream {
  let from = world.seq
  let seen = world
  return {
    scopeKey,
    gen,
    from: () => from,
    flush: (now) => {
      const changes = source.changes(seen, now)
      seen = now
      if (changes.set.length + changes.patch.length + changes.del.length === 0) return null
      const frame = { from, to: now.seq, ...changes }
      from = now.seq
      return frame
    },
    snapshot: source.all,
    missing: (after, now) => {
      const lacked = source.since(now, after)
      return lacked && { from: after, to: now.seq, ...lacked }
    },
  }
}

const listOf = (part: RowPart | undefined): readonly AnyRow[] => {
  if (part === undefined) return []
  return isRow(part) ? [part] : part
}
const isRow = (part: RowPart): part is AnyRow => !Array.isArray(part)

/** Rows, computed again when something that they are made from has changed, and compared by what they say. */
export function rowStream(source: RowSource, scopeKey: string, gen: string, world: World): Stream {
  let from = world.seq
  let seen = { world, inputs: source.inputs(world) }
  let parts = source.rows(world)
  const rows = new Map<RowId, AnyRow>(parts.flat().map((row) => [row.id, row]))
  let ring: FrameBody[] = []

  /** Since the last call. */
  function isChanged(now: World): boolean {
    const before = seen
    seen = { world: now, inputs: source.inputs(now) }
    return !isSameList(seen.inputs, before.inputs) || source.mark?.(now) !== source.mark?.(before.world)
  }

  /** Keeps the rows as they are now. out: those that changed, and the ids of those that are gone */
  function take(next: readonly RowPart[]): ViewChanges {
    const gone = new Set<RowId>()
    const came: AnyRow[] = []
    for (let n = 0; n < Math.max(parts.length, next.length); n++) {
      if (parts[n] === next[n]) continue
      const [before, now] = [listOf(parts[n]), listOf(next[n])]
      // Most rows of a list stay, and stand at its beginning.
      let same = 0
      while (same < now.length && before[same] === now[same]) same += 1
      for (const { id } of before.slice(same)) gone.add(id)
      for (const row of now.slice(same)) came.push(row)
    }
    parts = next
    const set: AnyRow[] = []
    for (const row of came) {
      gone.delete(row.id)
      if (isSameValue(rows.get(row.id), row)) continue
      rows.set(row.id, row)
      set.push(row)
    }
    for (const id of gone) rows.delete(id)
    return { set, patch: [], del: [...gone] }
  }

  return {
    scopeKey,
    gen,
    from: () => from,
    flush: (now) => {
      if (!isChanged(now)) return null
      const changes = take(source.rows(now))
      if (changes.set.length + changes.del.length === 0) return null
      const frame = { from, to: now.seq, ...changes }
      from = now.seq
      ring = [...ring, frame].slice(-RING)
      return frame
    },
    snapshot: () => [...rows.values()],
    missing: (after, now) => {
      if (after > now.seq) return null
      if (after >= from) return { from: after, to: now.seq, set: [], patch: [], del: [] }
      const frames = ring.filter((frame) => frame.to > after)
      const first = frames[0]
      if (first === undefined || first.from > after) return null
      const set = new Map<RowId, AnyRow>()
      const del = new Set<RowId>()
      for (const frame of frames) {
        for (const id of frame.del) {
          set.delete(id)
          del.add(id)
        }
        for (const row of frame.set) {
          set.set(row.id, row)
          del.delete(row.id)
        }
      }
      return { from: first.from, to: now.seq, set: [...set.values()], patch: [], del: [...del] }
    },
  }
}
