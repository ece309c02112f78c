/**
 * The world at a moment of a task: the task's own entries up to it, with all that has left by then. Entries are reduced in
 * slices; checkpoints share what they have in common.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { decodeEntry } from '@/lib/mas/decode'
import type { Entry, MasEvent } from '@/lib/mas/events'
import type { TaskId } from '@/lib/mas/ids'
import { emptyWorld, type World } from '@/lib/mas/records'
import { reduceStored } from '@/lib/mas/reduce/reduceAll'
import type { Archive } from '../../store'
import { type LeftChain, withAllLeft, withLeaving } from './leftRecords'
import { bytesBetween, bytesOf } from './roughBytes'

type MomentsParts = {
  archive: Archive
  /** Milliseconds that only increase. */
  clock: () => number
  /** Lets others have the thread. */
  turn?: () => Promise<void>
  /** The greatest estimate of memory. */
  mostBytes?: number
}

/** Entries between two checkpoints, and entries that one query reads. */
export const CHECKPOINT_EVERY = 1_000
const PAGE = 250
/** Time that one slice takes. */
const SLICE_MS = 5
/** Tasks that are kept, and their memory. */
const MOST_TASKS = 2
const MOST_BYTES = 256 * 1024 * 1024

/** after: the last entry that was read; count: of all until then; world: without `left`, so that each entry copies little */
type Point = { after: number; count: number; world: World; left: LeftChain }
/** events, maps: the memory of what it does not share with the checkpoint before */
type Checkpoint = Point & { events: number; maps: number }
/** upTo: no entry of the task is between `after` and this one; whole: with what left */
type Stand = Point & { upTo: number; whole: World }
/** The oldest checkpoint first; last: the moment that was asked for last; queue: one reads at a time. */
type Kept = { checkpoints: Checkpoint[]; last: Stand | null; queue: Promise<unknown> }

const START: Point = { after: 0, count: 0, world: emptyWorld, left: null }

/** A task that has left the world, or came back, is shown as if it had stayed. */
const MOVES: ReadonlySet<MasEvent['type']> = new Set(['task.archived', 'task.woken'])

function next(task: TaskId, { count, world, left }: Point, entry: Entry): Point {
  const { type } = entry.event
  const head = { after: entry.seq, count: count + 1 }
  if (MOVES.has(type)) return { ...head, world, left }
  const now = reduceStored(world, entry)
  const isLeaving = type === 'records.evicted' || type === 'thread.retired'
  return { ...head, world: now, left: isLeaving ? withLeaving(left, task, world, now) : left }
}

export type Moments = ReturnType<typeof openMoments>

export function openMoments({ archive, clock, turn = nextTurn, mostBytes = MOST_BYTES }: MomentsParts) {
  /** What was used last is last. */
  const kept = new Map<TaskId, Kept>()

  async function read(task: TaskId, own: Kept, seq: number): Promise<World> {
    const { last } = own
    if (last !== null && last.after <= seq && seq <= last.upTo) return last.whole
    const before: Checkpoint | undefined = own.checkpoints.findLast(({ after }) => after <= seq)
    let point: Point =
      last !== null && last.after <= seq && last.after > (before?.after ?? 0) ? last : (before ?? START)
    let bytes = 0
    let began = clock()
    const pause = (): Promise<void> | undefined => {
      if (clock() - began <= SLICE_MS) return
      return turn().then(() => {
        began = clock()
      })
    }
    for (let isOver = false; !isOver; ) {
      const page = await archive.entriesOf('task', task, point.after, PAGE)
      began = clock()
      isOver = page.length < PAGE
      for (const stored of page) {
        if (stored.seq > seq) {
          isOver = true
          break
        }
        point = next(task, point, decodeEntry(stored))
        bytes += bytesOf(stored.event)
        if (point.count % CHECKPOINT_EVERY === 0 && addCheckpoint(own, point, bytes)) bytes = 0
        await pause()
      }
    }
    const whole = await withAllLeft(point.world, task, point.left, pause)
    own.last = { ...point, upTo: seq, whole }
    dropOldest()
    return whole
  }

  /** in: bytes: of the events since the one before. out: it is new */
  function addCheckpoint(own: Kept, point: Point, bytes: number): boolean {
    const before = own.checkpoints.at(-1)
    if ((before?.count ?? 0) >= point.count) return false
    own.checkpoints.push({ ...point, events: bytes, maps: bytesBetween(before?.world ?? emptyWorld, point.world) })
    return true
  }

  function dropOldest(): void {
    const bytes = (): number => [...kept.values()].reduce((sum, own) => sum + bytesHeld(own), 0)
    for (const task of kept.keys()) {
      if (kept.size === 1 || (kept.size <= MOST_TASKS && bytes() <= mostBytes)) break
      kept.delete(task)
    }
    for (const own of kept.values()) while (bytes() > mostBytes && own.checkpoints.length > 0) thin(own)
  }

  function ownOf(task: TaskId): Kept {
    const own = kept.get(task) ?? { checkpoints: [], last: null, queue: Promise.resolve() }
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
      const found = own.queue.then(
        () => read(task, own, seq),
        () => read(task, own, seq),
      )
      own.queue = found
      const world = await found
      return world.tasks[task] === undefined ? null : world
    },
    /** It was erased. */
    forget: (task: TaskId): void => {
      kept.delete(task)
    },
    /** Of all tasks that are kept, estimated. */
    bytes: (): number => [...kept.values()].reduce((sum, own) => sum + bytesHeld(own), 0),
    checkpoints: (task: TaskId): number => kept.get(task)?.checkpoints.length ?? 0,
  }
}

const bytesHeld = ({ checkpoints }: Kept): number =>
  checkpoints.reduce((sum, { events, maps }) => sum + events + maps, 0)

/** Drops every second one, of which the next holds all that came with its events. */
function thin(own: Kept): void {
  const left = own.checkpoints.filter((_, n) => n % 2 === 1)
  own.checkpoints = left.map((point, n) => ({
    ...point,
    events: point.events + (own.checkpoints[2 * n]?.events ?? 0),
    maps: bytesBetween(left[n - 1]?.world ?? emptyWorld, point.world),
  }))
}
