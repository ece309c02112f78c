/** Labelled load: how it is spread over tasks, its pace, how far it is, and its texts. */
import { describe, expect, it } from 'vitest'
import { Fault } from '@/lib/faults'
import type { Envelope } from '@/lib/mas/commands/command'
import { asId, type TaskId } from '@/lib/mas/ids'
import type { Json, TaskRecord, World } from '@/lib/mas/records'
import { Story } from '@/test/worldHistories'
import { createLoads, type LoadOptions } from './loadDriver'
import { loadTexts } from './loadText'
import type { CommitAnswer } from './port'

const WISH: LoadOptions = {
  ...{ agents: 7, tasks: 3, stepsPerAgent: 100, changesPerSecond: 10, bytes: 50, seconds: 1_000, seed: 1 },
}

/** Loads over an engine that says what the test says. */
function bench(reply: (n: number) => Json | Fault = (n) => ({ task: `task ${n}` })) {
  let [ids, made, time] = [0, 0, 5_000]
  const put: Envelope[] = []
  let world: World = { ...new Story().world, seq: 10, tasks: {} }
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
    commands: () => put.flatMap(({ command }) => (command.type === 'addLoad' ? [command] : [])),
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
    expect(commands().map(({ name, agents }) => [name, agents])).toEqual([
      ['load 1', 3],
      ['load 2', 2],
      ['load 3', 2],
    ])
  })

  it('has no more steps than are wanted, than fit into its time, and at least one', async () => {
    const steps = async (more: Partial<LoadOptions>) => {
      const { driver, commands } = bench()
      await driver.start({ ...WISH, agents: 4, tasks: 1, ...more })
      return commands()[0]?.stepsPerAgent
    }
    expect(await steps({ stepsPerAgent: 30 })).toBe(30)
    // 10 changes a second for 20 s are 40 steps, 10 for each of 4 agents.
    expect(await steps({ seconds: 20 })).toBe(10)
    expect(await steps({ seconds: 21 })).toBe(11)
    expect(await steps({ seconds: 0 })).toBe(1)
    expect(await steps({ changesPerSecond: Number.POSITIVE_INFINITY })).toBe(100)
  })

  it('answers at its pace, with a text of its length', async () => {
    const { driver, call, slept } = bench()
    await driver.start({ ...WISH, agents: 4, changesPerSecond: 10 })
    expect(await call()).toMatch(/^<think>.{50}<\/think>$/s)
    // Four agents with five entries for each step, ten entries a second.
    expect(slept).toEqual([2_000])
    await driver.start({ ...WISH, changesPerSecond: Number.POSITIVE_INFINITY })
    await call()
    expect(slept).toHaveLength(1)
    await driver.start({ ...WISH, agents: 1, changesPerSecond: 5_000 })
    await call()
    expect(slept).toEqual([2_000, 1])
    await driver.start({ ...WISH, agents: 2, changesPerSecond: 0 })
    await call()
    expect(slept.at(-1)).toBe(10_000)
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
    for (const reply of replies) await expect(bench(() => reply).driver.start(WISH)).rejects.toThrow('no task')
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
