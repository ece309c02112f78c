/** What callers of a real model rely on, over a real socket: whole answers or a fault, deadlines, stopping, no key anywhere. */
import { createServer } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { type ServerProvider, traitsOf } from '@/lib/mas/setup/providers'
import { ANSWER, collect, faultOf, modelAt, signal, TURNS } from '@/test/modelCalls'
import {
  type Answerer,
  askedTurns,
  inPieces,
  type ModelPeer,
  openaiEnd,
  openaiText,
  openModelPeer,
  refuse,
} from '@/test/modelPeer'
import { FORMATS } from '@/test/modelWires'
import { ModelError, openModels } from './index'
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

describe.each(FORMATS)('a model that speaks as $provider', (wire) => {
  const { provider, path, base, text, end, counted } = wire
  const open = (peer: ModelPeer, more: Partial<ProviderModelConfig> = {}, secrets: Record<string, string> = {}) =>
    modelAt(`${peer.url}${base}`, { provider, ...more }, secrets)

  it.each([1, 3, 7, 1_000])('gives the whole text, wherever its bytes are split (%i a piece)', async (size) => {
    const peer = await peerThat((_, response) => {
      inPieces(response, `${text(ANSWER.slice(0, 12))}${text(ANSWER.slice(12))}${counted()}`, size)
      response.end()
    })
    const got = await collect(open(peer).call(TURNS, { signal: signal() }))
    expect(got.text).toBe(ANSWER)
    expect(got.pieces).toBe(2)
    expect(got.end).toMatchObject({ finish: 'stop', modelVersion: 'peer-1' })
    expect(peer.asked[0]?.path).toBe(`${base}${path}`)
    expect(peer.asked.map(askedTurns)).toEqual([TURNS])
  })

  it('[R223] sends no half of a surrogate pair, for which strict servers refuse a request', async () => {
    const peer = await peerThat((_, response) => void response.end(`${text(ANSWER)}${counted()}`))
    await collect(open(peer).call([{ role: 'user', content: 'cut \uD83D, whole 😀' }], { signal: signal() }))
    expect(peer.asked.map(askedTurns)).toEqual([[{ role: 'user', content: 'cut \uFFFD, whole 😀' }]])
  })

  it('counts tokens as the server does, and reckons the cost from the configured prices', async () => {
    const peer = await peerThat((_, response) => void response.end(`${text(ANSWER)}${counted()}`))
    const price = { input: 2, output: 10, cached: 1, cacheWrite: 3 }
    const got = await collect(open(peer, { price }).call(TURNS, { signal: signal() }))
    const cached = provider === 'ollama' ? null : 60
    const written = provider === 'anthropic' ? 10 : 0
    expect(got.end).toMatchObject({
      usage: { promptTokens: 100, completionTokens: 20, cachedTokens: cached, estimated: false },
    })
    const costUsd = ((100 - (cached ?? 0) - written) * 2 + (cached ?? 0) * 1 + written * 3 + 20 * 10) / 1_000_000
    expect(got.end?.type === 'end' && got.end.usage.costUsd).toBeCloseTo(costUsd, 12)
  })

  it('takes cached tokens for the price of input where none is configured for them', async () => {
    const peer = await peerThat((_, response) => void response.end(`${text(ANSWER)}${counted()}`))
    const got = await collect(open(peer, { price: { input: 2, output: 10 } }).call(TURNS, { signal: signal() }))
    expect(got.end?.type === 'end' && got.end.usage.costUsd).toBeCloseTo((100 * 2 + 20 * 10) / 1_000_000, 12)
  })

  it('says unknown, not 0, for a cost without a price, and estimates what the server does not count', async () => {
    const peer = await peerThat((_, response) => void response.end(`${text('x'.repeat(400))}${end()}`))
    const got = await collect(open(peer).call(TURNS, { signal: signal() }))
    expect(got.end).toMatchObject({ usage: { promptTokens: 6, completionTokens: 100, estimated: true, costUsd: null } })
  })

  it.runIf(provider === 'openai-compatible')(
    '002-14 says what its server calls its configuration, where it says so',
    async () => {
      const named = text('').replace('data: {', 'data: {"system_fingerprint":"fp_12345",')
      const peer = await peerThat((_, response, number) => {
        response.end(`${number === 1 ? named : ''}${text(ANSWER)}${end()}`)
      })
      const first = await collect(open(peer).call(TURNS, { signal: signal() }))
      expect(first.end).toMatchObject({ fingerprint: 'fp_12345' })
      const second = await collect(open(peer).call(TURNS, { signal: signal() }))
      expect(second.end).not.toHaveProperty('fingerprint')
    },
  )

  it('says that its own length limit ended the answer', async () => {
    const peer = await peerThat((_, response) => void response.end(`${text(ANSWER)}${end('length')}`))
    expect((await collect(open(peer).call(TURNS, { signal: signal() }))).end).toMatchObject({ finish: 'length' })
  })

  it('never takes half an answer for a whole one: an end that does not come is a fault, with what it has cost', async () => {
    const peer = await peerThat((_, response, number) => {
      response.write(text('half an ans'))
      if (number === 1) response.end()
      else setImmediate(() => response.destroy())
    })
    const model = open(peer, { price: { input: 1, output: 1 } })
    for (const message of ['the answer broke off before its end', 'the connection broke in the middle of the answer']) {
      const fault = await faultOf(model.call(TURNS, { signal: signal() }))
      expect([fault.code, fault.message, fault.again]).toEqual(['MODEL_CUT', message, true])
      expect(fault.details.usage).toMatchObject({ promptTokens: 6, completionTokens: 3, estimated: true })
      expect(fault.details.usage?.costUsd).toBeCloseTo(9 / 1_000_000, 12)
    }
  })

  it('[R31] is whole only when the model said so: cut after any byte, an answer is all there or a fault', async () => {
    const whole = Buffer.from(`${text(ANSWER.slice(0, 12))}${text(ANSWER.slice(12))}${end()}`)
    const said = whole.indexOf(wire.endMark)
    // All bytes about the ending, and some of those before it.
    const step = Math.ceil(said / 40)
    const lengths = Array.from({ length: whole.length + 1 }, (_, n) => n).filter((n) => n >= said || n % step === 0)
    let length = 0
    const peer = await peerThat((_, response) => void response.end(whole.subarray(0, length)))
    const model = open(peer)
    const taken: number[] = []
    for (length of lengths) {
      try {
        const got = await collect(model.call(TURNS, { signal: signal() }))
        expect(got.text).toBe(ANSWER)
        taken.push(length)
      } catch (error) {
        expect(error).toBeInstanceOf(ModelError)
      }
    }
    // From the closing brace of the line that says so, and never before.
    expect(taken.at(-1)).toBe(whole.length)
    expect(taken[0]).toBeGreaterThan(said)
    expect(taken).toHaveLength(whole.length - (taken[0] ?? 0) + 1)
  })

  it('throws nothing but a fault of its own, whatever bytes come', async () => {
    const valid = `${text(ANSWER)}${end()}`
    const bodies = fc.sample(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc
          .tuple(fc.nat(valid.length), fc.nat(40), fc.string({ unit: 'binary', maxLength: 20 }))
          .map(([at, count, noise]) => `${valid.slice(0, at)}${noise}${valid.slice(at + count)}`),
        fc.json().map((json) => (provider === 'ollama' ? `${json}\n` : `data: ${json}\n\n`)),
      ),
      process.env.CONVENE_ALL === '1' ? { numRuns: 3_000 } : { numRuns: 60, seed: 4711 },
    )
    const peer = await peerThat((_, response, number) => void response.end(bodies[number - 1]))
    const model = open(peer)
    for (const body of bodies) {
      const outcome = await collect(model.call(TURNS, { signal: signal() })).catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome, body).toBeInstanceOf(ModelError)
    }
    expect(peer.asked).toHaveLength(bodies.length)
  })

  it('calls a piece that cannot be read a cut, and an answer of another kind a wrong format', async () => {
    const peer = await peerThat((_, response, number) => {
      response.end(number === 1 ? `${text('begins')}${wire.broken}${end()}` : wire.page)
    })
    const model = open(peer)
    expect(await faultOf(model.call(TURNS, { signal: signal() }))).toMatchObject({ code: 'MODEL_CUT', again: true })
    expect(await faultOf(model.call(TURNS, { signal: signal() }))).toMatchObject({
      code: 'MODEL_REFUSED',
      again: false,
      details: { trouble: 'wrongFormat' },
    })
  })

  it('passes on what the server says went wrong in the middle', async () => {
    const peer = await peerThat((_, response) => void response.end(text('begins') + wire.error('no memory left')))
    const fault = await faultOf(open(peer).call(TURNS, { signal: signal() }))
    expect(fault.code).toBe('MODEL_UNREACHABLE')
    expect(fault.message).toMatch(/^the server stopped in the middle( \(503\))?: no memory left$/)
  })

  it('[R32] closes its connection at once when the step is stopped', async () => {
    const stop = new AbortController()
    const peer = await peerThat((_, response) => void response.write(text('first words')))
    const pieces: string[] = []
    const call = (async () => {
      for await (const piece of open(peer).call(TURNS, { signal: stop.signal })) {
        if (piece.type === 'text') pieces.push(piece.text)
        stop.abort()
      }
    })()
    await expect(call).rejects.toMatchObject({ code: 'MODEL_ABORTED' })
    await peer.untilLeft()
    expect(pieces).toEqual(['first words'])
    expect(peer.now()).toBe(0)
  })

  it('closes its connection too when the stop comes before the first word', async () => {
    const stop = new AbortController()
    const peer = await peerThat(() => stop.abort())
    const fault = await faultOf(open(peer).call(TURNS, { signal: stop.signal }))
    expect(fault.code).toBe('MODEL_ABORTED')
    await peer.untilLeft()
  })

  it('gives up at each of its limits, and closes the connection', async () => {
    const peer = await peerThat((_, response, number) => {
      if (number === 2) response.write(text('slow, '))
    })
    const first = await faultOf(open(peer, { firstTokenLimitMs: 300 }).call(TURNS, { signal: signal() }))
    expect([first.code, first.message, first.again]).toEqual([
      'MODEL_TIME_LIMIT',
      'the model did not begin to answer within 0.3 s',
      true,
    ])
    await peer.untilLeft()
    const total = await faultOf(open(peer, { timeLimitMs: 300 }).call(TURNS, { signal: signal() }))
    expect(total.message).toBe('the answer was not finished within 0.3 s')
  })

  it('shows pictures to the model', async () => {
    const peer = await peerThat((_, response) => void response.end(`${text('a cat')}${end()}`))
    const media = [{ kind: 'image' as const, mime: 'image/png', base64: 'AAAA' }]
    await collect(open(peer).call([{ role: 'user', content: 'What is it?', media }], { signal: signal() }))
    const shown: Record<ServerProvider, string> = {
      openai: '"image_url":"data:image/png;base64,AAAA"',
      'openai-compatible': '"image_url":{"url":"data:image/png;base64,AAAA"}',
      anthropic: '"source":{"type":"base64","media_type":"image/png","data":"AAAA"}',
      google: '"inlineData":{"mimeType":"image/png","data":"AAAA"}',
      ollama: '"images":["AAAA"]',
    }
    expect(JSON.stringify(peer.asked[0]?.body)).toContain(shown[provider])
  })

  it.runIf(traitsOf(provider).accepts.includes('audio') || provider === 'ollama')(
    'plays sounds to the model, or says how many it cannot hear',
    async () => {
      const peer = await peerThat((_, response) => void response.end(`${text('a bell')}${end()}`))
      const media = [
        { kind: 'audio' as const, mime: 'audio/mpeg', base64: 'AAAA' },
        { kind: 'audio' as const, mime: 'audio/wav', base64: 'BBBB' },
      ]
      await collect(open(peer).call([{ role: 'user', content: 'What is it?', media }], { signal: signal() }))
      const asked = JSON.stringify(peer.asked[0]?.body)
      const expected =
        provider === 'ollama'
          ? ['[2 sounds that this model cannot hear]']
          : provider === 'google'
            ? ['{"mimeType":"audio/mpeg","data":"AAAA"}', '{"mimeType":"audio/wav","data":"BBBB"}']
            : ['"input_audio":{"data":"AAAA","format":"mp3"}', '"input_audio":{"data":"BBBB","format":"wav"}']
      for (const part of expected) expect(asked).toContain(part)
    },
  )
})

describe('a refusal', () => {
  it.each([
    [401, {}, 'MODEL_REFUSED', 'keyRefused', false],
    [403, {}, 'MODEL_REFUSED', 'keyRefused', false],
    [402, {}, 'MODEL_REFUSED', 'outOfCredit', false],
    [404, { error: { message: 'The model peer does not exist' } }, 'MODEL_REFUSED', 'modelUnknown', false],
    [404, 'page not found', 'MODEL_REFUSED', 'addressWrong', false],
    [400, { error: { message: 'too long' } }, 'MODEL_REFUSED', 'requestRefused', false],
    [400, { error: { message: 'the model is too busy' } }, 'MODEL_REFUSED', 'requestRefused', false],
    [400, { error: { message: 'Model peer not found' } }, 'MODEL_REFUSED', 'modelUnknown', false],
    [302, {}, 'MODEL_REFUSED', 'addressWrong', false],
    [429, { error: { code: 'insufficient_quota' } }, 'MODEL_REFUSED', 'outOfCredit', false],
    [429, {}, 'MODEL_RATE_LIMITED', 'tooMany', true],
    [425, {}, 'MODEL_RATE_LIMITED', 'tooMany', true],
    [500, {}, 'MODEL_UNREACHABLE', 'serverBroken', true],
    [503, {}, 'MODEL_UNREACHABLE', 'serverBroken', true],
    [408, {}, 'MODEL_TIME_LIMIT', 'timeLimit', true],
  ])('of %i %j is %s (%s), again: %s', async (status, body, code, trouble, again) => {
    const peer = await peerThat((_, response) => refuse(response, status, body))
    const fault = await faultOf(modelAt(peer.url).call(TURNS, { signal: signal() }))
    expect([fault.code, fault.details.trouble, fault.again, fault.details.status]).toEqual([
      code,
      trouble,
      again,
      status,
    ])
  })

  it.each([
    [401, { message: 'Incorrect key: sk-1' }, 'the server does not accept the key (401): Incorrect key: ***'],
    [403, { message: 'Not in your region' }, 'the server does not accept the key (403): Not in your region'],
    [429, { detail: 'slow down' }, 'too many requests (429): slow down'],
    [400, { error: 'too long' }, 'the server answered 400: too long'],
    [400, { error: { error: { message: 'too deep' } } }, 'the server answered 400: too deep'],
    [500, '<html>broken</html>', 'the server answered 500: broken'],
    [500, null, 'the server answered 500'],
  ])('of %i %j is worded as “%s”', async (status, body, words) => {
    const peer = await peerThat((_, response) => refuse(response, status, body))
    expect((await faultOf(modelAt(peer.url).call(TURNS, { signal: signal() }))).message).toBe(words)
  })

  it.each([
    ['7', 7_000],
    ['Sat, 21 Nov 2026 10:00:09 GMT', 9_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['soon', null],
  ])('says with Retry-After: %s that %s ms are to be waited', async (header, ms) => {
    const peer = await peerThat((_, response) => refuse(response, 429, {}, { 'retry-after': header }))
    expect((await faultOf(modelAt(peer.url).call(TURNS, { signal: signal() }))).retryAfterMs).toBe(ms)
  })

  it('may say the wait in milliseconds too, which is then the finer word', async () => {
    const headers = { 'retry-after': '1', 'retry-after-ms': '250' }
    const peer = await peerThat((_, response) => refuse(response, 429, {}, headers))
    expect((await faultOf(modelAt(peer.url).call(TURNS, { signal: signal() }))).retryAfterMs).toBe(250)
  })

  it('repeats the server’s own sentence, on one line and not for ever', async () => {
    const peer = await peerThat((_, response) => refuse(response, 400, { error: { message: `a\n${'b'.repeat(999)}` } }))
    const { message } = await faultOf(modelAt(peer.url).call(TURNS, { signal: signal() }))
    expect(message).toMatch(/^the server answered 400: a b{298}$/)
  })

  it('of the model itself, in place of an answer, is one', async () => {
    const delta = { model: 'peer-1', choices: [{ index: 0, delta: { refusal: 'I cannot.' }, finish_reason: null }] }
    const peer = await peerThat((_, response) => void response.end(`data: ${JSON.stringify(delta)}\n\n${openaiEnd()}`))
    const fault = await faultOf(modelAt(peer.url).call(TURNS, { signal: signal() }))
    expect([fault.code, fault.message]).toEqual(['MODEL_REFUSED', 'the model refuses to answer: I cannot.'])
  })

  it.each(['content_filter', 'tool_calls'])('of an answer ended by %s is said as such', async (finish) => {
    const peer = await peerThat((_, response) => void response.end(`${openaiText('I')}${openaiEnd(finish)}`))
    const fault = await faultOf(modelAt(peer.url).call(TURNS, { signal: signal() }))
    expect([fault.code, fault.again]).toEqual(['MODEL_REFUSED', false])
  })
})

describe('a server that is not there', () => {
  it('is refused, unknown, or no web server, each in words', async () => {
    const port = await new Promise<number>((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const address = server.address()
        server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
      })
    })
    const refused = await faultOf(modelAt(`http://127.0.0.1:${port}/v1`).call(TURNS, { signal: signal() }))
    expect([refused.code, refused.message, refused.again]).toEqual([
      'MODEL_UNREACHABLE',
      `nothing answers at 127.0.0.1:${port}`,
      true,
    ])
    const unknown = await faultOf(modelAt('http://nowhere.invalid/v1').call(TURNS, { signal: signal() }))
    expect([unknown.code, unknown.details.trouble]).toEqual(['MODEL_UNREACHABLE', 'hostUnknown'])
    const odd = createServer((socket) => socket.on('error', () => {}).end('SSH-2.0-peer\r\n'))
    await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve))
    const address = odd.address()
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
    expect((await faultOf(modelAt(url).call(TURNS, { signal: signal() }))).details.trouble).toBe('wrongFormat')
    const tls = await faultOf(modelAt(url.replace('http:', 'https:')).call(TURNS, { signal: signal() }))
    expect([tls.code, tls.details.trouble]).toEqual(['MODEL_REFUSED', 'certificate'])
    odd.close()
  })

  it('that takes no connection is given up at the limit for that, before the first word could be late', async () => {
    // It accepts, and never answers the TLS handshake.
    const mute = createServer()
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    const address = mute.address()
    const url = `https://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
    const limits = { connectLimitMs: 100, firstTokenLimitMs: 10_000 }
    const fault = await faultOf(modelAt(url, limits).call(TURNS, { signal: signal() }))
    expect([fault.code, fault.message]).toEqual(['MODEL_TIME_LIMIT', 'no connection to the server within 0.1 s'])
    mute.close()
  })
})

describe('a key', () => {
  const KEY = 'sk-a-very-secret-key-0123456789'

  it('[R33] comes from the environment into the header, and nothing that comes out says it', async () => {
    const peer = await peerThat((_, response, number) => {
      if (number === 1) refuse(response, 401, { error: { message: `Incorrect API key provided: ${KEY}` } })
      else if (number === 2) refuse(response, 400, { error: { message: `bad header Bearer ${KEY}` } })
      else if (number === 3) response.end(`data: {"error":{"message":"failed for ${KEY}"}}\n\n`)
      else response.end(`${openaiText('ok')}${openaiEnd()}`)
    })
    const model = modelAt(peer.url, { key: { env: 'MY_KEY' } }, { MY_KEY: ` ${KEY}\n` })
    const out: string[] = []
    for (let call = 0; call < 3; call += 1) {
      const fault = await faultOf(model.call(TURNS, { signal: signal() }))
      out.push(fault.message, JSON.stringify(fault), String(fault.stack), JSON.stringify(fault.details))
    }
    out.push(JSON.stringify(await collect(model.call(TURNS, { signal: signal() }))), JSON.stringify(model))
    expect(out.join('\n')).not.toContain(KEY)
    expect(peer.asked.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true)
  })

  it('that is not set, or cannot be one, stops the call before it leaves', async () => {
    const peer = await peerThat((_, response) => void response.end())
    const missing = await faultOf(modelAt(peer.url, { key: { env: 'MY_KEY' } }).call(TURNS, { signal: signal() }))
    expect([missing.code, missing.message]).toEqual(['MODEL_REFUSED', 'MY_KEY is not set'])
    const odd = modelAt(peer.url, { key: { env: 'MY_KEY' } }, { MY_KEY: `${KEY} and more` })
    const fault = await faultOf(odd.call(TURNS, { signal: signal() }))
    expect(fault.message).toBe('MY_KEY holds characters that no key has')
    expect(peer.asked).toEqual([])
  })
})

describe('calls at once', () => {
  it('are limited per address, first come first served, whichever model of it they are for', async () => {
    const answers: (() => void)[] = []
    const peer = await peerThat(
      (_, response) => void answers.push(() => response.end(`${openaiText('ok')}${openaiEnd()}`)),
    )
    const models = openModels({
      models: {
        one: { provider: 'openai-compatible', baseUrl: `${peer.url}/`, model: 'one', parallel: 2 },
        other: { provider: 'openai-compatible', baseUrl: peer.url, model: 'other', parallel: 9 },
        elsewhere: { provider: 'openai-compatible', baseUrl: `${peer.url}/elsewhere`, model: 'third', parallel: 1 },
      },
    })
    const started: number[] = []
    const calls = [0, 1, 2, 3, 4].map((number) =>
      collect(
        models.get(number % 2 ? 'one' : 'other').call(TURNS, { signal: signal(), onStart: () => started.push(number) }),
      ),
    )
    await expect.poll(() => answers.length).toBe(2)
    expect(started).toEqual([0, 1])
    for (let done = 0; done < 5; done += 1) {
      await expect.poll(() => answers.length).toBeGreaterThan(done)
      answers[done]?.()
    }
    await Promise.all(calls)
    expect(started).toEqual([0, 1, 2, 3, 4])
    expect(peer.most()).toBe(2)
  })

  it('leave the line when they are stopped, and make room', async () => {
    const answers: (() => void)[] = []
    const peer = await peerThat(
      (_, response) => void answers.push(() => response.end(`${openaiText('ok')}${openaiEnd()}`)),
    )
    const model = modelAt(peer.url, { parallel: 1 })
    const first = collect(model.call(TURNS, { signal: signal() }))
    const stop = new AbortController()
    const second = faultOf(model.call(TURNS, { signal: stop.signal }))
    const third = collect(model.call(TURNS, { signal: signal() }))
    await expect.poll(() => answers.length).toBe(1)
    stop.abort()
    expect((await second).code).toBe('MODEL_ABORTED')
    answers[0]?.()
    await first
    await expect.poll(() => answers.length).toBe(2)
    answers[1]?.()
    expect((await third).text).toBe('ok')
  })

  it('rest together when the server asks one of them to', async () => {
    const at: number[] = []
    const peer = await peerThat((_, response, number) => {
      at.push(performance.now())
      if (number === 1) refuse(response, 429, {}, { 'retry-after': '0.2' })
      else response.end(`${openaiText('ok')}${openaiEnd()}`)
    })
    const model = modelAt(peer.url)
    await faultOf(model.call(TURNS, { signal: signal() }))
    await collect(model.call(TURNS, { signal: signal() }))
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(150)
  })
})
