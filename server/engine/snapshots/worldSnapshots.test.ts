/** The world in pieces: the same world comes back, what did not change is not written again, a death in between loses nothing. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { World } from '@/lib/mas/records'
import { emptyWorld, REDUCER_VERSION } from '@/lib/mas/reduce'
import { reduceAll } from '@/lib/mas/reduce/reduceAll'
import { memoryStore } from '@/test/memoryStore'
import { anyMoves, walk } from '@/test/worldHistories'
import { openSqliteStore, type Snapshots, type Store } from '../../store'
import { openWorldSnapshots, pieceKey } from './worldSnapshots'

/** Collect the garbage until that is so; a reference is held until the end of the turn that looked at it. */
async function collected(isSo: () => boolean): Promise<void> {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  for (let turn = 0; turn < 20 && !isSo(); turn++) {
    await new Promise(setImmediate)
    if (typeof gc === 'function') gc()
  }
  expect(isSo()).toBe(true)
}

const noTurn = async (): Promise<void> => {}
const onDisk = async (): Promise<Store> => {
  const folder = await mkdtemp(join(tmpdir(), 'convene-snapshots-'))
  const store = await openSqliteStore(folder)
  onTestFinished(async () => {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  })
  return store
}
const fresh = ({ snapshots }: Pick<Store, 'snapshots'> = memoryStore({})) => {
  const written: string[] = []
  /** Writes until `left` are used up, as a process that dies then. */
  const state = { left: Number.POSITIVE_INFINITY }
  const mortal: Snapshots = {
    ...snapshots,
    async save(snapshot) {
      if (state.left <= 0) throw new Error('the process is gone')
      state.left -= 1
      written.push(snapshot.key)
      await snapshots.save(snapshot)
    },
  }
  return { snapshots, mortal, written, state }
}

describe('the world in pieces', () => {
  it('comes back as it was, and goes on as it would have', async () => {
    await fc.assert(
      fc.asyncProperty(anyMoves(60), fc.nat(), async (moves, pick) => {
        const { entries, world } = walk(moves)
        const cut = pick % (entries.length + 1)
        const { snapshots } = fresh()
        await openWorldSnapshots(snapshots, noTurn).save(reduceAll(emptyWorld, entries.slice(0, cut)))
        const loaded = await openWorldSnapshots(snapshots, noTurn).load()
        expect(reduceAll(loaded, entries.slice(loaded.seq))).toEqual(world)
      }),
      { numRuns: process.env.CONVENE_ALL ? 300 : 25 },
    )
  })

  it('[S13] a task that did not change is not written again, before and after a restart', async () => {
    const { snapshots, mortal, written } = fresh()
    const { world } = walk([])
    const task = Object.values(world.tasks).find((one) => !one.base)
    if (!task) throw new Error('no task')
    const keeper = openWorldSnapshots(mortal, noTurn)
    await keeper.save(world)
    expect(written).toContain(pieceKey(task.id))
    const change = { ...world, seq: world.seq + 1, tasks: { ...world.tasks, [task.id]: { ...task, name: 'other' } } }
    written.length = 0
    await keeper.save(change)
    expect(written).toEqual([pieceKey(task.id), 'world'])
    const again = openWorldSnapshots(mortal, noTurn)
    const loaded = await again.load()
    expect(loaded).toEqual(change)
    written.length = 0
    await again.save({ ...loaded, seq: loaded.seq + 1 })
    expect(written).toEqual(['world'])
    expect((await snapshots.list(pieceKey(task.id))).map(({ seq }) => seq)).toEqual([change.seq, world.seq])
  })

  it('[R206] records that leave the world after they were kept are not held in memory', async () => {
    const { mortal, written } = fresh()
    const keeper = openWorldSnapshots(mortal, noTurn)
    let world: World | null = walk([]).world
    const task = Object.values(world.tasks).find((one) => !one.base)?.id
    if (!task) throw new Error('no task')
    await keeper.save(world)
    const seen = new WeakRef(world.steps[task] ?? {})
    // Nothing but what was kept still knows them.
    world = { ...JSON.parse(JSON.stringify(world)), steps: {} }
    await collected(() => seen.deref() === undefined)
    written.length = 0
    if (world) await keeper.save(world)
    expect(written).toContain(pieceKey(task))
  })

  it.each([
    ['in memory', async () => memoryStore({})],
    ['on disk', onDisk],
  ])('[S13] a death after any number of writes leaves the newest that was whole, %s', async (_, open) => {
    const { world } = walk([])
    const later = {
      ...world,
      seq: world.seq + 1,
      info: Object.fromEntries(Object.keys(world.tasks).map((task) => [task, []])),
    }
    for (let writes = 0; writes <= 3; writes++) {
      const { snapshots, mortal, state } = fresh(await open())
      const keeper = openWorldSnapshots(mortal, noTurn)
      await keeper.save(world)
      state.left = writes
      const saved = keeper.save(later)
      if (writes < 3) await expect(saved).rejects.toThrow('gone')
      else await saved
      expect(await openWorldSnapshots(snapshots, noTurn).load()).toEqual(writes < 3 ? world : later)
    }
  })

  it('without one of its pieces is passed over for an older one', async () => {
    const { snapshots } = fresh()
    const { world } = walk([])
    const keeper = openWorldSnapshots(snapshots, noTurn)
    await keeper.save(world)
    const pieces = Object.fromEntries(Object.keys(world.tasks).map((task) => [task, world.seq + 5]))
    const data = new TextEncoder().encode(JSON.stringify({ world: { ...world, seq: world.seq + 5 }, pieces }))
    await snapshots.save({ key: 'world', seq: world.seq + 5, reducer: REDUCER_VERSION, at: 1, data })
    expect((await openWorldSnapshots(snapshots, noTurn).load()).seq).toBe(world.seq)
  })
})
