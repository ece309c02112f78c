/** A server that refuses a part of a request: it is asked again without, once. */
import { afterEach, describe, expect, it } from 'vitest'
import { collect, faultOf, modelAt, signal, TURNS } from '@/test/modelCalls'
import { type Answerer, type ModelPeer, openaiEnd, openaiText, openModelPeer, refuse } from '@/test/modelPeer'
import { openModels } from './index'
import type { Turn } from './model'
import type { ProviderModelConfig } from './providers'

const peers: ModelPeer[] = []
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()))
})
async function peerThat(answer: Answerer): Promise<ModelPeer> {
  const peer = await openModelPeer(answer)
  peers.push(peer)
  return peer
}

describe('[R414] what a server cannot', () => {
  const good: Answerer = (_, response) => void response.end(`${openaiText('ok')}${openaiEnd()}`)
  const roles = (peer: ModelPeer) =>
    peer.asked.map(({ body }) => (Array.isArray(body.messages) ? body.messages.map(({ role }) => role) : []))

  it.each([
    [500, 'System role not supported'],
    [400, 'Conversation roles must alternate user/assistant/user/assistant/...'],
    [400, "Unsupported value: 'messages[0].role' does not support 'system' with this model."],
    [200, 'System role not supported'],
  ])('a system role (%i %s) goes into the first turn of the user, and is not tried again', async (status, message) => {
    const peer = await peerThat((asked, response, number) =>
      JSON.stringify(asked.body.messages).includes('"system"')
        ? refuse(response, status, { error: { message } })
        : good(asked, response, number),
    )
    const model = modelAt(peer.url)
    for (const _ of [1, 2]) expect((await collect(model.call(TURNS, { signal: signal() }))).text).toBe('ok')
    expect(roles(peer)).toEqual([['system', 'user'], ['user'], ['user']])
    expect(peer.asked[1]?.body.messages).toEqual([{ role: 'user', content: 'You are brief.\n\nSay it.' }])
  })

  it('a temperature, a reasoning effort and stream_options are each left out once, whatever the order', async () => {
    const refusals: [string, string][] = [
      ['temperature', "Unsupported value: 'temperature' does not support 0.2 with this model."],
      ['stream_options', 'unknown field stream_options'],
      ['reasoning_effort', "Unsupported parameter: 'reasoning_effort'"],
    ]
    const peer = await peerThat((asked, response, number) => {
      const found = refusals.find(([field]) => field in asked.body)
      if (found) refuse(response, 400, { error: { message: found[1] } })
      else good(asked, response, number)
    })
    const model = modelAt(peer.url, { temperature: 0.2, reasoningEffort: 'low' })
    for (const _ of [1, 2]) await collect(model.call(TURNS, { signal: signal() }))
    expect(peer.asked).toHaveLength(5)
  })

  const functions = [{ name: 'read', description: 'reads', schema: { type: 'object', properties: {} } }]

  it('[R343] functions are given up for a refusal that does not say of what, until one was called; the caller asks again at once', async () => {
    const peer = await peerThat(({ body }, response) =>
      'tools' in body ? refuse(response, 400, { error: { message: 'bad request' } }) : undefined,
    )
    const model = modelAt(peer.url)
    const fault = await faultOf(model.call(TURNS, { signal: signal(), functions }))
    expect([fault.again, model.takesFunctions]).toEqual([true, false])
    const known = modelAt(peer.url)
    known.answeredBy?.('calls')
    expect((await faultOf(known.call(TURNS, { signal: signal(), functions }))).again).toBe(false)
    expect(known.takesFunctions).toBe(true)
    const asConfigured = modelAt(peer.url, { form: 'native' })
    await faultOf(asConfigured.call(TURNS, { signal: signal(), functions }))
    expect(asConfigured.takesFunctions).toBe(true)
  })

  it.each<[answers: ('calls' | 'tags' | 'words')[], isAskedByFunctions: boolean]>([
    [['tags'], true],
    [['tags', 'tags'], false],
    [['tags', 'calls', 'tags'], true],
    [['calls', 'tags', 'tags'], false],
    [['words'], true],
    [['words', 'words'], false],
    [['words', 'tags'], false],
    [['calls', 'words', 'words'], true],
  ])('[R343] functions are given up after the answers %j: %s', (answers, isAskedByFunctions) => {
    for (const form of ['auto', 'native'] as const) {
      const model = modelAt('http://127.0.0.1:9/v1', { form })
      for (const answer of answers) model.answeredBy?.(answer)
      expect(model.takesFunctions).toBe(form === 'native' || isAskedByFunctions)
    }
  })

  it('an answer of that length is asked for with the length that the server names, or with none', async () => {
    const peer = await peerThat((asked, response, number) => {
      const most = Number(asked.body.max_tokens ?? 0)
      const message = 'max_tokens is too large: 9000. This model supports at most 8000 completion tokens'
      if (most > 8_000) refuse(response, 400, { error: { message } })
      else good(asked, response, number)
    })
    const model = modelAt(peer.url, { maxTokens: { default: 9_000 } })
    for (const _ of [1, 2]) await collect(model.call(TURNS, { signal: signal() }))
    expect(peer.asked.map(({ body }) => body.max_tokens)).toEqual([9_000, 8_000, 8_000])
  })

  it('is known of all models at that address with that name, and forgotten when the configuration changes', async () => {
    const peer = await peerThat((asked, response, number) =>
      'temperature' in asked.body
        ? refuse(response, 400, { error: { message: 'temperature is not supported' } })
        : good(asked, response, number),
    )
    const one: ProviderModelConfig = {
      provider: 'openai-compatible',
      baseUrl: peer.url,
      model: 'peer',
      temperature: 0.2,
    }
    let configs: Record<string, ProviderModelConfig> = {
      one,
      other: { ...one, baseUrl: `${peer.url}/` },
      third: { ...one, model: 'third' },
    }
    const models = openModels({ models: () => configs })
    const asks = async (name: string) => {
      const before = peer.asked.length
      await collect(models.get(name).call(TURNS, { signal: signal() }))
      return peer.asked.length - before
    }
    expect([await asks('one'), await asks('other'), await asks('third'), await asks('one')]).toEqual([2, 1, 2, 1])
    configs = { ...configs, one: { ...one } }
    expect(await asks('one')).toBe(2)
  })

  it('a prompt that is too long makes the context smaller by the numbers that the server names', async () => {
    const message =
      "This model's maximum context length is 2000 tokens. However, your messages resulted in 5000 tokens."
    const peer = await peerThat((asked, response, number) =>
      JSON.stringify(asked.body).length > 5_000
        ? refuse(response, 400, { error: { message } })
        : good(asked, response, number),
    )
    const model = modelAt(peer.url, { contextTokens: 32_000 })
    const long: Turn[] = [{ role: 'user', content: 'x '.repeat(8_000) }]
    const fault = await faultOf(model.call(long, { signal: signal() }))
    expect([fault.again, fault.retryAfterMs, fault.details.trouble]).toEqual([true, 0, 'promptTooLong'])
    expect(fault.message).toContain(message)
    // 2,000 of the server's 5,000 tokens are 1,600 of our 4,000, with a margin.
    expect(model.contextTokens).toBe(1_520)
  })

  it('a prompt that stays too long is not asked for ever', async () => {
    const peer = await peerThat((_, response) => refuse(response, 400, { error: 'Context size has been exceeded' }))
    const model = modelAt(peer.url, { contextTokens: 32_000 })
    const faults: boolean[] = []
    for (const _ of [1, 2]) faults.push((await faultOf(model.call(TURNS, { signal: signal() }))).again)
    expect(faults).toEqual([false, false])
  })

  it('is left out by each of several calls that were under way at once', async () => {
    const waiting: (() => void)[] = []
    const peer = await peerThat((asked, response, number) => {
      if (!('temperature' in asked.body)) return good(asked, response, number)
      waiting.push(() => refuse(response, 400, { error: { message: 'temperature is not supported' } }))
      if (waiting.length === 3) for (const go of waiting) go()
    })
    const model = modelAt(peer.url, { temperature: 0.2 })
    const calls = [1, 2, 3].map(() => collect(model.call(TURNS, { signal: signal() })))
    expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(['ok', 'ok', 'ok'])
  })

  it('a prompt that is too long is asked again by each of several calls at once', async () => {
    const waiting: (() => void)[] = []
    const message = 'the request exceeds the available context size'
    const peer = await peerThat((_, response) => {
      waiting.push(() => refuse(response, 400, { error: { message, n_ctx: 2_000, n_prompt_tokens: 5_000 } }))
      if (waiting.length === 2) for (const go of waiting) go()
    })
    const model = modelAt(peer.url, { contextTokens: 32_000 })
    const long: Turn[] = [{ role: 'user', content: 'x '.repeat(8_000) }]
    const faults = await Promise.all([1, 2].map(() => faultOf(model.call(long, { signal: signal() }))))
    expect(faults.map(({ again, retryAfterMs }) => [again, retryAfterMs])).toEqual([
      [true, 0],
      [true, 0],
    ])
  })
})
