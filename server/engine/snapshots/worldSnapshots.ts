/**
 * The world as it is kept: what belongs to a task in a piece of its own, the rest with the list of pieces. A task that did not
 * change is not written again, and a restart reads what lives and not what ever was.
 *
 * The rest is written last: until it is there, the one before it holds, so a death while writing loses nothing.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  pieceOf,
  selectTasksHeld,
  type TaskPiece,
  type WholePiece,
  withoutTasks,
  withPieces,
} from '@/lib/mas/archive/branches'
import { asId, type TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { emptyWorld, REDUCER_VERSION } from '@/lib/mas/reduce'
import type { Snapshots } from '../../store'

export const WORLD_KEY = 'world'
export const pieceKey = (task: TaskId): string => `task:${task}`

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** `pieces`: task → the entry of the snapshot that holds its piece. */
type Kept = { world: World; pieces: Record<TaskId, number> }

/** marks: the branches that were kept, to compare with: what has left the world since is not held in memory for that. */
type Saved = { seq: number; marks: readonly unknown[] }

const marksOf = (piece: WholePiece): unknown[] =>
  Object.values(piece).map((branch) => (typeof branch === 'object' ? new WeakRef(branch) : branch))

const isAsMarked = (piece: WholePiece, marks: readonly unknown[]): boolean =>
  Object.values(piece).every((branch, n) => {
    const mark = marks[n]
    return branch === (mark instanceof WeakRef ? (mark.deref() ?? mark) : mark)
  })

/** in: `turn` lets others have the thread between two pieces. */
export function openWorldSnapshots(snapshots: Snapshots, turn: () => Promise<void> = nextTurn) {
  /** What is kept of each task that lives: the same piece again need not be written. */
  let saved = new Map<TaskId, Saved>()
  let saving: Promise<void> | null = null

  const write = (key: string, { seq, at }: World, what: unknown): Promise<void> =>
    snapshots.save({ key, seq, at, reducer: REDUCER_VERSION, data: encoder.encode(JSON.stringify(what)) })

  async function keep(world: World, task: TaskId): Promise<Saved> {
    const piece = pieceOf(world, task)
    const known = saved.get(task)
    if (known && isAsMarked(piece, known.marks)) return known
    const made = { seq: world.seq, marks: marksOf(piece) }
    await write(pieceKey(task), world, piece)
    saved.set(task, made)
    await turn()
    return made
  }

  async function saveAll(world: World): Promise<void> {
    const pieces: Record<TaskId, number> = {}
    for (const task of selectTasksHeld(world)) pieces[task] = (await keep(world, task)).seq
    const kept: Kept = { world: withoutTasks(world), pieces }
    await write(WORLD_KEY, world, kept)
    for (const task of saved.keys()) if (pieces[task] === undefined) saved.delete(task)
  }

  const settled = async (): Promise<void> => {
    // Its own caller gets the failure.
    await saving?.catch(() => {})
  }

  async function read<Shape>(key: string, seq: number): Promise<Shape | null> {
    const found = await snapshots.newest(key, REDUCER_VERSION, seq)
    return found?.seq === seq ? (JSON.parse(decoder.decode(found.data)) as Shape) : null
  }

  /** null: a piece of it is not there (any more). */
  async function loadAt(seq: number): Promise<World | null> {
    const kept = await read<Kept>(WORLD_KEY, seq)
    if (kept === null) return null
    const pieces = new Map<TaskId, TaskPiece>()
    const seen = new Map<TaskId, Saved>()
    for (const [id, at] of Object.entries(kept.pieces)) {
      const task = asId<TaskId>(id)
      const piece = await read<TaskPiece>(pieceKey(task), at)
      if (piece === null) return null
      pieces.set(task, piece)
    }
    // What was kept before a branch came to be has none of it.
    const world = withPieces({ ...emptyWorld, ...kept.world }, pieces)
    for (const task of pieces.keys())
      seen.set(task, { seq: kept.pieces[task] ?? 0, marks: marksOf(pieceOf(world, task)) })
    saved = seen
    return world
  }

  return {
    /** The newest state that was kept by this version of the reducers and is whole, else the empty world. */
    async load(): Promise<World> {
      const rows = await snapshots.list(WORLD_KEY)
      for (const { seq, reducer } of rows) {
        const world = reducer === REDUCER_VERSION ? await loadAt(seq) : null
        if (world) return world
      }
      return emptyWorld
    },
    /** Keep the world as it is now. One at a time; a call while another runs is that one. */
    save(world: World): Promise<void> {
      saving ??= saveAll(world).finally(() => {
        saving = null
      })
      return saving
    },
    /** Keep one task as it is now, unless it is kept so already: it is about to leave the world. */
    async savePiece(world: World, task: TaskId): Promise<void> {
      await settled()
      await keep(world, task)
    },
    /** What is being kept now is kept, or failed. */
    settled,
  }
}

export type WorldSnapshots = ReturnType<typeof openWorldSnapshots>
