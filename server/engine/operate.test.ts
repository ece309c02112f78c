/** People take a running engine in hand: what runs is aborted, what stood still goes on by itself, also after a restart. */
import { describe, expect, it } from 'vitest'
import type { RequestRecord, StepRecord, World } from '@/lib/mas/records'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { ask, isFinished, openPart } from '@/test/enginePart'
import { memoryData } from '@/test/memoryStore'
import { outcomeOf, planned, TEAM, teamConfig } from '@/test/worldHistories'

const reason = 'so I say'
const steps = (world: World): StepRecord[] =>
  Object.values(world.steps).flatMap((agents) => Object.values(agents).flatMap((own) => stepsIn(own)))
const openLimit = (world: World): RequestRecord | undefined =>
  Object.values(world.requests)
    .flatMap((own) => Object.values(own))
    .find((request) => request.kind === 'limit' && request.state === 'open')
const answer = (request: RequestRecord, text: string) =>
  ({ type: 'answerRequest', request: request.id, decision: 'approve', text, arguments: null, digest: null }) as const

describe('[R17] cancelling a step that runs', () => {
  it('aborts its call, and the agent goes on to the end of its part', async () => {
    let isAborted = false
    let began = (): void => {}
    const called = new Promise<void>((resolve) => {
      began = resolve
    })
    const slow = (_args: unknown, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          isAborted = true
          reject(new Error('aborted'))
        })
        began()
      })
    const test = await openPart([planned('files', 'tool')], { tools: { count: { info: {}, call: slow } } })
    await ask(test)
    await called
    const running = await test.until((world) =>
      steps(world).some((step) => step.type === 'tool' && step.state === 'running'),
    )
    const step = steps(running).find((one) => one.type === 'tool')
    if (!step) throw new Error('no tool runs')
    expect((await test.put(TEAM.ana.id, { type: 'cancelStep', step: step.id, reason })).ok).toBe(true)
    const world = await test.until(isFinished)
    expect(isAborted).toBe(true)
    expect(steps(world).find((one) => one.id === step.id)).toMatchObject({
      state: 'failed',
      reason: `cancelled by Ana: ${reason}`,
    })
    expect(Object.values(world.effects[step.task] ?? {})).toEqual([])
    await test.engine.stop()
  })
})

describe('[R16] a pause', () => {
  it.each(['agent', 'task'] as const)('of the %s ends without anybody waking the agent by hand', async (what) => {
    let go = (): void => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    const test = await openPart([planned('think'), planned('think')], {
      skill: async (step) => {
        if (step.executor !== 'think') return null
        await gate
        return outcomeOf({})
      },
    })
    await ask(test)
    const world = await test.until((now) =>
      steps(now).some((step) => step.executor === 'think' && step.state === 'running'),
    )
    const task = Object.values(world.tasks).find((one) => !one.base)
    if (!task) throw new Error('no task')
    const on = (act: 'pause' | 'resume') =>
      what === 'agent'
        ? ({ type: `${act}Agent`, agent: TEAM.reader.id, reason } as const)
        : ({ type: `${act}Task`, task: task.id, reason } as const)
    await test.put(TEAM.ana.id, on('pause'))
    go()
    // The step that ran comes to its end; the next does not begin.
    const paused = await test.until((now) =>
      steps(now).some((step) => step.executor === 'think' && step.state === 'finished'),
    )
    expect(
      steps(paused)
        .filter((step) => step.executor === 'think')
        .map((step) => step.state),
    ).toEqual(['finished', 'init'])
    await test.put(TEAM.ana.id, on('resume'))
    await test.until(isFinished)
    await test.engine.stop()
  })
})

describe('[R21] a limit', () => {
  it('stops the part, is still there after a restart, and more sets it going again', async () => {
    const data = memoryData()
    const plain = teamConfig()
    const config = { ...plain, team: { ...plain.team, limits: { ...plain.team.limits, stepsPerPart: 4 } } }
    const plan = Array.from({ length: 6 }, () => planned('think'))
    const first = await openPart(plan, { data, config })
    await ask(first)
    await first.until((world) => openLimit(world) !== undefined)
    await first.engine.stop()

    const again = await openPart(plan, { data, config, prefix: 'again' })
    const request = openLimit(again.world())
    if (!request) throw new Error('the limit is forgotten')
    expect(steps(again.world()).filter((step) => step.stage !== null && step.startedAt !== null)).toHaveLength(4)
    await again.put(TEAM.ana.id, answer(request, '10'))
    await again.until(isFinished)
    await again.engine.stop()
  })
})
