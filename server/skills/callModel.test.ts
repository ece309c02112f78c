/** What a call leaves behind: its own times, what it cost though it gave nothing, and what did not fit. */
import { describe, expect, it } from 'vitest'
import { type Model, ModelError, type ModelPiece, type Turn } from '@/server/models'
import { scriptedModel } from '@/test/scriptedModel'
import { makeStep, testRun, testWorld } from '@/test/skillWorld'
import { callModel, recordOf } from './callModel'

const TURNS: Turn[] = [
  { role: 'system', content: 'rules' },
  { role: 'user', content: 'the step' },
]
const PROMPT = { sha: '', bytes: 0 }
const USAGE = {
  promptTokens: 9,
  completionTokens: 3,
  cachedTokens: 4,
  reasoningTokens: 2,
  estimated: true,
  costUsd: 0.5,
}
const runOf = (model: Model, more: Parameters<typeof testRun>[3] = {}) =>
  testRun(testWorld, makeStep(1, { executor: 'planning' }), model, more)
/** A model whose call does what the test says. */
const acting = (call: Model['call'], contextTokens = 32_000): Model => ({
  name: 'm',
  provider: 'test',
  contextTokens,
  call,
})

describe('one call', () => {
  it('counts its times from when it left, and its wait for a place by itself', async () => {
    let now = 100
    const model = acting(async function* (_, { onStart }): AsyncGenerator<ModelPiece> {
      now += 5_000
      onStart?.()
      now += 30
      yield { type: 'text', text: 'hello' }
      now += 70
      yield { type: 'end', usage: USAGE, modelVersion: 'v', finish: 'stop' }
    })
    const run = runOf(model, { clock: () => now })
    const result = await callModel(run, TURNS)
    expect(recordOf(run, PROMPT, result, 'taken', null)).toMatchObject({
      waitedMs: 5_000,
      firstTokenMs: 30,
      totalMs: 100,
      cachedTokens: 4,
      reasoningTokens: 2,
      costUsd: 0.5,
    })
  })

  it('[R475] says where it stands: its place in the queue, asked, writing, and what is between the calls', async () => {
    const model = acting(async function* (_, { onPlace, onStart }): AsyncGenerator<ModelPiece> {
      onPlace?.(2)
      onPlace?.(1)
      onStart?.()
      yield { type: 'text', text: 'hel' }
      yield { type: 'text', text: 'lo' }
      yield { type: 'end', usage: USAGE, modelVersion: 'v', finish: 'stop' }
    })
    const run = runOf(model)
    await callModel(run, TURNS)
    const places = [2, 1].map((place) => ({ what: 'queued', place }))
    expect(run.did).toEqual([...places, { what: 'asked' }, { what: 'writing' }, { what: 'between' }])
  })

  it('[R475] writes no longer when its stream has broken off, and asks a person where the model is one', async () => {
    const broken = runOf(scriptedModel([{ text: 'half', finish: 'broken' }]))
    await callModel(broken, TURNS)
    expect(broken.did.at(-1)).toEqual({ what: 'between' })
    const person = acting(async function* (_, { onStart }): AsyncGenerator<ModelPiece> {
      onStart?.()
      yield { type: 'end', usage: USAGE, modelVersion: 'v', finish: 'stop' }
    })
    const asked = runOf({ ...person, provider: 'person' })
    await callModel(asked, TURNS)
    expect(asked.did).toEqual([{ what: 'person' }, { what: 'between' }])
  })

  it('says whose it is, by the names of the configuration', async () => {
    const said: unknown[] = []
    const model = acting(async function* (_, { about }): AsyncGenerator<ModelPiece> {
      said.push(about)
      yield { type: 'end', usage: USAGE, modelVersion: 'v', finish: 'stop' }
    })
    await callModel(runOf(model), TURNS)
    expect(said).toMatchObject([{ agent: 'reader', skill: 'planning' }])
  })

  it('keeps what it cost although it gave nothing to take, also when it was stopped', async () => {
    for (const code of ['MODEL_CUT', 'MODEL_ABORTED'] as const) {
      const stop = new AbortController()
      const model = acting(async function* (): AsyncGenerator<ModelPiece> {
        yield { type: 'text', text: 'half' }
        if (code === 'MODEL_ABORTED') stop.abort()
        throw new ModelError(code, 'no more', true, null, { usage: USAGE })
      })
      const run = runOf(model, { signal: stop.signal })
      const result = await callModel(run, TURNS)
      expect(result).toMatchObject({ ended: false, text: 'half', fault: { code } })
      expect(recordOf(run, PROMPT, result, 'failed', 'x')).toMatchObject({ promptTokens: 9, costUsd: 0.5 })
    }
  })

  it.each<[string, Error, string | null]>([
    ['an error of the model', new ModelError('MODEL_UNREACHABLE', 'down', true), 'MODEL_ABORTED'],
    ['an error of the network', new TypeError('fetch failed'), 'MODEL_ABORTED'],
  ])('that is stopped ends as stopped, also by %s', async (_, error, code) => {
    const stop = new AbortController()
    const failing = (abort: boolean) =>
      acting(async function* (): AsyncGenerator<ModelPiece> {
        yield { type: 'text', text: 'half' }
        if (abort) stop.abort()
        throw error
      })
    const rest = callModel(runOf(failing(false)), TURNS)
    if (error instanceof ModelError) expect(await rest).toMatchObject({ ended: false, fault: error })
    else await expect(rest).rejects.toBe(error)
    expect(await callModel(runOf(failing(true), { signal: stop.signal }), TURNS)).toMatchObject({ fault: { code } })
  })

  it('is recorded with the fingerprint of the model where it gave one, and with no answer where it was empty', async () => {
    const ending = (text: string, fingerprint?: string) =>
      acting(async function* (): AsyncGenerator<ModelPiece> {
        yield { type: 'text', text }
        yield { type: 'end', usage: USAGE, modelVersion: 'v', finish: 'stop', ...(fingerprint ? { fingerprint } : {}) }
      })
    const record = async (model: Model) =>
      recordOf(runOf(model), PROMPT, await callModel(runOf(model), TURNS), 'taken', null)
    expect(await record(ending('yes', 'fp1'))).toMatchObject({ fingerprint: 'fp1', answer: { preview: 'yes' } })
    const empty = await record(ending(''))
    expect(empty.answer).toBeNull()
    expect(empty).not.toHaveProperty('fingerprint')
  })

  it('that never reached a model has unknown tokens and cost, not 0', async () => {
    const run = runOf(scriptedModel([{ fault: new ModelError('MODEL_UNREACHABLE', 'no', true) }]))
    const record = recordOf(run, PROMPT, await callModel(run, TURNS), 'failed', 'no')
    expect([record.promptTokens, record.completionTokens, record.costUsd]).toEqual([null, null, null])
    expect(Object.keys(record)).not.toContain('waitedMs')
  })
})

describe('a prompt that is too long for the model', () => {
  const LONG: Turn[] = [
    { role: 'system', content: 'rules' },
    { role: 'user', content: `<step_text>begin ${'m'.repeat(40_000)} end</step_text>` },
  ]

  it('is cut before it is sent, and the record says by how much', async () => {
    const model = scriptedModel(['ok'], 2_000)
    const run = runOf(model)
    const result = await callModel(run, LONG)
    const sent = model.asked[0]?.map(({ content }) => content).join('') ?? ''
    expect(sent).toMatch(/^rules<step_text>begin m+\n\[… \d+ characters are left out here …\]\nm+ end<\/step_text>$/)
    expect(sent.length / 4).toBeLessThanOrEqual(2_000 * (7 / 8) + 1)
    expect(recordOf(run, PROMPT, result, 'taken', null).leftOutTokens).toBeGreaterThan(8_000)
  })

  it('is cut in the team’s language', async () => {
    const model = scriptedModel(['ok'], 2_000)
    const zh = { ...testWorld, team: { ...testWorld.team, language: 'zh' as const } }
    await callModel(testRun(zh, makeStep(1), model), LONG)
    expect(model.asked[0]?.[1]?.content).toMatch(/［……此处省略 \d+ 个字符……］/)
  })

  it('keeps the step and the newest reply when an answer was shown back', async () => {
    const model = scriptedModel(['ok'], 2_000)
    const back: Turn[] = [
      { role: 'assistant', content: 'a'.repeat(6_000) },
      { role: 'user', content: 'again' },
    ]
    await callModel(runOf(model), [...LONG, ...back, ...back])
    expect(model.asked[0]?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(model.asked[0]?.at(-1)?.content).toBe('again')
  })

  it('fails with what to do when even its rules do not fit, and the model is not asked', async () => {
    const model = scriptedModel([], 500)
    const result = await callModel(runOf(model), [{ role: 'system', content: 'r'.repeat(8_000) }, ...LONG.slice(1)])
    expect(result).toMatchObject({ ended: false, fault: { code: 'MODEL_PROMPT', again: false } })
    expect(!result.ended && result.fault.message).toContain('context_tokens')
    expect(model.asked).toEqual([])
  })
})
