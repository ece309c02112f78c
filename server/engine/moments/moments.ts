/**
 * The world at a moment of a task: the task's own entries up to it, with all that has left by then. Entries are reduced in
 * slices, from the nearest point before; checkpoints in memory share what they have in common, others are in the store.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { decodeEntry } from '@/lib/mas/decode'
import type { Entry, MasEvent } from '@/lib/mas/events'
import type { TaskId } from '@/lib/mas/ids'
import { emptyWorld, type World } from '@/lib/mas/records'
import { reduceStored } from '@/lib/mas/reduce/reduceAll'
import type { Archive } from '../../store'
import { type LeftBranches, type LeftChain, leftSince, withAllLeft, withLeaving, withLink } from './leftRecords'
import { bytesBetween, bytesOf } from './roughBytes'
import { openStoredPoints, STORE_EVERY, type StoredPointsParts, type UnsavedPoint } from './storedPoints'

type MomentsParts = StoredPointsParts & {
  archive: Archive
  /** Milliseconds that only increase. */
  clock: () => number
  /** Lets others have the thread. */
  turn?: () => Promise<void>
  /** The greatest estimate of memory. */
  mostBytes?: number
  /** Entries between two points in the store. */
  storeEvery?: number
}

/** Entries between two checkpoints, and entries that one query reads. */
export const CHECKPOINT_EVERY = 1_000
const PAGE = 250
/** Time that one slice takes. */
const SLICE_MS = 5
/** Tasks that are kept, and their memory. */
const MOST_TASKS = 2
const MOST_BYTES = 256 * 1024 * 1024
/** Memory of a byte of JSON. */
const OF_JSON = 2

/**
 * after: the last entry that was read; count: of all until then; world: without `left`, so that each entry copies little
 * parts: the entries of the points in the store until then; base: what had left at the last of them
 */
type Point = { after: number; count: number; world: World; left: LeftChain; parts: readonly number[]; base: LeftChain }
/** events, maps: the memory of what it does not share with the checkpoint before */
type Checkpoint = Point & { events: number; maps: number }
/** upTo: no entry of the task is between `after` and this one; whole: with what left */
type Stand = Point & { upTo: number; whole: World }
/**
 * checkpoints: the oldest first; last: the moment that was asked for last; queue: one reads at a time
 *
 * stored     the entries of the points in the store, the newest first; null: not read yet
 * links      what had left at them, read before; linkBytes: their memory
 */
type Kept = {
  checkpoints: Checkpoint[]
  last: Stand | null
  queue: Promise<unknown>
  stored: number[] | null
  links: Map<number, LeftChain>
  linkBytes: number
  unsaved: UnsavedPoint[]
}

const START: Point = { after: 0, count: 0, world: emptyWorld, left: null, parts: [], base: null }
const nothingKept = (): Kept => ({
  ...{ checkpoints: [], last: null, queue: Promise.resolve() },
  ...{ stored: null, links: new Map(), linkBytes: 0, unsaved: [] },
})

/** A task that has left the world, or came back, is shown as if it had stayed. */
const MOVES: ReadonlySet<MasEvent['type']> = new Set(['task.archived', 'task.woken'])

function next(task: TaskId, before: Point, entry: Entry): Point {
  const { world, left } = before
  const { type } = entry.event
  const head = { ...before, after: entry.seq, count: before.count + 1 }
  if (MOVES.has(type)) return head
  const now = reduceStored(world, entry)
  const isLeaving = type === 'records.evicted' || type === 'thread.retired'
  return { ...head, world: now, left: isLeaving ? withLeaving(left, task, world, now) : left }
}

/** The point with what left since the one before as one link, as it comes back from the store. */
function toStore(point: Point): { records: LeftBranches; point: Point } {
  const records = leftSince(point.left, point.base)
  const left = withLink(point.base, records)
  return { records, point: { ...point, left, base: left, parts: [...point.parts, point.after] } }
}

export type Moments = ReturnType<typeof openMoments>

export function openMoments(given: MomentsParts) {
  const { archive, clock, turn = nextTurn, mostBytes = MOST_BYTES, storeEvery = STORE_EVERY } = given
  const points = openStoredPoints(given)
  /** What was used last is last. */
  const kept = new Map<TaskId, Kept>()

  async function read(task: TaskId, own: Kept, seq: number): Promise<World> {
    const { last } = own
    if (last !== null && last.after <= seq && seq <= last.upTo) return last.whole
    const point = await readTo(task, own, seq, await nearest(task, own, seq, true))
    save(task, own)
    const whole = await withAllLeft(point.world, task, point.left, pausesOf(clock, turn).pause)
    own.last = { ...point, upTo: seq, whole }
    dropOldest(kept, mostBytes)
    return whole
  }

  async function readTo(task: TaskId, own: Kept, seq: number, from: Point): Promise<Point> {
    let point = from
    let bytes = 0
    const { pause, restart } = pausesOf(clock, turn)
    for (;;) {
      const page = await archive.entriesOf('task', task, point.after, PAGE)
      restart()
      for (const stored of page) {
        if (stored.seq > seq) return point
        point = next(task, point, decodeEntry(stored))
        bytes += bytesOf(stored.event)
        if (point.count % storeEvery === 0) point = keepForStore(own, point)
        if (point.count % CHECKPOINT_EVERY === 0 && addCheckpoint(own, point, bytes)) bytes = 0
        await pause()
      }
      if (page.length < PAGE) return point
    }
  }

  /** The point from which the fewest entries are read. in: withLeft false: what had left at a stored point is not read */
  async function nearest(task: TaskId, own: Kept, seq: number, withLeft: boolean): Promise<Point> {
    const { last } = own
    const before: Point = own.checkpoints.findLast(({ after }) => after <= seq) ?? START
    const held = last !== null && last.after <= seq && last.after > before.after ? last : before
    own.stored ??= await points.list(task)
    for (const stored of own.stored) {
      if (stored > seq) continue
      if (stored <= held.after) break
      const found = await fromStore(task, own, stored, withLeft)
      if (found !== null) return found
    }
    return held
  }

  async function fromStore(task: TaskId, own: Kept, seq: number, withLeft: boolean): Promise<Point | null> {
    const found = await points.world(task, seq)
    if (found === null) return null
    const { count, world, parts } = found.held
    let left: LeftChain = null
    for (const part of withLeft ? parts : []) {
      const known = own.links.get(part)
      if (known === undefined) {
        await turn()
        const records = await points.left(task, part)
        if (records === null) return null
        left = withLink(left, records.held)
        own.links.set(part, left)
        own.linkBytes += records.bytes * OF_JSON
      } else left = known
    }
    const point: Point = { after: seq, count, world, left, parts, base: left }
    addCheckpoint(own, point, found.bytes * OF_JSON)
    return point
  }

  function save(task: TaskId, own: Kept): void {
    points.write(task, own.unsaved.splice(0), (seq) => {
      own.stored = [...new Set([seq, ...(own.stored ?? [])])].sort((a, b) => b - a)
    })
  }

  function ownOf(task: TaskId): Kept {
    const own = kept.get(task) ?? nothingKept()
    kept.delete(task)
    kept.set(task, own)
    return own
  }

  return {
    /**
     * The task as it was after that entry, with all that it ever held until then; nothing else is in that world.
     *
     * in      seq: not beyond what is durable
     * out     null: the task has no entry until then, or was erased
     */
    async worldAt(task: TaskId, seq: number): Promise<World | null> {
      const own = ownOf(task)
      const world = await inTurn(own, () => read(task, own, seq))
      return world.tasks[task] === undefined ? null : world
    },
    /** Stores the points of a task that are not stored yet, until that entry. Nothing of it stays in memory. */
    async store(task: TaskId, seq: number): Promise<void> {
      if (!points.mayWrite(task)) return
      const own = nothingKept()
      await readTo(task, own, seq, await nearest(task, own, seq, false))
      save(task, own)
      await points.settled()
    },
    /** It was erased. */
    forget: (task: TaskId): void => {
      kept.delete(task)
    },
    /** What is being stored is, and nothing more. */
    close: points.close,
    /** Of all tasks that are kept, estimated. */
    bytes: (): number => bytesOfAll(kept),
    checkpoints: (task: TaskId): number => kept.get(task)?.checkpoints.length ?? 0,
    /** What is being stored is stored. */
    settled: points.settled,
  }
}

/** pause: lets others have the thread where the slice has taken its time; restart: another slice begins */
function pausesOf(clock: () => number, turn: () => Promise<void>) {
  let began = clock()
  const restart = (): void => {
    began = clock()
  }
  return {
    restart,
    pause: (): Promise<void> | undefined => (clock() - began <= SLICE_MS ? undefined : turn().then(restart)),
  }
}

/** in: bytes: of the events since the point from which was read. out: it is new */
function addCheckpoint(own: Kept, point: Point, bytes: number): boolean {
  const at = own.checkpoints.findLastIndex(({ count }) => count <= point.count)
  const before = own.checkpoints[at]
  if (before?.count === point.count) return false
  const maps = bytesBetween(before?.world ?? emptyWorld, point.world)
  own.checkpoints.splice(at + 1, 0, { ...point, events: bytes, maps })
  return true
}

function keepForStore(own: Kept, point: Point): Point {
  const { point: made, records } = toStore(point)
  const isKnown = own.stored?.includes(point.after) ?? false
  const { count, world, parts } = made
  if (!isKnown) own.unsaved.push({ held: { count, world, parts }, left: records })
  return made
}

/** One after another, of one task. */
function inTurn<Found>(own: Kept, work: () => Promise<Found>): Promise<Found> {
  const found = own.queue.then(work, work)
  own.queue = found
  return found
}

function dropOldest(kept: Map<TaskId, Kept>, mostBytes: number): void {
  for (const task of kept.keys()) {
    if (kept.size === 1 || (kept.size <= MOST_TASKS && bytesOfAll(kept) <= mostBytes)) break
    kept.delete(task)
  }
  for (const own of kept.values()) {
    while (bytesOfAll(kept) > mostBytes && own.checkpoints.length > 0) thin(own)
    if (bytesOfAll(kept) > mostBytes) dropLinks(own)
  }
}

const bytesOfAll = (kept: ReadonlyMap<TaskId, Kept>): number =>
  [...kept.values()].reduce((sum, own) => sum + bytesHeld(own), 0)

const bytesHeld = ({ checkpoints, linkBytes }: Kept): number =>
  checkpoints.reduce((sum, { events, maps }) => sum + events + maps, linkBytes)

function dropLinks(own: Kept): void {
  own.links.clear()
  own.linkBytes = 0
}

/** Drops every second one, of which the next holds all that came with its events. */
function thin(own: Kept): void {
  const left = own.checkpoints.filter((_, n) => n % 2 === 1)
  own.checkpoints = left.map((point, n) => ({
    ...point,
    events: point.events + (own.checkpoints[2 * n]?.events ?? 0),
    maps: bytesBetween(left[n - 1]?.world ?? emptyWorld, point.world),
  }))
}
