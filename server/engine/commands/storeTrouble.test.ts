/** The engine while its store cannot be written, and when it can be again: nothing acknowledged is lost, nothing is done twice. */
import { afterEach, describe, expect, it } from 'vitest'
import type { StepRecord, World } from '@/lib/mas/records'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { ask, isFinished, openPart } from '@/test/enginePart'
import { type FaultyStore, faultyStore } from '@/test/faultyStore'
import { handClock } from '@/test/handClock'
import { memoryData, memoryStore } from '@/test/memoryStore'
import { openTestEngine, type TestEngine } from '@/test/testEngine'
import { BASE_TASK, planned, send, TEAM } from '@/test/worldHistories'
import type { ToolOutcome } from '../../tools'
import type { CommitAnswer, Engine } from '../port'

const BROKEN = { ok: false, fault: { code: 'STORE_BROKEN' } }
const done: ToolOutcome = { ok: true, result: { isError: false, content: [{ type: 'text', text: '7' }] } }
const say = (text: string) => send(TEAM.ana.id, [TEAM.ben.id], { text })
const messages = (world: World): string[] =>
  Object.values(world.messages[BASE_TASK] ?? {}).map((message) => message.text)
const steps = (world: World): StepRecord[] =>
  Object.values(world.steps).flatMap((agents) => Object.values(agents).flatMap((own) => stepsIn(own)))
const newStore = (): FaultyStore => faultyStore(memoryStore({ data: memoryData() }))

let test: TestEngine | null = null
afterEach(async () => {
  await test?.engine.stop()
  test = null
})
const open = async (options: Parameters<typeof openTestEngine>[0]): Promise<TestEngine> => {
  test = await openTestEngine(options)
  return test
}
/** Resolves when the engine takes commands again. */
async function untilOk(engine: Engine): Promise<void> {
  while (engine.storeState().is !== 'ok') await new Promise((resolve) => setImmediate(resolve))
}

describe('a store that cannot be written', () => {
  it('[R80] refuses people in words, can be read, and goes on under a new epoch when it can be written', async () => {
    const store = newStore()
    const broke: unknown[] = []
    const { engine, put } = await open({ store, onBroken: (error) => broke.push(error) })
    await put(TEAM.ana.id, say('before'))
    const { seq, epoch } = engine.world()
    expect(engine.storeState()).toEqual({ is: 'ok' })
    store.script('refuse')
    const refused = await Promise.all([put(TEAM.ana.id, say('one')), put(TEAM.ben.id, say('two'))])
    expect(refused).toMatchObject([BROKEN, BROKEN])
    expect(engine.storeState()).toMatchObject({ is: 'refusing', reason: expect.stringContaining('disk full') })
    const appends = store.appends.length
    expect(await put(TEAM.ana.id, say('later'))).toMatchObject(BROKEN)
    // Nothing is tried over the failure.
    expect(store.appends.length).toBe(appends)
    expect(messages(engine.world())).toEqual(['before'])
    expect((await store.journal.read(0, 1_000)).at(-1)?.seq).toBe(seq)

    store.comeBack()
    await untilOk(engine)
    expect(engine.world().epoch).toBe(epoch + 1)
    expect(await put(TEAM.ana.id, say('after'))).toMatchObject({ ok: true })
    expect(messages(engine.world())).toEqual(['before', 'after'])
    expect(broke).toEqual([])
  })

  it.each([
    ['refuse', ['mine']],
    ['refuseAfter', ['mine']],
  ] as const)('[R80] a command that it failed at (%s) is there once when it is repeated', async (fate, expected) => {
    const store = newStore()
    const { engine, put } = await open({ store })
    store.script(fate)
    expect(await put(TEAM.ana.id, say('mine'), { id: 'c1' })).toMatchObject(BROKEN)
    expect(messages(engine.world())).toEqual([])
    store.comeBack()
    const first = await untilOk(engine).then(() => put(TEAM.ana.id, say('mine'), { id: 'c1' }))
    expect(first).toMatchObject({ ok: true })
    expect(messages(engine.world())).toEqual(expected)
    expect(await put(TEAM.ana.id, say('mine'), { id: 'c1' })).toEqual(first)
    expect((await store.journal.outcome('c1', TEAM.ana.id))?.seq).toBe(first.ok ? first.seq : null)
  })

  it('[R80] ends the engine when what comes back lacks entries that were acknowledged', async () => {
    const inner = memoryStore({ data: memoryData() })
    const store = faultyStore(inner)
    const broke: unknown[] = []
    const { put } = await open({ store, onBroken: (error) => broke.push(error) })
    await put(TEAM.ana.id, say('acknowledged'))
    store.script('refuse')
    await put(TEAM.ana.id, say('refused'))
    const other = memoryStore({ data: memoryData() })
    await other.journal.take('elsewhere')
    store.journal.head = () => other.journal.head()
    store.comeBack()
    while (broke.length === 0) await new Promise((resolve) => setImmediate(resolve))
    expect(String(broke[0])).toContain('was acknowledged')
    expect(await put(TEAM.ana.id, say('late'))).toMatchObject(BROKEN)
  })

  it('[R80] that is lost stops the agents with work too, and nothing turns in a circle', async () => {
    const store = newStore()
    store.onState((state) => {
      if (state.is === 'refusing') setImmediate(() => store.lose('the folder is gone'))
    })
    const broke: unknown[] = []
    const { engine, put } = await open({ store, onBroken: (error) => broke.push(error) })
    store.script('pass', 'refuse')
    await put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.manager.id], { text: 'work' }))
    while (broke.length === 0) await new Promise((resolve) => setImmediate(resolve))
    // The loop still turns.
    await new Promise((resolve) => setTimeout(resolve))
    expect(engine.storeState().is).toBe('lost')
  })

  it('[R80] that fails at the very start is the end at once: nobody waits for it', async () => {
    const store = newStore()
    store.script('refuse')
    const broke: unknown[] = []
    await expect(openTestEngine({ store, onBroken: (error) => broke.push(error) })).rejects.toMatchObject({
      code: 'STORE_BROKEN',
    })
    expect(broke).toHaveLength(1)
  })

  it('[R80] keeps no stop waiting: what was held is refused', async () => {
    const store = newStore()
    let finish = (): void => {}
    const working = new Promise<void>((resolve) => {
      finish = resolve
    })
    let begun = (): void => {}
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve
    })
    const { engine, put } = await openTestEngine({
      store,
      async skill() {
        begun()
        await working
        return null
      },
    })
    await put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.manager.id], { text: 'work' }))
    await hasBegun
    store.script('refuse')
    expect(await put(TEAM.ana.id, say('lost'))).toMatchObject(BROKEN)
    finish()
    // Its outcome is handed in, and held.
    for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve))
    await engine.stop()
    expect(engine.storeState().is).toBe('refusing')
  })
})

describe('what agents do', () => {
  const run = async (trouble: (store: FaultyStore) => void): Promise<{ calls: string[]; appends: number }> => {
    const store = newStore()
    const part = await openPart([planned('files', 'tool')], {
      store,
      tools: { count: { info: {}, call: () => done } },
    })
    test = part
    const before = store.appends.length
    store.onState((state) => {
      if (state.is === 'refusing') setImmediate(() => store.comeBack())
    })
    trouble(store)
    const asked = await ask(part).catch(() => null)
    // The asker's own message may be what was refused: then it is sent again, as the page does.
    if (asked?.ok !== true) await untilOk(part.engine).then(() => ask(part))
    const world = await part.until(isFinished)
    expect(steps(world).filter((step) => step.state === 'running')).toEqual([])
    await part.engine.stop()
    test = null
    return { calls: part.pool.calls, appends: store.appends.length - before }
  }

  it.each(['refuse', 'refuseAfter'] as const)(
    '[R80] is held and done once, whichever append it is that fails (%s)',
    { timeout: 60_000 },
    async (fate) => {
      const { appends, calls } = await run(() => {})
      expect(calls).toEqual(['count {"n":1}'])
      expect(appends).toBeGreaterThan(8)
      for (let nth = 1; nth < appends; nth++) {
        const after = await run((store) => store.script(...Array.from({ length: nth }, () => 'pass' as const), fate))
        expect(after.calls, `append ${nth}`).toEqual(calls)
      }
    },
  )

  it('[R80] and what falls due meanwhile: it is done once when the store is back', async () => {
    const clock = handClock()
    const store = faultyStore(memoryStore({ data: memoryData(), now: clock.now }))
    const { engine, put } = await open({ store, clock })
    const urgent = send(TEAM.ana.id, [TEAM.ben.id], { kind: 'action', due: clock.now() + 5_000 })
    expect(await put(TEAM.ana.id, urgent)).toMatchObject({ ok: true })
    const refusedAt = engine.world().seq
    store.script('refuse')
    clock.pass(10_000)
    while (engine.storeState().is === 'ok') await new Promise((resolve) => setImmediate(resolve))
    store.comeBack()
    await untilOk(engine)
    while (engine.world().seq === refusedAt + 1) await new Promise((resolve) => setImmediate(resolve))
    const entries = await store.journal.read(refusedAt, 1_000)
    expect(entries.map(({ event }) => event.type)[0]).toBe('sequencer.took')
    const fired = entries.filter(({ cause }) => cause.startsWith('timer:'))
    expect(new Set(fired.map(({ cause }) => cause)).size).toBe(1)
    clock.pass(60_000)
    expect((await store.journal.read(refusedAt, 1_000)).length).toBe(entries.length)
  })
})

describe('an append without an answer', () => {
  it('[R9] keeps the order: what was in it comes before what came after it', async () => {
    const store = newStore()
    const { engine, put } = await open({ store })
    store.script('lostBefore')
    const before = store.appends.length
    const late: Promise<CommitAnswer>[] = []
    const { append } = store.journal
    store.journal.append = (...args) => {
      store.journal.append = append
      late.push(put(TEAM.ana.id, say('three')), put(TEAM.ana.id, say('four')))
      return append(...args)
    }
    const early = await Promise.all([put(TEAM.ana.id, say('one')), put(TEAM.ana.id, say('two'))])
    const answers = [...early, ...(await Promise.all(late))]
    expect(store.appends[before]).toMatchObject({ fate: 'lostBefore', ids: [expect.anything(), expect.anything()] })
    expect(answers.every(({ ok }) => ok)).toBe(true)
    expect(messages(engine.world())).toEqual(['one', 'two', 'three', 'four'])
  })
})
