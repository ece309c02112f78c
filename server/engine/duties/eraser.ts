/**
 * Erases what the store has of erased tasks, after the decision and again after a start: bodies that nothing else names,
 * envelopes, snapshots that hold them, and at last their entries, whose texts are needed to find the bodies. The first entry of
 * a task is emptied last: as long as it is whole, the work is repeated.
 */
import type { TaskId } from '@/lib/mas/ids'
import type { ErasedRecord, World } from '@/lib/mas/records'
import type { Schedule } from '../../shared/later'
import type { Store } from '../../store'
import { momentKeysOf } from '../moments/storedPoints'
import { pieceKey, WORLD_KEY } from '../snapshots/worldSnapshots'
import { createForgetter } from './sweep'

const AGAIN_MS = 60_000

type EraserParts = {
  store: Pick<Store, 'journal' | 'archive' | 'bodies' | 'snapshots' | 'envelopes'>
  world: () => World
  /** Stores the world as it is now. */
  save: () => Promise<void>
  /** Bodies that people's own rows name. */
  named: (world: World, now: number) => Promise<string[]>
  now: () => number
  schedule: Schedule
  onErased: () => void
  /** Called with each failure; it is tried again after a minute. */
  onTrouble: (error: unknown, task: TaskId) => void
}

export function createEraser({ store, world, save, named, now, schedule, onErased, onTrouble }: EraserParts) {
  const { journal, snapshots } = store
  const forget = createForgetter({ store, named: (at) => named(world(), at) })
  const done = new Set<TaskId>()
  let running = Promise.resolve()
  let isStopped = false
  let stopTimer = (): void => {}

  async function erase(task: TaskId, { at, seq: by, from, to }: ErasedRecord): Promise<void> {
    const [first] = await journal.read(from - 1, 1, from)
    if (first === undefined || first.event.type === 'entry.erased') return
    await forget([{ at, task, thread: null }], at + 1, now())
    await store.envelopes.erase(task)
    await save()
    for (const key of [pieceKey(task), ...momentKeysOf(task)]) await snapshots.remove(key, Number.MAX_SAFE_INTEGER)
    await snapshots.remove(WORLD_KEY, by)
    await journal.erase({ task, from, to, by })
    onErased()
  }

  async function eraseAll(): Promise<void> {
    for (const [task, record] of Object.entries(world().erased) as [TaskId, ErasedRecord][]) {
      if (isStopped) return
      if (done.has(task)) continue
      try {
        await erase(task, record)
        done.add(task)
      } catch (error) {
        if (isStopped) return
        onTrouble(error, task)
        stopTimer()
        stopTimer = schedule(look, AGAIN_MS)
      }
    }
  }

  function look(): void {
    running = running.then(eraseAll)
  }

  return {
    /** Something may have been erased. */
    look,
    /** What is being erased now is erased, or failed. */
    settled: (): Promise<void> => running,
    stop(): void {
      isStopped = true
      stopTimer()
    },
  }
}
