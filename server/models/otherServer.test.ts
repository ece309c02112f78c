/** The clients against a model server by other hands, over real HTTP: what our own peer might get wrong in the same way as we. */

import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SERVER_PROVIDERS, type ServerProvider } from '@/lib/mas/setup/providers'
import { writtenBy } from '@/test/modelWires'
import { type Model, ModelError, type ModelPiece, openModels, type Turn } from './index'
import type { ProviderModelConfig } from './providers'

const ANSWER = '<planned_step>[{"step_intention": "读 the list 🍎", "type": "skill"}]</planned_step>'
let peer: LLMock
beforeAll(async () => {
  peer = new LLMock({ port: 0, strict: true, chunkSize: 5 })
  peer.onMessage('limited', { error: { message: 'slow down' }, status: 429, retryAfter: 7 })
  peer.onMessage('broken', { error: { message: 'overloaded' }, status: 503 })
  peer.onMessage('cut', { content: ANSWER }, { truncateAfterChunks: 3, latency: 5 })
  peer.onMessage('dropped', { content: ANSWER }, { disconnectAfterMs: 60, latency: 25 })
  peer.onMessage('silent', { content: ANSWER }, { latency: 5_000 })
  peer.onMessage('slow', { content: ANSWER }, { latency: 10 })
  peer.onMessage('malformed', { content: ANSWER }, { chaos: { malformedRate: 1 } })
  peer.onMessage('hung up', { content: ANSWER }, { chaos: { disconnectRate: 1 } })
  peer.onMessage('long', { content: ANSWER, finishReason: 'length' })
  peer.onMessage('thinks', { content: ANSWER, reasoning: 'let me see' })
  peer.onMessage('well', { content: ANSWER, usage: { prompt_tokens: 11, completion_tokens: 22 } })
  await peer.start()
})
afterAll(() => peer.stop())

const modelOf = (provider: ServerProvider, more: Partial<ProviderModelConfig> = {}): Model =>
  openModels({
    models: {
      real: {
        provider,
        baseUrl: `${peer.url}${writtenBy(provider).base}`,
        model: 'some-model',
        key: { env: 'KEY' },
        contextTokens: 8_000,
        ...more,
      },
    },
    secret: () => 'sk-the-key-that-nobody-may-see',
  }).get('real')

async function ask(model: Model, word: string): Promise<{ text: string; pieces: number; end: ModelPiece | null }> {
  const turns: Turn[] = [
    { role: 'system', content: 'rules' },
    { role: 'user', content: word },
  ]
  const pieces: ModelPiece[] = []
  for await (const piece of model.call(turns, { signal: new AbortController().signal })) pieces.push(piece)
  const texts = pieces.flatMap((piece) => (piece.type === 'text' ? [piece.text] : []))
  return { text: texts.join(''), pieces: texts.length, end: pieces.find(({ type }) => type === 'end') ?? null }
}
const faultOf = (model: Model, word: string): Promise<ModelError> =>
  ask(model, word).then(
    () => Promise.reject(new Error('there was an answer')),
    (error: unknown) => {
      if (error instanceof ModelError) return error
      throw error
    },
  )

describe.each(SERVER_PROVIDERS)('a server of other make that speaks as %s', (provider) => {
  it.each(['well', 'slow', 'thinks'])('answers %s: the whole text comes, in many pieces', async (word) => {
    const got = await ask(modelOf(provider), word)
    expect(got.text).toBe(ANSWER)
    expect(got.pieces).toBeGreaterThan(10)
    expect(got.end).toMatchObject({ finish: 'stop', modelVersion: 'some-model' })
  })

  it.each([
    ['limited', 'MODEL_RATE_LIMITED', 7_000],
    ['broken', 'MODEL_UNREACHABLE', null],
    ['cut', 'MODEL_CUT', null],
    ['dropped', 'MODEL_CUT', null],
    ['hung up', 'MODEL_UNREACHABLE', null],
  ])('fails (%s) with %s, may be asked again, after %s ms', async (word, code, retryAfterMs) => {
    const fault = await faultOf(modelOf(provider), word)
    expect([fault.code, fault.again, fault.retryAfterMs]).toEqual([code, true, retryAfterMs])
  })

  it('fails when it says nothing within the limit', async () => {
    const fault = await faultOf(modelOf(provider, { timeLimitMs: 300 }), 'silent')
    expect([fault.code, fault.again]).toEqual(['MODEL_TIME_LIMIT', true])
  })

  it('is not believed when what comes cannot be read', async () => {
    expect(['MODEL_CUT', 'MODEL_REFUSED']).toContain((await faultOf(modelOf(provider), 'malformed')).code)
  })
})

it('a server of other make counts tokens, and the cost follows', async () => {
  const { end } = await ask(modelOf('openai-compatible', { price: { input: 1, output: 10 } }), 'well')
  expect(end).toMatchObject({ usage: { promptTokens: 11, completionTokens: 22, estimated: false } })
  expect(end?.type === 'end' && end.usage.costUsd).toBeCloseTo((11 + 220) / 1_000_000, 12)
})

it.each(SERVER_PROVIDERS.filter((name) => name !== 'ollama'))(
  'a server of other make that speaks as %s gives its reasoning apart from the text',
  async (provider) => {
    expect((await ask(modelOf(provider), 'thinks')).end).toMatchObject({ reasoning: 'let me see' })
  },
)

// Those of which that server writes the limit.
it.each(['openai-compatible', 'anthropic', 'google'] as const)(
  'a server of other make that speaks as %s says when its own length limit ended the answer',
  async (provider) => {
    expect((await ask(modelOf(provider), 'long')).end).toMatchObject({ finish: 'length' })
  },
)
