/** What a tool server asks during a call reaches people, and what they say reaches the server; nothing open is left behind. */
import { describe, expect, it } from 'vitest'
import { Fault } from '@/lib/faults'
import { bodyOf } from '@/lib/mas/bodies'
import type { Command } from '@/lib/mas/commands/command'
import type { RequestRecord, StepRecord, World } from '@/lib/mas/records'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { ask, isFinished, openPart } from '@/test/enginePart'
import { memoryData } from '@/test/memoryStore'
import type { TestEngine } from '@/test/testEngine'
import { planned, TEAM, walk } from '@/test/worldHistories'
import { ModelError, type Models } from '../../models/model'
import {
  CALL_OVER,
  type QuestionAnswer,
  type SamplingAnswer,
  type ToolCallOptions,
  type ToolOutcome,
} from '../../tools'
import { openBodyCaches } from './bodyCache'
import { toolServerRequests } from './toolServerRequests'

const SCHEMA = { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] }
const said = (text: string): ToolOutcome => ({
  ok: true,
  result: { isError: false, content: [{ type: 'text', text }] },
})
const toolRequests = (world: World): RequestRecord[] =>
  Object.values(world.requests)
    .flatMap((own) => Object.values(own))
    .filter(({ kind }) => kind === 'tool')
const openOne = (world: World): RequestRecord | undefined => toolRequests(world).find(({ state }) => state === 'open')
const toolStep = (world: World): StepRecord | undefined =>
  Object.values(world.steps)
    .flatMap((agents) => Object.values(agents).flatMap((own) => stepsIn(own)))
    .find(({ type }) => type === 'tool')

async function opened(test: TestEngine): Promise<RequestRecord> {
  const request = openOne(await test.until((world) => openOne(world) !== undefined))
  if (!request) throw new Error('nothing was asked')
  return request
}

type Decision = { decision: 'answer' | 'done' | 'approve' | 'refuse' | 'cannot'; content?: string; text?: string }
function answer(test: TestEngine, request: RequestRecord, { decision, content, text = '' }: Decision) {
  const edited = content === undefined ? null : bodyOf(content, 'application/json')
  return test.put(
    TEAM.ana.id,
    {
      type: 'answerRequest',
      request: request.id,
      decision,
      text,
      arguments: edited?.ref ?? null,
      digest: null,
    },
    edited === null ? {} : { bodies: [edited.body] },
  )
}

/** A tool that asks once, and what it was told. */
async function asking(askIt: (options: ToolCallOptions, signal: AbortSignal) => Promise<unknown>, models?: Models) {
  const heard: unknown[] = []
  const test = await openPart([planned('files', 'tool')], {
    models,
    tools: {
      count: {
        info: {},
        async call(_args, signal, options) {
          heard.push(await askIt(options, signal))
          return said('done')
        },
      },
    },
  })
  await ask(test)
  return { test, heard }
}

const form = ({ asks }: ToolCallOptions, signal: AbortSignal): Promise<QuestionAnswer> | undefined =>
  asks?.question({ mode: 'form', message: 'Which colour?', schema: SCHEMA }, signal)

describe('a form', () => {
  it('[R29] is a request to the people of the task, with its schema, and the fields go back to the server', async () => {
    const { test, heard } = await asking(async (options, signal) => form(options, signal))
    const request = await opened(test)
    expect(request).toMatchObject({
      question: 'files asks: Which colour?',
      tool: { server: 'files', tool: 'count', asks: 'form', schema: SCHEMA },
      type: 'urgent',
      lock: null,
    })
    expect(request.asked).toContain(TEAM.ana.id)
    expect((await answer(test, request, { decision: 'answer', content: '{"colour":"red"}' })).ok).toBe(true)
    await test.until(isFinished)
    expect(heard).toEqual([{ action: 'accept', content: { colour: 'red' } }])
  })

  it.each([
    ['refuse', 'decline'],
    ['cannot', 'cancel'],
  ] as const)('%s is told to the server as %s', async (decision, action) => {
    const { test, heard } = await asking(async (options, signal) => form(options, signal))
    await answer(test, await opened(test), { decision })
    await test.until(isFinished)
    expect(heard).toEqual([{ action }])
  })

  it('an answer without its fields, or one that fits another kind of request, is refused and changes nothing', async () => {
    const { test } = await asking(async (options, signal) => form(options, signal))
    const request = await opened(test)
    expect(await answer(test, request, { decision: 'answer' })).toMatchObject({ fault: { code: 'BAD_ARGUMENTS' } })
    expect(await answer(test, request, { decision: 'approve' })).toMatchObject({ fault: { code: 'DECISION_UNFIT' } })
    expect(openOne(test.world())?.id).toBe(request.id)
  })

  it('[R6] [R29] is withdrawn when the call ends without it', async () => {
    const { test } = await asking(async (options, signal) => {
      void form(options, signal)
      await test0.until((world) => openOne(world) !== undefined)
    })
    const test0 = test
    const world = await test.until(isFinished)
    expect(toolRequests(world)).toMatchObject([{ state: 'superseded', endReason: 'the call that asked has ended' }])
  })

  it('[R6] is withdrawn when the server takes its question back, and the call goes on', async () => {
    const { test, heard } = await asking(async (options) => {
      const control = new AbortController()
      const asked = form(options, control.signal)
      await test0.until((world) => openOne(world) !== undefined)
      control.abort()
      return asked
    })
    const test0 = test
    const world = await test.until(isFinished)
    expect(heard).toEqual([{ action: 'cancel' }])
    expect(toolRequests(world)).toMatchObject([
      { state: 'superseded', endReason: 'the tool server withdrew its question' },
    ])
  })

  it('[R13] [R29] after a crash the call is gone: the request says so and the step is decided anew', async () => {
    const data = memoryData()
    const plan = [planned('files', 'tool')]
    const tools = (call: () => Promise<ToolOutcome> | ToolOutcome) => ({
      count: {
        info: { repeatable: false, readOnly: false },
        call: async (_: unknown, signal: AbortSignal, options: ToolCallOptions) => {
          void form(options, signal)
          return call()
        },
      },
    })
    const first = await openPart(plan, { data, prefix: 'first', tools: tools(() => new Promise(() => {})) })
    await ask(first)
    await opened(first)
    const second = await openPart(plan, { data, prefix: 'second', tools: tools(() => said('done')) })
    const world = await second.until((now) => toolStep(now)?.state === 'failed')
    expect(toolRequests(world)[0]).toMatchObject({
      state: 'superseded',
      endReason: 'the call that asked was lost when the server stopped',
    })
  })
})

describe('a page to open', () => {
  it('is shown with its address; "done" tells the server to go on', async () => {
    const { test, heard } = await asking(async ({ asks }, signal) =>
      asks?.question({ mode: 'url', message: 'Pay here', url: 'https://pay.example.org/1' }, signal),
    )
    const request = await opened(test)
    expect(request.tool).toMatchObject({ asks: 'url', url: 'https://pay.example.org/1', schema: null })
    await answer(test, request, { decision: 'done' })
    await test.until(isFinished)
    expect(heard).toEqual([{ action: 'accept' }])
  })
})

describe("the agent's model", () => {
  const turns: unknown[] = []
  const models: Models = {
    get: (name) => ({
      name,
      provider: 'test',
      contextTokens: 1000,
      async *call(asked) {
        turns.push(asked)
        yield { type: 'text', text: 'forty-two' }
        const usage = { promptTokens: 3, completionTokens: 1, estimated: false, costUsd: null }
        yield { type: 'end', usage, modelVersion: 'model-7', finish: 'stop', reasoning: 'six by seven' }
      },
    }),
  }
  const wish = (asksFirst: boolean) => ({
    system: 'Be short.',
    messages: [{ role: 'user' as const, text: 'How many?' }],
    maxTokens: 10,
    asksFirst,
  })
  const sampled = (asksFirst: boolean) =>
    asking(
      async ({ asks }, signal): Promise<SamplingAnswer | undefined> => asks?.sample(wish(asksFirst), signal),
      models,
    )

  it('is asked only after a person saw what would be sent, and the call is kept with the step', async () => {
    const { test, heard } = await sampled(true)
    const request = await opened(test)
    expect(request.question).toBe('Allow files to use the model of Reader?')
    expect(turns).toEqual([])
    const body = request.tool?.body
    expect(body?.preview).toContain('How many?')
    await answer(test, request, { decision: 'approve' })
    const world = await test.until(isFinished)
    expect(heard).toEqual([{ ok: true, text: 'forty-two', model: 'model-7', stop: 'endTurn' }])
    expect(turns).toEqual([
      [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'How many?' },
      ],
    ])
    expect(toolStep(world)?.calls).toMatchObject([
      {
        outcome: 'taken',
        modelVersion: 'model-7',
        promptTokens: 3,
        answer: { preview: 'forty-two' },
        reasoning: { preview: 'six by seven' },
      },
    ])
  })

  it('is not asked when a person says no, and the server hears why', async () => {
    turns.length = 0
    const { test, heard } = await sampled(true)
    await answer(test, await opened(test), { decision: 'refuse', text: 'too dear' })
    await test.until(isFinished)
    expect(heard).toEqual([{ ok: false, reason: 'a person did not allow it: too dear' }])
    expect(turns).toEqual([])
  })

  it('is asked at once where the configuration says always', async () => {
    const { test, heard } = await sampled(false)
    const world = await test.until(isFinished)
    expect(heard).toMatchObject([{ ok: true }])
    expect(toolRequests(world)).toEqual([])
  })
})

describe('progress', () => {
  it('is the streamed text of the running step', async () => {
    const lines: string[] = []
    const test = await openPart([planned('files', 'tool')], {
      tools: {
        count: {
          info: {},
          call(_args, _signal, { onProgress }) {
            onProgress?.({ progress: 1, total: 2, message: 'half' })
            onProgress?.({ progress: 2 })
            return said('done')
          },
        },
      },
    })
    test.engine.onEphemeral((note) => {
      if (note.kind === 'text') lines.push(note.text)
    })
    await ask(test)
    await test.until(isFinished)
    expect(lines.join('')).toBe('1/2 half\n2\n')
  })
})

describe('a question within its bounds', () => {
  const step = { ...runningStep(), executor: 'files' }
  const settled = (answer: Partial<NonNullable<RequestRecord['answer']>> | null): RequestRecord =>
    // Only the answer of a request is read here.
    ({ answer }) as RequestRecord

  /** What one step asks, without an engine: who answers says the test. */
  function bench(record: RequestRecord | null, more: { refuses?: boolean; step?: AbortSignal; models?: Models } = {}) {
    const put: Command[] = []
    const asking: boolean[] = []
    let at = 0
    const { body, ref } = bodyOf('{"colour":"red"}', 'application/json')
    const asks = toolServerRequests({
      world: () => walk([]).world,
      step,
      attempt: 1,
      model: 'default',
      models: more.models ?? { get: () => raise() },
      bodies: openBodyCaches({ get: async () => body }, () => 0).open(),
      signal: more.step ?? new AbortController().signal,
      watch: { settled: async () => record, onEntries: () => {} },
      onAsking: (isAsking) => void asking.push(isAsking),
      put: async (command) => {
        put.push(command)
        return more.refuses
          ? { ok: false, fault: new Fault('STOPPING') }
          : { ok: true, seq: 1, reply: { request: 'r1' } }
      },
      newId: () => 'call-1',
      now: () => 1_000,
      clock: () => {
        at += 10
        return at
      },
    })
    return { asks, put, ref, asking }
  }
  const raise = (): never => {
    throw new Error('no model is called')
  }
  const live = new AbortController().signal
  const form = (schema: unknown, message = 'Which?') => ({ mode: 'form', message, schema }) as const

  it('is put to people with a form of 64 KiB, and cancelled with a larger one', async () => {
    const of = (characters: number) => 'x'.repeat(characters - 2)
    const { asks, put } = bench(settled({ decision: 'refuse' }))
    expect(await asks.question(form(of(65_536)), live)).toEqual({ action: 'decline' })
    expect(put).toHaveLength(1)
    expect(await asks.question(form(of(65_537)), live)).toEqual({ action: 'cancel' })
    expect(put).toHaveLength(1)
  })

  it('[R475] says while it is asked that the call waits for people', async () => {
    const { asks, asking } = bench(settled({ decision: 'done' }))
    await asks.question({ mode: 'url', message: 'Pay', url: 'https://a.example' }, live)
    expect(asking).toEqual([true, false])
    const unasked = bench(settled({ decision: 'done' }), { refuses: true })
    await unasked.asks.question(form({}), live)
    expect(unasked.asking).toEqual([])
  })

  it('says at most 8 KiB; a form has no address and a page no form', async () => {
    const { asks, put } = bench(settled({ decision: 'done' }))
    await asks.question(form({}, 'm'.repeat(9_000)), live)
    expect(await asks.question({ mode: 'url', message: 'Pay', url: 'https://a.example' }, live)).toEqual({
      action: 'accept',
    })
    expect(put).toMatchObject([
      { message: 'm'.repeat(8_192), tool: { asks: 'form', schema: {}, url: null } },
      { message: 'Pay', tool: { asks: 'url', schema: null, url: 'https://a.example' } },
    ])
  })

  it('is accepted with the fields of an answer, and cancelled without any', async () => {
    const { ref, ...one } = bench(null)
    expect(one.put).toEqual([])
    const answered = bench(settled({ decision: 'answer', arguments: ref }))
    expect(await answered.asks.question(form({}), live)).toEqual({ action: 'accept', content: { colour: 'red' } })
    for (const preview of ['[1]', 'null', '1', 'no JSON']) {
      const list = { ...ref, bytes: preview.length, preview, sha: '' }
      const { asks } = bench(settled({ decision: 'answer', arguments: list }))
      expect([preview, await asks.question(form({}), live)]).toEqual([preview, { action: 'cancel' }])
    }
    const empty = bench(settled({ decision: 'answer', arguments: null }))
    expect(await empty.asks.question(form({}), live)).toEqual({ action: 'cancel' })
  })

  it('that cannot be put is cancelled, and nothing is withdrawn', async () => {
    const { asks, put } = bench(null, { refuses: true })
    expect(await asks.question(form({}), live)).toEqual({ action: 'cancel' })
    expect(put.map(({ type }) => type)).toEqual(['openToolRequest'])
  })

  it('[R29] is withdrawn in the name of who ended it: the step, the call, or the server', async () => {
    const because = async (signal: AbortSignal, ofStep?: AbortSignal): Promise<unknown> => {
      const { asks, put } = bench(null, ofStep ? { step: ofStep } : {})
      expect(await asks.question(form({}), signal)).toEqual({ action: 'cancel' })
      return put[1]
    }
    const withdrawn = (by: string) => ({ type: 'withdrawToolRequest', request: 'r1', because: by })
    expect(await because(live)).toEqual(withdrawn('server'))
    expect(await because(AbortSignal.abort(CALL_OVER))).toEqual(withdrawn('call'))
    expect(await because(live, AbortSignal.abort())).toEqual(withdrawn('call'))
  })

  it('that was settled without an answer is cancelled, and not withdrawn', async () => {
    const { asks, put } = bench(settled(null))
    expect(await asks.question(form({}), live)).toEqual({ action: 'cancel' })
    expect(put).toHaveLength(1)
  })

  describe('to the model', () => {
    const wish = {
      system: null,
      messages: [{ role: 'user' as const, text: 'How many?' }],
      maxTokens: 10,
      asksFirst: false,
    }
    const usage = { promptTokens: 3, completionTokens: 1, estimated: true, costUsd: 0.5 }
    const modelsOf = (call: ReturnType<Models['get']>['call']): Models => ({
      get: (name) => ({ name, provider: 'test', contextTokens: 1_000, call }),
    })
    const ends = (finish: 'stop' | 'length') =>
      modelsOf(async function* () {
        yield { type: 'text', text: 'forty' }
        yield { type: 'text', text: '-two' }
        yield { type: 'end', usage, modelVersion: 'model-7', finish }
      })
    const sample = async (models: Models, signal = live) => {
      const { asks, put } = bench(null, { models })
      const answer = await asks.sample(wish, signal)
      return { answer, call: put[0]?.type === 'recordCall' ? put[0].call : null }
    }

    it('says that an answer was cut at its length, and keeps what it cost and how long it took', async () => {
      const { answer, call } = await sample(ends('length'))
      expect(answer).toEqual({ ok: true, text: 'forty-two', model: 'model-7', stop: 'maxTokens' })
      expect(call).toMatchObject({ outcome: 'taken', firstTokenMs: 10, totalMs: 20, at: 1_000, ...usage })
      const asked = JSON.stringify([{ role: 'user', name: 'sampling/1', text: 'How many?' }])
      expect(call?.prompt).toMatchObject({ sha: bodyOf(asked).ref.sha })
      expect((await sample(ends('stop'))).answer).toMatchObject({ stop: 'endTurn' })
    })

    it('that breaks off, fails or is stopped gives none, and each is kept with its reason', async () => {
      const cut = modelsOf(async function* () {})
      expect(await sample(cut)).toMatchObject({
        answer: { ok: false, reason: 'no answer of the model: the answer broke off before its end' },
        call: { outcome: 'cut', answer: null, estimated: false, firstTokenMs: null, totalMs: 10 },
      })
      const failing = (error: Error) =>
        // biome-ignore lint/correctness/useYield: it fails before its first word
        modelsOf(async function* () {
          throw error
        })
      const away = new ModelError('MODEL_UNREACHABLE', 'it is gone', true)
      expect(await sample(failing(away))).toMatchObject({
        answer: { ok: false, reason: 'no answer of the model: it is gone' },
        call: { outcome: 'failed', error: 'it is gone' },
      })
      expect(await sample(failing(new Error('stopped')), AbortSignal.abort())).toMatchObject({
        call: { outcome: 'cancelled', error: 'the call was stopped' },
      })
      await expect(sample(failing(new Error('a mistake of ours')))).rejects.toThrow('a mistake of ours')
    })

    it('[R219] keeps what a call cost that gave no answer, and its wait for a place apart', async () => {
      const details = { usage: { ...usage, cachedTokens: 2 }, reasoning: 'six by' }
      const late = modelsOf(async function* (_, { onStart }) {
        onStart?.()
        yield { type: 'text', text: 'for' }
        throw new ModelError('MODEL_CUT', 'it broke off', true, null, details)
      })
      expect((await sample(late)).call).toMatchObject({
        outcome: 'cut',
        ...details.usage,
        answer: { preview: 'for' },
        reasoning: { preview: 'six by' },
        waitedMs: 10,
      })
    })

    it('[R219] says to the model who calls it, and fits its context', async () => {
      const told: unknown[] = []
      const models = modelsOf(async function* (turns, { about }) {
        told.push(
          about,
          turns.map(({ content }) => content.length),
        )
        yield { type: 'end', usage, modelVersion: 'model-7', finish: 'stop' }
      })
      const { asks, put } = bench(null, { models })
      await asks.sample({ ...wish, messages: [{ role: 'user', text: 'Why? '.repeat(4_000) }] }, live)
      expect(told).toEqual([{ agent: 'reader', skill: 'files', step: step.id }, [expect.any(Number)]])
      expect((told[1] as number[])[0]).toBeLessThan(4_000)
      const [recorded] = put
      expect(recorded?.type === 'recordCall' ? recorded.call.leftOutTokens : 0).toBeGreaterThan(3_000)
    })

    it('is not asked when nobody allowed it', async () => {
      for (const [record, reason] of [
        [null, 'a person did not allow it'],
        [settled({ decision: 'refuse', text: '' }), 'a person did not allow it'],
        [settled({ decision: 'refuse', text: 'too dear' }), 'a person did not allow it: too dear'],
      ] as const) {
        const { asks } = bench(record)
        expect(await asks.sample({ ...wish, asksFirst: true }, live)).toEqual({ ok: false, reason })
      }
    })
  })
})

function runningStep(): StepRecord {
  const story = walk([])
  const step = story.start(TEAM.reader.id)
  if (!step) throw new Error('no step')
  return step
}
