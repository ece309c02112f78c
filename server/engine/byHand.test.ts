/** Tools that people run by hand, through the engine: the one executor, its rules and its crashes. */
import { describe, expect, it } from 'vitest'
import type { StepRecord, World } from '@/lib/mas/records'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { memoryData } from '@/test/memoryStore'
import { openTestEngine, type TestEngine } from '@/test/testEngine'
import { BASE_TASK, runTool, TEAM } from '@/test/worldHistories'
import type { ToolOutcome } from '../tools'

const ANA = TEAM.ana.id
const done: ToolOutcome = { ok: true, result: { isError: false, content: [{ type: 'text', text: '7' }] } }
const steps = (world: World): StepRecord[] =>
  stepsIn(world.steps[BASE_TASK]?.[ANA]).filter((step) => step.type === 'tool')
const isOver = (world: World, count = 1): boolean =>
  steps(world).filter(({ state }) => state === 'finished' || state === 'failed').length === count
const run = (test: TestEngine, confirmed: { reason: string } | null = null) =>
  test.put(ANA, runTool(test.world(), BASE_TASK, confirmed))

describe('[R37] a tool run by hand', () => {
  it('is called once with what was written, its result kept as that of the person, and no agent works', async () => {
    const test = await openTestEngine({ tools: { count: { info: {}, call: () => done } } })
    await run(test)
    const world = await test.until(isOver)
    expect(test.pool.calls).toEqual(['count {"n":1}'])
    expect(steps(world)[0]).toMatchObject({ state: 'finished', byHand: true, result: { kind: 'tool', text: '7' } })
    expect(world.effects[BASE_TASK] ?? {}).toEqual({})
    expect(Object.values(world.work).every(({ todo, running }) => todo.length === 0 && running === null)).toBe(true)
  })

  it('a call that needs confirmation runs only after it, for agents and people', async () => {
    const info = { readOnly: false, confirmByHand: true }
    const test = await openTestEngine({ tools: { count: { info, call: () => done } } })
    await run(test)
    const refused = await test.until(isOver)
    expect(test.pool.calls).toEqual([])
    expect(steps(refused)[0]).toMatchObject({ state: 'failed', held: null })
    await run(test, { reason: 'I looked' })
    await test.until((world) => isOver(world, 2))
    expect(test.pool.calls).toEqual(['count {"n":1}'])
  })

  it('goes the way of any call: its own error, arguments that do not fit, a mistake of the server', async () => {
    const error: ToolOutcome = { ok: true, result: { isError: true, content: [{ type: 'text', text: 'ENOENT' }] } }
    const inputSchema = { type: 'object', properties: { n: { type: 'string' } } }
    for (const [tool, reason] of [
      [{ info: {}, call: () => error }, 'ENOENT'],
      [{ info: { inputSchema }, call: () => done }, 'n'],
      [{ info: {}, call: () => Promise.reject(new Error('it broke')) }, 'it broke'],
    ] as const) {
      const test = await openTestEngine({ tools: { count: tool } })
      await run(test)
      const [step] = steps(await test.until(isOver))
      expect(step?.state).toBe('failed')
      expect(step?.reason).toContain(reason)
    }
  })

  it('is aborted when they cancel it, and the next of theirs runs', async () => {
    let [calls, aborted] = [0, 0]
    const call = (_: unknown, signal: AbortSignal): Promise<ToolOutcome> | ToolOutcome => {
      calls += 1
      if (calls > 1) return done
      return new Promise((_resolve, reject) => {
        const leave = (): void => {
          aborted += 1
          reject(signal.reason)
        }
        // It may be over before the call begins.
        if (signal.aborted) leave()
        else signal.addEventListener('abort', leave)
      })
    }
    const test = await openTestEngine({ tools: { count: { info: {}, call } } })
    await run(test)
    await run(test)
    const running = await test.until((world) => Object.keys(world.effects[BASE_TASK] ?? {}).length > 0)
    const first = steps(running).find(({ state }) => state === 'running')
    if (!first) throw new Error('nothing runs')
    await test.put(ANA, { type: 'cancelStep', step: first.id, reason: '' })
    const world = await test.until((now) => isOver(now, 2))
    expect(aborted).toBe(1)
    expect(steps(world).map(({ state }) => state)).toEqual(['failed', 'finished'])
  })

  it('is not run again after a crash, not even when it only reads, nor one that had not begun', async () => {
    const data = memoryData()
    const hang = () => new Promise<never>(() => {})
    const first = await openTestEngine({ data, prefix: 'first', tools: { count: { info: {}, call: hang } } })
    await run(first)
    await run(first)
    await first.until((world) => Object.keys(world.effects[BASE_TASK] ?? {}).length > 0)
    const second = await openTestEngine({ data, prefix: 'second', tools: { count: { info: {}, call: () => done } } })
    const world = await second.until((now) => isOver(now, 2))
    expect(second.pool.calls).toEqual([])
    expect(steps(world).every(({ reason }) => reason?.includes('not repeated'))).toBe(true)
    expect(world.effects[BASE_TASK] ?? {}).toEqual({})
    await run(second)
    await second.until((now) => isOver(now, 3))
    expect(second.pool.calls).toEqual(['count {"n":1}'])
  })
})
