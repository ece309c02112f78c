/** When the engine keeps the world, so that the next start reads little. */
import { afterEach, describe, expect, it } from 'vitest'
import { TASK_ARCHIVE_AFTER_MS } from '@/lib/mas/archive/archivable'
import { REDUCER_VERSION } from '@/lib/mas/reduce'
import { faultyStore } from '@/test/faultyStore'
import { handClock } from '@/test/handClock'
import { memoryData, memoryStore } from '@/test/memoryStore'
import { openTestEngine, type TestEngine } from '@/test/testEngine'
import { send, TEAM } from '@/test/worldHistories'
import { pieceKey } from './worldSnapshots'

const MINUTE = 60_000
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const turns = async (): Promise<void> => {
  for (let n = 0; n < 50; n++) await turn()
}
let test: TestEngine | null = null
afterEach(async () => {
  await test?.engine.stop()
  test = null
})

async function opened() {
  const clock = handClock()
  const store = faultyStore(memoryStore({ data: memoryData(), now: clock.now }))
  const engine = await openTestEngine({ store, clock })
  test = engine
  const kept = async (): Promise<number | null> => (await store.snapshots.list('world'))[0]?.seq ?? null
  const say = () => engine.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.ben.id]))
  return { ...engine, clock, store, kept, say }
}

describe('the world', () => {
  it('is kept a minute after the first change, and not before; without a change never again', async () => {
    const { clock, kept, say, world, store } = await opened()
    const before = await kept()
    await say()
    clock.pass(MINUTE - 1)
    await turns()
    expect(await kept()).toBe(before)
    await say()
    clock.pass(1)
    await turns()
    expect(await kept()).toBe(world().seq)
    const count = (await store.snapshots.list('world')).length
    clock.pass(60 * MINUTE)
    await turns()
    expect(await store.snapshots.list('world')).toHaveLength(count)
    await say()
    clock.pass(MINUTE)
    await turns()
    expect(await kept()).toBe(world().seq)
  })

  it('[R205] is kept at once when the engine is told that there is little to do', async () => {
    const { engine, kept, say, world } = await opened()
    await say()
    engine.rest()
    await turns()
    expect(await kept()).toBe(world().seq)
  })

  it('is kept when the engine stops, with all that was taken before', async () => {
    const { engine, kept, say, store } = await opened()
    const answers = [say(), say()]
    await engine.stop()
    test = null
    const seqs = (await Promise.all(answers)).map((answer) => (answer.ok ? answer.seq : null))
    expect(await kept()).toBe(seqs[1])
    expect((await store.journal.head()).seq).toBe(seqs[1])
  })

  it('[R378] is not waited for by a stop for longer than a moment', async () => {
    const { engine, store, say, clock } = await opened()
    await say()
    let isStopped = false
    store.snapshots.save = () => new Promise(() => {})
    const stopped = engine.stop().then(() => {
      isStopped = true
    })
    await turns()
    clock.pass(1_499)
    await turns()
    expect(isStopped).toBe(false)
    clock.pass(1)
    await stopped
    test = null
  })

  it('is not kept by a stop while the store cannot be written', async () => {
    const { engine, kept, say, store } = await opened()
    await say()
    store.script('refuse')
    await say()
    const before = await kept()
    await engine.stop()
    test = null
    expect(await kept()).toBe(before)
  })
})

it('what falls due without leaving the world keeps no task', async () => {
  const { put, clock, store, until } = await opened()
  const due = clock.now() + 5_000
  await put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.ben.id], { kind: 'action', due }))
  const isExpired = until((world) =>
    Object.values(world.requests).some((own) => Object.values(own).some(({ state }) => state === 'expired')),
  )
  clock.pass(5_000)
  await isExpired
  await turns()
  expect((await store.snapshots.list()).map(({ key }) => key)).toEqual([])
})

describe('a task that leaves', () => {
  /** A task that ended a moment ago. */
  async function ended() {
    const opening = await opened()
    const { put, store, until } = opening
    const made = await put(TEAM.ana.id, {
      type: 'makeTask',
      name: 'Count',
      intention: 'count',
      manager: TEAM.manager.id,
      members: [TEAM.ben.id],
      stages: [],
      reason: 'needed',
    })
    expect(made.ok).toBe(true)
    const task = Object.values((await until(() => true)).tasks).find((one) => !one.base)?.id
    if (!task) throw new Error('no task')
    await put(TEAM.ana.id, { type: 'finishTask', task, state: 'finished', summary: 'All of it.', reason: 'done' })
    return { ...opening, task, piece: () => store.snapshots.newest(pieceKey(task), REDUCER_VERSION) }
  }

  it('is kept as it was before it goes, a day after its end', async () => {
    const { clock, until, task, piece } = await ended()
    const isGone = until((world) => world.tasks[task] === undefined)
    clock.pass(TASK_ARCHIVE_AFTER_MS - 1)
    await turns()
    expect(test?.world().tasks[task]).toBeDefined()
    // What somebody has not seen yet may hold it longer.
    for (let days = 0; days < 10; days++) {
      clock.pass(TASK_ARCHIVE_AFTER_MS)
      await turns()
    }
    const left = await isGone
    const kept = await piece()
    expect(kept?.seq).toBeLessThan(left.seq)
    expect(JSON.parse(new TextDecoder().decode(kept?.data))).toMatchObject({ tasks: { id: task, state: 'finished' } })
  })

  it('is kept then, where no snapshot of the world could be kept since its end', async () => {
    const { clock, store, until, task, piece } = await ended()
    const { save } = store.snapshots
    store.snapshots.save = () => Promise.reject(new Error('the disk is full'))
    clock.pass(MINUTE)
    await turns()
    store.snapshots.save = save
    expect(await piece()).toBeNull()
    const isGone = until((world) => world.tasks[task] === undefined)
    for (let days = 0; days < 10; days++) {
      clock.pass(TASK_ARCHIVE_AFTER_MS)
      await turns()
    }
    await isGone
    expect(JSON.parse(new TextDecoder().decode((await piece())?.data))).toMatchObject({ tasks: { id: task } })
  })
})
