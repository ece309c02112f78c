/** Load: how it is spread over tasks, its pace, how far it is, and its texts. */
import { describe, expect, it } from 'vitest'
// The default model of the configuration that is shipped.
import '@/packages/rehearsal/register'
import { Fault } from '@/lib/faults'
import type { Envelope } from '@/lib/mas/commands/command'
import { decodeEntry } from '@/lib/mas/decode'
import type { Entry } from '@/lib/mas/events'
import { asId, type TaskId } from '@/lib/mas/ids'
import type { AgentRecord, Json, TaskRecord, World } from '@/lib/mas/records'
import type { CommitAnswer } from '@/server/engine/port'
import { memoryData, memoryStore } from '@/test/memoryStore'
import { storyOf } from '@/test/stories'
import { openBenchEngine } from '../lib/benchEngine'
import { createLoads } from '.'
import { loadTexts } from './texts'
import type { LoadWish } from './wish'

const WISH: LoadWish = {
  ...{ agents: 7, tasks: 3, stepsPerAgent: 100, changesPerSecond: 10, bytes: 50, seconds: 1_000, seed: 1 },
}

/** Loads over an engine that says what the test says. */
function bench(reply: (n: number) => Json | Fault = (n) => ({ task: `task ${n}` })) {
  let [ids, made, time] = [0, 0, 5_000]
  const put: Envelope[] = []
  let world: World = { ...storyOf().story.world, seq: 10, tasks: {} }
  const slept: number[] = []
  const loads = createLoads({
    newId: () => {
      ids += 1
      return `id-${ids}`
    },
    now: () => time,
    sleep: async (ms) => void slept.push(ms),
  })
  const driver = loads.driver({
    world: () => world,
    commit: async (envelope): Promise<CommitAnswer> => {
      put.push(envelope)
      if (envelope.command.type === 'changeSetup') return { ok: true, seq: 1, reply: null }
      made += 1
      const said = reply(made)
      return said instanceof Fault ? { ok: false, fault: said } : { ok: true, seq: made, reply: said }
    },
  })
  const call = async (): Promise<string> => {
    let text = ''
    for await (const piece of loads.model.call([], { signal: new AbortController().signal }))
      if (piece.type === 'text') text += piece.text
    return text
  }
  return {
    driver,
    call,
    slept,
    commands: () => put.flatMap(({ command }) => (command.type === 'makeTask' ? [command] : [])),
    /** The tasks of the world, each with its state; the time goes on by a second and the journal by five entries. */
    goOn(states: Record<string, TaskRecord['state']>) {
      time += 1_000
      const tasks: Record<TaskId, TaskRecord> = {}
      // Only the state of a task is read.
      for (const [id, state] of Object.entries(states))
        tasks[asId<TaskId>(id)] = Object.assign({} as TaskRecord, { id, state })
      world = { ...world, seq: world.seq + 5, tasks }
    },
  }
}

describe('a load', () => {
  it('is spread evenly over its tasks, the first ones with one agent more', async () => {
    const { driver, commands } = bench()
    await driver.start(WISH)
    expect(commands().map(({ name, members }) => [name, members.length])).toEqual([
      ['load 1', 3],
      ['load 2', 2],
      ['load 3', 2],
    ])
  })

  it('has no more steps than are wanted, than fit into its time, and at least one', async () => {
    const steps = async (more: Partial<LoadWish>) => {
      const { driver, commands } = bench()
      await driver.start({ ...WISH, agents: 4, tasks: 1, ...more })
      return Number(/count to (\d+)/.exec(commands()[0]?.intention ?? '')?.[1])
    }
    expect(await steps({ stepsPerAgent: 30 })).toBe(30)
    // 10 changes a second for 16 s are 40 steps, 10 for each of 4 agents.
    expect(await steps({ seconds: 16 })).toBe(10)
    expect(await steps({ seconds: 17 })).toBe(11)
    expect(await steps({ seconds: 0 })).toBe(1)
    expect(await steps({ changesPerSecond: Number.POSITIVE_INFINITY })).toBe(100)
  })

  it('answers at its pace, with a text of its length', async () => {
    const { driver, call, slept } = bench()
    await driver.start({ ...WISH, agents: 4, changesPerSecond: 10 })
    expect(await call()).toMatch(/^<think>.{50}<\/think>$/s)
    // Four agents with four entries for each step, ten entries a second.
    expect(slept).toEqual([1_600])
    await driver.start({ ...WISH, changesPerSecond: Number.POSITIVE_INFINITY })
    await call()
    expect(slept).toHaveLength(1)
    await driver.start({ ...WISH, agents: 1, changesPerSecond: 4_000 })
    await call()
    expect(slept).toEqual([1_600, 1])
    await driver.start({ ...WISH, agents: 2, changesPerSecond: 0 })
    await call()
    expect(slept.at(-1)).toBe(8_000)
  })

  it('runs while one of its tasks does; when all are over its numbers stay', async () => {
    const { driver, goOn } = bench()
    const { id } = await driver.start({ ...WISH, tasks: 2 })
    goOn({ 'task 1': 'running', 'task 2': 'finished' })
    expect(driver.progress(id)).toEqual({ id, state: 'running', entries: 5, seconds: 1, reason: null })
    goOn({ 'task 1': 'failed', other: 'running' })
    const end = { id, state: 'finished', entries: 10, seconds: 2, reason: null }
    expect(driver.progress(id)).toEqual(end)
    goOn({ 'task 1': 'running' })
    expect(driver.progress(id)).toEqual(end)
    expect(driver.progress('another')).toBeNull()
  })

  it('that is still being made runs, whatever its tasks are', async () => {
    const { driver } = bench()
    const starting = driver.start(WISH)
    expect(driver.progress('id-1')?.state).toBe('running')
    await starting
    expect(driver.progress('id-1')?.state).toBe('finished')
  })

  it('fails with the reason when one of its tasks is refused, or answered without a task', async () => {
    const { driver } = bench((n) => (n === 2 ? new Fault('STOPPING') : { task: 'task' }))
    const { id } = await driver.start(WISH)
    expect(driver.progress(id)).toMatchObject({ state: 'failed', reason: new Fault('STOPPING').message })
    const replies: Json[] = [null, 1, {}, { task: 1 }]
    for (const reply of replies) {
      const { driver: other } = bench(() => reply)
      expect(other.progress((await other.start(WISH)).id)?.state).toBe('failed')
    }
  })
})

/** Loads as a true engine runs them, one after the other, each to the end of its task. */
async function ran(stepsPerAgent: number, times = 1): Promise<{ entries: Entry[]; world: World }> {
  const store = memoryStore({ data: memoryData() })
  const bench = await openBenchEngine({ store })
  const isOver = (): Promise<void> =>
    new Promise((resolve) => {
      bench.engine.onDecision((entries) => {
        if (entries.some(({ event }) => event.type === 'task.finished')) resolve()
      })
    })
  for (let n = 0; n < times; n++) {
    const end = isOver()
    await bench.load({ ...WISH, agents: 2, tasks: 1, stepsPerAgent, changesPerSecond: Number.POSITIVE_INFINITY })
    await end
  }
  await bench.stop()
  expect(bench.mistakes).toEqual([])
  return { entries: (await store.journal.read(0, 100_000)).map(decodeEntry), world: bench.engine.world() }
}

describe('the agents of a load', () => {
  it.each([1, 5, 6, 100])(
    '[R103] each run exactly %d steps, more than the limit of a part too, and the task is over',
    async (steps) => {
      const { entries, world } = await ran(steps)
      const added = entries.flatMap(({ event }) => (event.type === 'step.added' ? [event] : []))
      const agents = Object.values<AgentRecord>(world.agents).filter(({ role }) => role === 'load')
      expect(agents.map(({ name }) => name)).toEqual(['load 1', 'load 2'])
      for (const { id } of agents)
        expect(added.filter(({ agent, executor }) => agent === id && executor === 'think')).toHaveLength(steps)
      expect(Object.values<TaskRecord>(world.tasks).filter(({ base }) => !base)).toMatchObject([
        { name: 'load 1', state: 'finished' },
      ])
      expect(Object.values(world.requests).flatMap((own) => Object.values(own))).toEqual([])
    },
  )

  it('[R103] are added and get their work by an operator, as any agents do, and have that of the next load too', async () => {
    const { entries, world } = await ran(1, 2)
    const made = entries.filter(({ event }) => event.type === 'task.added' && !event.base)
    const operators = Object.values<AgentRecord>(world.agents).filter(({ access }) => access === 'operator')
    expect(made).toHaveLength(2)
    for (const { by } of made) expect(operators.map(({ id }) => id)).toContain(by)
    expect(entries.some(({ by }) => by.includes('load'))).toBe(false)
    expect(Object.values<AgentRecord>(world.agents).filter(({ role }) => role === 'load')).toHaveLength(2)
  })
})

describe('the text of a load', () => {
  it('is the same for a seed and another for another, of letters and spaces, exactly as long as wanted', () => {
    expect(loadTexts(1)(500)).toBe(loadTexts(1)(500))
    expect(loadTexts(1)(500)).not.toBe(loadTexts(2)(500))
    for (const length of [0, 1, 7, 500]) expect(loadTexts(1)(length)).toHaveLength(length)
    const words = loadTexts(3)(20_000).split(' ').slice(0, -1)
    expect(words.every((word) => /^[a-z]{2,9}$/.test(word))).toBe(true)
    expect(new Set(words.map((word) => word.length)).size).toBe(8)
    // Few words come often: far fewer are different than there are.
    expect(new Set(words).size).toBeLessThan(words.length * 0.7)
    expect(loadTexts(1)(40)).toBe('na ehkvodu eieeyeeoa alnlesaek ee unbp e')
  })
})
