/** The engine as its callers know it: what is acknowledged is kept, what is refused changes nothing, work goes on after a crash. */
import { describe, expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import type { RequestRecord, StepRecord, World } from '@/lib/mas/records'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { ask, isFinished, openPart } from '@/test/enginePart'
import { faultyStore } from '@/test/faultyStore'
import { memoryData, memoryStore } from '@/test/memoryStore'
import { openTestEngine } from '@/test/testEngine'
import { BASE_TASK, outcomeOf, planned, send, TEAM } from '@/test/worldHistories'
import type { ToolOutcome } from '../tools'

const messages = (world: World): string[] =>
  Object.values(world.messages[BASE_TASK] ?? {}).map((message) => message.text)
const hello = send(TEAM.ana.id, [TEAM.ben.id], { text: 'hello' })
const steps = (world: World): StepRecord[] =>
  Object.values(world.steps).flatMap((agents) => Object.values(agents).flatMap((own) => stepsIn(own)))
const stepOf = (world: World, executor: string): StepRecord | undefined =>
  steps(world).find((step) => step.executor === executor)

describe('committing', () => {
  it('[R4] the same command id again gives the first outcome and changes nothing', async () => {
    const { engine, put } = await openTestEngine()
    const first = await put(TEAM.ana.id, hello, { id: 'mine' })
    const seq = engine.world().seq
    const again = await put(TEAM.ana.id, hello, { id: 'mine' })
    expect(again).toEqual(first)
    expect(engine.world().seq).toBe(seq)
    expect(messages(engine.world())).toEqual(['hello'])
  })

  it('[R4] a refusal is the first outcome too, with its words', async () => {
    const { put } = await openTestEngine()
    const wrong = send(TEAM.ana.id, [])
    const first = await put(TEAM.ana.id, wrong, { id: 'mine' })
    expect(first).toMatchObject({ ok: false, fault: { code: 'NO_RECEIVERS' } })
    expect(await put(TEAM.ana.id, hello, { id: 'mine' })).toMatchObject({ ok: false, fault: { code: 'NO_RECEIVERS' } })
  })

  it('[R4] past its time a command is never done', async () => {
    const { engine, put } = await openTestEngine()
    expect(await put(TEAM.ana.id, hello, { until: 1 })).toMatchObject({ ok: false, fault: { code: 'EXPIRED' } })
    expect(messages(engine.world())).toEqual([])
  })

  it.each(['lostBefore', 'lostAfter'] as const)(
    '[R9] an append whose answer was lost (%s) is done exactly once',
    async (fate) => {
      const store = faultyStore(memoryStore({ data: memoryData() }))
      const { engine, put } = await openTestEngine({ store })
      store.script(fate)
      expect(await put(TEAM.ana.id, hello)).toMatchObject({ ok: true })
      expect(messages(engine.world())).toEqual(['hello'])
      expect((await put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.ben.id], { text: 'more' }))).ok).toBe(true)
    },
  )

  it('[R9] a store that is lost is said loudly, and nothing is accepted after it', async () => {
    const store = faultyStore(memoryStore({ data: memoryData() }))
    const broke: unknown[] = []
    const { engine, put } = await openTestEngine({ store, onBroken: (error) => broke.push(error) })
    store.script('refuse')
    expect(await put(TEAM.ana.id, hello)).toMatchObject({ ok: false, fault: { code: 'STORE_BROKEN' } })
    expect(broke).toEqual([])
    store.lose('the folder is gone')
    expect(broke).toEqual([new Error('the folder is gone')])
    expect(engine.storeState()).toEqual({ is: 'lost', reason: 'the folder is gone' })
    store.comeBack()
    expect(messages(engine.world())).toEqual([])
    expect(await put(TEAM.ana.id, hello)).toMatchObject({ ok: false, fault: { code: 'STORE_BROKEN' } })
  })

  it('decides what comes together in one append, each on what was decided before it', async () => {
    const store = faultyStore(memoryStore({ data: memoryData() }))
    const { put } = await openTestEngine({ store })
    const before = store.appends.length
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => put(TEAM.ana.id, hello)))
    expect(answers.every((answer) => answer.ok)).toBe(true)
    expect(store.appends.length - before).toBe(1)
  })
})

const done: ToolOutcome = { ok: true, result: { isError: false, content: [{ type: 'text', text: '7' }] } }

describe('running', () => {
  it('[R10] carries a request from the asker to a finished task, every step of it in the journal', async () => {
    const test = await openPart([planned('files', 'tool')], { tools: { count: { info: {}, call: () => done } } })
    await ask(test)
    const world = await test.until(isFinished)
    expect(test.pool.calls).toEqual(['count {"n":1}'])
    const task = Object.values(world.tasks).find((one) => !one.base)
    expect(task).toMatchObject({ state: 'finished', summary: 'counted', requestedBy: TEAM.ana.id })
    expect(messages(world).some((text) => text.includes('counted'))).toBe(true)
    const tool = steps(world).find((step) => step.type === 'tool')
    expect(tool).toMatchObject({ state: 'finished', result: { kind: 'tool', text: '7' } })
    expect(stepOf(world, 'tool_decision')?.state).toBe('finished')
  })

  it('[R11] holds a risky call until a person approves it, and runs what they made of it', async () => {
    const risky = { info: { readOnly: false, confirm: true, repeatable: false }, call: () => done }
    const test = await openPart([planned('files', 'tool')], { tools: { count: risky } })
    await ask(test)
    const held = await test.until((world) => steps(world).some((step) => step.held !== null))
    expect(test.pool.calls).toEqual([])
    const request = Object.values(held.requests)
      .flatMap((own) => Object.values(own))
      .find((one) => one.kind === 'confirm')
    if (!request?.call) throw new Error('no confirmation was asked')
    const edited = bodyOf('{"n":2}', 'application/json')
    const wish = {
      type: 'answerRequest',
      request: request.id,
      decision: 'approve_edited',
      text: '',
      arguments: edited.ref,
    } as const
    expect(await test.put(TEAM.ana.id, { ...wish, digest: 'another' })).toMatchObject({
      ok: false,
      fault: { code: 'DIGEST_CHANGED' },
    })
    expect(
      await test.put(TEAM.ana.id, { ...wish, digest: request.call.digest }, { bodies: [edited.body] }),
    ).toMatchObject({ ok: true })
    const world = await test.until(isFinished)
    expect(test.pool.calls).toEqual(['count {"n":2}'])
    expect(steps(world).find((step) => step.type === 'tool')?.approvedBy).toMatchObject({
      by: TEAM.ana.id,
      edited: true,
    })
    const note = 'Ana changed the arguments before it ran; they were {"n":1}'
    expect(steps(world).find((step) => step.type === 'tool')?.result?.made).toEqual({ note })
  })

  it('[R542] asks again before a risky call that a person has done again with other arguments, and runs these', async () => {
    const ends = [{ ...done, result: { ...done.result, isError: true } }, done]
    const risky = {
      info: { readOnly: false, confirm: true, repeatable: false },
      call: (): ToolOutcome => ends.shift() ?? done,
    }
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const test = await openPart([planned('files', 'tool')], {
      tools: { count: risky },
      // The failure is decided about after it was retried.
      skill: async (step) => {
        if (step.executor === 'tool_decision') await released
        return null
      },
    })
    await ask(test)
    const heldAt = async (digest: string | null): Promise<RequestRecord> => {
      const isAsked = (one: RequestRecord) =>
        one.kind === 'confirm' && one.state === 'open' && one.call?.digest !== digest
      const all = (on: World) => Object.values(on.requests).flatMap((own) => Object.values(own))
      const found = all(await test.until((on) => all(on).some(isAsked))).find(isAsked)
      if (!found) throw new Error('no confirmation was asked')
      return found
    }
    const approve = async ({ id, call }: RequestRecord) =>
      test.put(TEAM.ana.id, {
        type: 'answerRequest',
        request: id,
        decision: 'approve',
        text: '',
        arguments: null,
        digest: call?.digest ?? '',
      })
    const first = await heldAt(null)
    await approve(first)
    const broken = await test.until((on) => steps(on).some(({ type, state }) => type === 'tool' && state === 'failed'))
    const failed = steps(broken).find(({ type }) => type === 'tool')
    if (!failed) throw new Error('no call failed')
    const { ref, body } = bodyOf('{"n":3}', 'application/json')
    const wish = { type: 'retryStep', step: failed.id, reason: 'three of them', arguments: ref } as const
    expect(await test.put(TEAM.ana.id, wish, { bodies: [body] })).toMatchObject({ ok: true })
    release()
    const second = await heldAt(first.call?.digest ?? null)
    expect(second.call?.digest).toBe(ref.sha)
    expect(test.pool.calls).toEqual(['count {"n":1}'])
    await approve(second)
    const world = await test.until(isFinished)
    expect(test.pool.calls).toEqual(['count {"n":1}', 'count {"n":3}'])
    const again = steps(world).find(({ retryOf }) => retryOf === failed.id)
    const note = 'Ana changed the arguments before it ran; they were {"n":1}'
    expect(again).toMatchObject({ state: 'finished', editedBy: TEAM.ana.id, result: { made: { note } } })
  })

  it('[R108] [R742] what an operator allows for the task runs from then on without asking', async () => {
    const risky = { info: { readOnly: false, confirm: true, repeatable: false }, call: () => done }
    const test = await openPart([planned('files', 'tool'), planned('files', 'tool')], { tools: { count: risky } })
    await ask(test)
    const held = await test.until((world) => steps(world).some((step) => step.held !== null))
    const task = steps(held).find((step) => step.held !== null)?.task
    if (!task) throw new Error('nothing is held')
    const definition =
      held.requests[task] && Object.values(held.requests[task]).find(({ call }) => call)?.call?.definition
    const rule = { server: 'files', tool: 'count', rule: 'allow', endsAt: null, reason: 'a draft' } as const
    expect(
      await test.put(TEAM.ana.id, { type: 'ruleTool', about: { task }, definition: definition ?? null, ...rule }),
    ).toMatchObject({ ok: true })
    const world = await test.until(isFinished)
    expect(test.pool.calls).toHaveLength(2)
    const confirms = Object.values(world.requests[task] ?? {}).filter(({ kind }) => kind === 'confirm')
    expect(confirms).toHaveLength(1)
    const approvals = steps(world).flatMap((step) => (step.type === 'tool' ? [step.approvedBy] : []))
    expect(approvals.map((one) => one?.allowed ?? false).sort()).toEqual([false, true])
  })

  it('[R11] a refusal fails the step with who and why, and the agent decides how to go on', async () => {
    const risky = { info: { readOnly: false, confirm: true }, call: () => done }
    const test = await openPart([planned('files', 'tool')], { tools: { count: risky } })
    await ask(test)
    const held = await test.until((world) => steps(world).some((step) => step.held !== null))
    const request = Object.values(held.requests)
      .flatMap((own) => Object.values(own))
      .find((one) => one.kind === 'confirm')
    if (!request?.call) throw new Error('no confirmation was asked')
    await test.put(TEAM.ana.id, {
      type: 'answerRequest',
      request: request.id,
      decision: 'refuse',
      text: 'not there',
      arguments: null,
      digest: request.call.digest,
    })
    const world = await test.until(isFinished)
    expect(test.pool.calls).toEqual([])
    expect(steps(world).find((step) => step.type === 'tool')).toMatchObject({
      state: 'failed',
      reason: 'refused by Ana: not there',
    })
    expect(stepOf(world, 'tool_decision')?.state).toBe('finished')
  })

  it("[R12] a tool's own error fails the step and is left to the agent; a skill that breaks fails its step and no other", async () => {
    const test = await openPart([planned('files', 'tool'), planned('think')], {
      tools: {
        count: {
          info: {},
          call: () => ({ ok: true, result: { isError: true, content: [{ type: 'text', text: 'ENOENT' }] } }),
        },
      },
      skill: (step) => {
        if (step.executor === 'think') throw new Error('it broke')
        return null
      },
    })
    await ask(test)
    const world = await test.until(isFinished)
    expect(steps(world).find((step) => step.type === 'tool')).toMatchObject({ state: 'failed', reason: 'ENOENT' })
    expect(stepOf(world, 'think')).toMatchObject({ state: 'failed', reason: 'it broke' })
  })
})

describe('recovery', () => {
  /** Run until the reader's step of that name runs and never ends, then open a second engine on the same journal. */
  async function crashIn(executor: string, tool: { repeatable: boolean }) {
    const data = memoryData()
    const hang = () => new Promise<never>(() => {})
    const plan = [planned('files', 'tool'), planned('think')]
    const info = { repeatable: tool.repeatable, readOnly: tool.repeatable }
    const first = await openPart(plan, {
      data,
      prefix: 'first',
      tools: { count: { info, call: () => (executor === 'files' ? hang() : done) } },
      skill: (step) => (step.executor === executor ? hang() : null),
    })
    await ask(first)
    await first.until((world) => {
      const step = stepOf(world, executor)
      return (
        step?.state === 'running' &&
        (executor !== 'files' || Object.values(world.effects).some((own) => Object.keys(own).length > 0))
      )
    })
    return openPart(plan, { data, prefix: 'second', tools: { count: { info, call: () => done } } })
  }

  it('[R13] a skill that was running runs again, and the task ends right', async () => {
    const second = await crashIn('think', { repeatable: true })
    expect(second.engine.recovered).toBe(1)
    const world = await second.until(isFinished)
    expect(stepOf(world, 'think')).toMatchObject({ state: 'finished', attempt: { number: 2 } })
    expect(new Set(messages(world)).size).toBe(messages(world).length)
  })

  it('[R13] a tool that was called runs again only where a repeat does no harm', async () => {
    const harmless = await crashIn('files', { repeatable: true })
    await harmless.until(isFinished)
    expect(harmless.pool.calls).toEqual(['count {"n":1}'])

    const risky = await crashIn('files', { repeatable: false })
    const world = await risky.until(isFinished)
    expect(risky.pool.calls).toEqual([])
    expect(steps(world).find((step) => step.type === 'tool')?.reason).toContain('not repeated')
    expect(stepOf(world, 'tool_decision')?.state).toBe('finished')
  })

  it('[R13] open requests and waits are still open after it', async () => {
    const data = memoryData()
    const skill = (step: StepRecord) =>
      step.executor === 'think'
        ? outcomeOf({
            sync: {
              send_message: {
                receiver: [TEAM.ana.id],
                message: 'which?',
                stage_relative: 'no_relative',
                need_reply: true,
                waiting: true,
              },
            },
          })
        : null
    const first = await openPart([planned('think')], { data, prefix: 'first', skill })
    await ask(first)
    await first.until((world) => (world.work[TEAM.reader.id]?.locks.length ?? 0) > 0)
    const second = await openPart([planned('think')], { data, prefix: 'second', skill })
    const request = Object.values(second.world().requests)
      .flatMap((own) => Object.values(own))
      .find((one) => one.lock !== null)
    expect(request).toMatchObject({ state: 'open', question: 'which?' })
    if (!request) return
    await second.put(TEAM.ana.id, {
      type: 'answerRequest',
      request: request.id,
      decision: 'answer',
      text: 'this',
      arguments: null,
      digest: null,
    })
    await second.until(isFinished)
  })
})
