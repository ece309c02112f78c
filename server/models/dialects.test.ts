/** Where servers of one format differ: what they count, what they take, what they refuse, where they put the reasoning. */
import { afterEach, describe, expect, it } from 'vitest'
import type { ServerProvider } from '@/lib/mas/setup/providers'
import { ANSWER, collect, faultOf, modelAt, signal, TURNS } from '@/test/modelCalls'
import {
  type Answerer,
  type Asked,
  askedFormat,
  askedTurns,
  type ModelPeer,
  openaiEnd,
  openaiText,
  openModelPeer,
  refuse,
} from '@/test/modelPeer'
import { FORMATS } from '@/test/modelWires'
import type { Model, ObjectAnswer } from './model'
import type { ProviderModelConfig } from './providers'

const SCHEMA = {
  type: 'object',
  properties: { summary: { type: 'string' } },
  required: ['summary'],
  additionalProperties: false,
}
const peers: ModelPeer[] = []
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()))
})

async function peerThat(answer: Answerer): Promise<ModelPeer> {
  const peer = await openModelPeer(answer)
  peers.push(peer)
  return peer
}

describe.each(FORMATS)('a model that speaks as $provider', ({ provider, base, text, end, reasoning }) => {
  const open = (peer: ModelPeer, more: Partial<ProviderModelConfig> = {}, secrets: Record<string, string> = {}) =>
    modelAt(`${peer.url}${base}`, { provider, ...more }, secrets)

  it('says how long the answer of a skill may be, how much is reasoned, and what else the server is to know', async () => {
    const peer = await peerThat((_, response) => void response.end(`${text(ANSWER)}${end()}`))
    const model = open(peer, {
      maxTokens: { default: 2_000, think: 8_000 },
      reasoningEffort: 'low',
      temperature: 0.2,
      extra: { model: 'other', stream: false, top_k: 7, options: { num_ctx: 1, seed: 3 } },
    })
    for (const skill of ['think', 'planning']) {
      await collect(model.call(TURNS, { signal: signal(), about: { agent: 'a', skill } }))
    }
    const own: Record<ServerProvider, object> = {
      openai: { model: 'peer', stream: true, reasoning: { effort: 'low' }, max_output_tokens: 8_000, store: false },
      'openai-compatible': {
        ...{ model: 'peer', stream: true, messages: TURNS },
        ...{ reasoning_effort: 'low', max_tokens: 8_000, temperature: 0.2 },
      },
      anthropic: {
        ...{ model: 'peer', stream: true, max_tokens: 8_000 },
        ...{ thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
      },
      google: {
        generationConfig: { maxOutputTokens: 8_000, temperature: 0.2, thinkingConfig: { thinkingLevel: 'low' } },
      },
      ollama: {
        ...{ model: 'peer', stream: true, messages: TURNS, think: 'low' },
        options: { num_ctx: 4_000, seed: 3, num_predict: 8_000, temperature: 0.2 },
      },
    }
    expect(peer.asked[0]?.body).toMatchObject({ top_k: 7, ...own[provider] })
    expect(peer.asked[0] && askedTurns(peer.asked[0])).toEqual(TURNS)
    expect(JSON.stringify(peer.asked[1]?.body)).toContain(':2000')
    await collect(open(peer).call(TURNS, { signal: signal() }))
    const keys = ['reasoning_effort', 'reasoning', 'thinking', 'thinkingConfig', 'think', 'temperature']
    for (const key of [
      ...keys,
      ...(provider === 'anthropic' ? [] : ['max_tokens', 'num_predict', 'max_output_tokens']),
    ])
      expect(JSON.stringify(peer.asked[2]?.body)).not.toContain(`"${key}"`)
  })

  describe('that is asked for an object', () => {
    const answer: ObjectAnswer = { name: 'summary', schema: SCHEMA, isStrict: true, says: 'As an object.' }
    const ask = (model: Model) => collect(model.call(TURNS, { signal: signal(), answer }))
    const last = (asked: Asked) => askedTurns(asked).at(-1)
    const answers: Answerer = (_, response) => void response.end(`${text('{}')}${end()}`)

    const form = { form: 'schema' as const }

    it('gets its schema with the question, and says that it was asked so', async () => {
      const peer = await peerThat(answers)
      expect((await ask(open(peer, form))).end).toMatchObject({ isObject: true })
      const named = { name: 'summary', schema: SCHEMA, strict: true }
      const wishes: Record<ServerProvider, unknown> = {
        openai: { type: 'json_schema', ...named },
        'openai-compatible': { type: 'json_schema', json_schema: named },
        anthropic: expect.objectContaining({ type: 'json_schema' }),
        google: SCHEMA,
        ollama: SCHEMA,
      }
      expect(peer.asked.map(askedFormat)).toEqual([wishes[provider]])
      expect(peer.asked.map(last)).toEqual([{ role: 'user', content: 'Say it.\nAs an object.' }])
    })

    it('is never asked so when the configuration says tags, and only so when it says schema', async () => {
      const peer = await peerThat((asked, response, number) =>
        askedFormat(asked) ? refuse(response, 400) : answers(asked, response, number),
      )
      expect((await ask(open(peer, { form: 'tags' }))).text).toBe('{}')
      const fault = await faultOf(open(peer, { form: 'schema' }).call(TURNS, { signal: signal(), answer }))
      expect(fault.details).toMatchObject({ trouble: 'requestRefused', status: 400 })
      expect(peer.asked.map((asked) => askedFormat(asked) !== undefined)).toEqual([false, true])
    })
  })

  it('keeps reasoning that comes in a field of its own apart from the text, also when the answer breaks off', async () => {
    const begun = `${reasoning('let me ')}${reasoning('see 🍎')}${text(ANSWER)}`
    const peer = await peerThat((_, response, number) => void response.end(number === 1 ? `${begun}${end()}` : begun))
    const got = await collect(open(peer).call(TURNS, { signal: signal() }))
    expect([got.text, got.end]).toMatchObject([ANSWER, { reasoning: 'let me see 🍎' }])
    const fault = await faultOf(open(peer).call(TURNS, { signal: signal() }))
    expect([fault.code, fault.details.reasoning]).toEqual(['MODEL_CUT', 'let me see 🍎'])
  })
})

it.each([
  [{ prompt_tokens_details: { cached_tokens: 60 } }, { cachedTokens: 60, reasoningTokens: null }],
  [{ prompt_cache_hit_tokens: 70, prompt_cache_miss_tokens: 30 }, { cachedTokens: 70 }],
  [{ completion_tokens_details: { reasoning_tokens: 12 } }, { completionTokens: 20, reasoningTokens: 12 }],
  [{ total_tokens: 150, completion_tokens_details: { reasoning_tokens: 30 } }, { completionTokens: 50 }],
  [{ total_tokens: 120, prompt_tokens_details: 'none', completion_tokens_details: 7 }, { cachedTokens: null }],
])('usage as some server counts it (%j) is read as %j', async (counts, read) => {
  const usage = { prompt_tokens: 100, completion_tokens: 20, ...counts }
  const peer = await peerThat((_, response) => void response.end(`${openaiText('ok')}${openaiEnd('stop', usage)}`))
  const { end } = await collect(modelAt(peer.url).call(TURNS, { signal: signal() }))
  expect(end).toMatchObject({ usage: { promptTokens: 100, estimated: false, ...read } })
})

it.each([
  [{ reasoning: 'so' }, 'so'],
  [{ reasoning: 'so', reasoning_content: 'so' }, 'so'],
  [{ reasoning: { summary: 'so' } }, undefined],
  [{ reasoning: '' }, undefined],
])('reasoning as some server gives it (%j) is read as %j', async (delta, reasoning) => {
  const thought = `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`
  const peer = await peerThat((_, response) => void response.end(`${thought}${openaiText('ok')}${openaiEnd()}`))
  const { text, end } = await collect(modelAt(peer.url).call(TURNS, { signal: signal() }))
  expect([text, end?.type === 'end' && end.reasoning]).toEqual(['ok', reasoning])
})

describe('a refusal', () => {
  it('of stream_options by an older server is answered by a question without them', async () => {
    const peer = await peerThat(({ body }, response) => {
      if ('stream_options' in body) refuse(response, 400, { error: { message: 'unknown field stream_options' } })
      else response.end(`${openaiText('ok')}${openaiEnd()}`)
    })
    const model = modelAt(peer.url)
    expect((await collect(model.call(TURNS, { signal: signal() }))).text).toBe('ok')
    await collect(model.call(TURNS, { signal: signal() }))
    expect(peer.asked).toHaveLength(3)
  })

  it('of max_tokens by a server that wants it under its newer name is answered by a question that has it so', async () => {
    const peer = await peerThat(({ body }, response) => {
      const message = "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
      if ('max_tokens' in body) refuse(response, 400, { error: { message } })
      else response.end(`${openaiText('ok')}${openaiEnd()}`)
    })
    const model = modelAt(peer.url, { maxTokens: { default: 50 } })
    for (const _ of [1, 2]) expect((await collect(model.call(TURNS, { signal: signal() }))).text).toBe('ok')
    expect(peer.asked.map(({ body }) => body.max_completion_tokens)).toEqual([undefined, 50, 50])
  })
})
