/**
 * Points of a task in the store, every 5,000 of its entries: the world made of its entries until then, and beside it what left
 * since the point before. The world names all parts that it needs and is written last: a death in between loses nothing.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { emptyWorld, REDUCER_VERSION } from '@/lib/mas/reduce'
import { momentKey, type Snapshots } from '../../store'
import type { LeftBranches } from './leftRecords'

/** Entries of a task between two points. */
export const STORE_EVERY = 5_000

/** count: of the entries until then; parts: the entries of all points until then, this one included */
type KeptWorld = { count: number; world: World; parts: readonly number[] }
/** bytes: of the JSON */
type Read<Held> = { held: Held; bytes: number }

const worldKey = (task: TaskId): string => momentKey(task, 'world')
const leftKey = (task: TaskId): string => momentKey(task, 'left')
/** Under which the points of a task are stored. */
export const momentKeysOf = (task: TaskId): readonly string[] => [worldKey(task), leftKey(task)]

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** A point that is to be stored, with what left since the one before. */
export type UnsavedPoint = { held: KeptWorld; left: LeftBranches }

export type StoredPointsParts = {
  snapshots: Pick<Snapshots, 'save' | 'newest' | 'list' | 'remove'>
  /** This node decides: only it stores points. */
  leads: () => boolean
  isErased: (task: TaskId) => boolean
  /** A point was not stored: it is when it is read again. */
  onTrouble: (error: unknown, task: TaskId) => void
  /** Lets others have the thread. */
  turn?: () => Promise<void>
}

export function openStoredPoints({ snapshots, leads, isErased, onTrouble, turn = nextTurn }: StoredPointsParts) {
  let writing: Promise<void> = Promise.resolve()
  let isClosed = false

  async function read<Held>(key: string, seq: number): Promise<Read<Held> | null> {
    const found = await snapshots.newest(key, REDUCER_VERSION, seq)
    if (found?.seq !== seq) return null
    return { held: JSON.parse(decoder.decode(found.data)) as Held, bytes: found.data.length }
  }
  const save = (key: string, { seq, at }: World, what: unknown): Promise<void> =>
    snapshots.save({ key, seq, at, reducer: REDUCER_VERSION, data: encoder.encode(JSON.stringify(what)) })
  const mayWrite = (task: TaskId): boolean => !isClosed && leads() && !isErased(task)

  async function writeAll(task: TaskId, points: readonly UnsavedPoint[], onWritten: (seq: number) => void) {
    for (const { held, left } of points) {
      await turn()
      if (!mayWrite(task)) return
      await save(leftKey(task), held.world, left)
      await save(worldKey(task), held.world, held)
      onWritten(held.world.seq)
      // The eraser may have been faster.
      if (isErased(task)) for (const key of momentKeysOf(task)) await snapshots.remove(key, Number.MAX_SAFE_INTEGER)
    }
  }

  return {
    /** The entries of the points that are stored by this version of the reducers, the newest first. */
    list: async (task: TaskId): Promise<number[]> =>
      (await snapshots.list(worldKey(task))).filter(({ reducer }) => reducer === REDUCER_VERSION).map(({ seq }) => seq),
    /** null: it is not there */
    async world(task: TaskId, seq: number): Promise<Read<KeptWorld> | null> {
      const found = await read<KeptWorld>(worldKey(task), seq)
      // What was kept before a branch came to be has none of it.
      return found && { ...found, held: { ...found.held, world: { ...emptyWorld, ...found.held.world } } }
    },
    /** What left after the point before, until this one; null: it is not there */
    left: (task: TaskId, seq: number): Promise<Read<LeftBranches> | null> => read<LeftBranches>(leftKey(task), seq),
    mayWrite,
    /** Stores points one after another, and not in the time of their readers. */
    write(task: TaskId, points: readonly UnsavedPoint[], onWritten: (seq: number) => void): void {
      if (points.length === 0) return
      writing = writing.then(() => writeAll(task, points, onWritten)).catch((error: unknown) => onTrouble(error, task))
    },
    /** What is being stored is stored. */
    settled: (): Promise<void> => writing,
    /** What is being stored is, and nothing more. */
    close(): Promise<void> {
      isClosed = true
      return writing
    },
  }
}
