/** Servers of one wire format that say the same in other ways: endings, errors inside an answer, whole answers, odd numbers. */
import { afterEach, describe, expect, it } from 'vitest'
import { ANSWER, collect, faultOf, modelAt, signal, TURNS } from '@/test/modelCalls'
import {
  type Answerer,
  type ModelPeer,
  ollamaEnd,
  ollamaText,
  openaiChoice,
  openaiEnd,
  openaiPiece,
  openaiText,
  openModelPeer,
  refuse,
} from '@/test/modelPeer'
import { ModelError, tryModel } from './index'
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
const peerThatSays = (body: string, type = 'text/event-stream') =>
  peerThat((_, response) => void response.writeHead(200, { 'content-type': type }).end(body))
const ask = (peer: ModelPeer, more: Partial<ProviderModelConfig> = {}) =>
  collect(modelAt(peer.url, more).call(TURNS, { signal: signal() }))
const faultAt = (peer: ModelPeer, more: Partial<ProviderModelConfig> = {}) =>
  faultOf(modelAt(peer.url, more).call(TURNS, { signal: signal() }))

const DONE = 'data: [DONE]\n\n'
const HALF = ANSWER.slice(0, 12)
const message = { role: 'assistant', content: ANSWER }
const whole = (choice: object = {}) => ({
  id: 'x',
  object: 'chat.completion',
  model: 'peer-1',
  choices: [{ index: 0, message, finish_reason: 'stop', ...choice }],
})

describe('[R410] an ending', () => {
  it.each(['insufficient_system_resource', 'network_error', 'abort', 'error', 'cancelled', 'OTHER'])(
    'that is not known as a good one (%s) is a broken answer, to be asked again, with the word',
    async (word) => {
      const fault = await faultAt(await peerThatSays(`${openaiText(HALF)}${openaiEnd(word)}`))
      expect([fault.code, fault.again, fault.details.trouble]).toEqual(['MODEL_UNREACHABLE', true, 'serverBroken'])
      expect(fault.message).toBe(`the server broke off the answer and gave as the reason “${word}”`)
      expect(fault.details.usage).toMatchObject({ estimated: true })
    },
  )

  it.each(['length', 'max_tokens', 'MAX_TOKENS', 'model_length', 'model_context_window_exceeded'])(
    'by a limit (%s) is a length',
    async (word) => {
      expect((await ask(await peerThatSays(`${openaiText(HALF)}${openaiEnd(word)}`))).end).toMatchObject({
        finish: 'length',
      })
    },
  )

  it.each(['content_filter', 'sensitive', 'SAFETY', 'RECITATION', 'refusal', 'PROHIBITED_CONTENT'])(
    'by a filter (%s) is a refusal with the word',
    async (word) => {
      const fault = await faultAt(await peerThatSays(`${openaiText(HALF)}${openaiEnd(word)}`))
      expect([fault.code, fault.again, fault.details.trouble]).toEqual(['MODEL_REFUSED', false, 'filtered'])
      expect(fault.message).toContain(word)
    },
  )

  it.each<[string, string]>([
    ['in its usual place', openaiChoice({}, 'stop')],
    ['as the end of a sequence', openaiChoice({}, 'eos_token')],
    ['by its other name', openaiPiece({ choices: [{ delta: {}, finishReason: 'stop' }] })],
    ['of the server behind', openaiChoice({}, null, { native_finish_reason: 'end_turn' })],
    ['as an object', openaiChoice({}, { type: 'stop', matched: 2 })],
    ['beside the choices', openaiPiece({ choices: [], finish_reason: 'stop' })],
    ['in the piece of text', openaiChoice({ finish_reason: 'stop' })],
    ["by Anthropic's name", openaiChoice({}, null, { stop_reason: 'end_turn' })],
    ['with the text at which it stopped', openaiChoice({}, 'stop', { stop_reason: 'length' })],
    [
      'with a word of the server behind that says no more',
      openaiChoice({}, 'stop', { native_finish_reason: 'FINISH' }),
    ],
    ['after empty ones', `${openaiChoice({}, '')}${openaiChoice({}, 'null')}${openaiChoice({}, 'stop')}`],
  ])('%s makes the answer whole', async (_, end) => {
    const got = await ask(await peerThatSays(`${openaiText(ANSWER)}${end}${DONE}`))
    expect([got.text, got.end]).toMatchObject([ANSWER, { finish: 'stop' }])
  })

  it.each([
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'MODEL_REFUSED'],
    ['MALFORMED_FUNCTION_CALL', 'MODEL_REFUSED'],
  ])('of a gateway that writes “stop” is that of the server behind it: %s', async (word, gives) => {
    const end = openaiChoice({}, 'stop', { native_finish_reason: word })
    const call = ask(await peerThatSays(`${openaiText(HALF)}${end}${DONE}`))
    expect(
      await call.then(
        ({ end: last }) => last?.type === 'end' && last.finish,
        (fault: ModelError) => fault.code,
      ),
    ).toBe(gives)
  })

  it('is none when more text follows it', async () => {
    const body = `${openaiChoice({ content: HALF }, 'stop')}${openaiText('more')}`
    expect((await faultAt(await peerThatSays(body))).code).toBe('MODEL_CUT')
  })

  it.each(['load', 'unload', 'error'])('of Ollama that ends no answer (%s) is a broken one', async (word) => {
    const peer = await peerThatSays(`${ollamaText(HALF)}${ollamaEnd(word)}`)
    expect(await faultAt(peer, { provider: 'ollama' })).toMatchObject({ code: 'MODEL_UNREACHABLE', again: true })
  })

  it('of Ollama without a reason is one, as older versions have it', async () => {
    const peer = await peerThatSays(`${ollamaText(ANSWER)}{"done":true}\n`)
    expect((await ask(peer, { provider: 'ollama' })).end).toMatchObject({ finish: 'stop' })
  })
})

describe('[R415] a server that never says that its answers end', () => {
  const bodies: [string, string][] = [
    ['and no ending', `${openaiText(ANSWER)}${DONE}`],
    ['and empty ones', `${openaiChoice({ content: ANSWER }, '')}${DONE}`],
    ['in one JSON text', JSON.stringify(whole({ finish_reason: null }))],
  ]
  it.each(bodies)('is not believed, is named so, and is asked once more only: %s', async (_, body) => {
    const peer = await peerThatSays(body)
    const model = modelAt(peer.url)
    const [first, second] = [
      await faultOf(model.call(TURNS, { signal: signal() })),
      await faultOf(model.call(TURNS, { signal: signal() })),
    ]
    expect([first.again, second.again]).toEqual([true, false])
    for (const fault of [first, second]) {
      expect([fault.code, fault.details.trouble]).toEqual(['MODEL_CUT', 'neverEnds'])
      expect(fault.message).toContain('this server never says that its answers end')
    }
  })

  it('is found by the test of the model, in both languages', async () => {
    const peer = await peerThatSays(`${openaiText('ready')}${DONE}`)
    const config = { provider: 'openai-compatible', baseUrl: peer.url, model: 'm' } as const
    const trial = await tryModel('default', config, { secret: () => undefined })
    expect(trial).toMatchObject({ ok: false, words: expect.stringContaining('never says that its answers end') })
    expect((await tryModel('default', config, { secret: () => undefined, language: 'zh' })).hint).toContain('结束')
  })

  it('is not one that broke off an answer once', async () => {
    const peer = await peerThat((_, response, number) => {
      response.end(number === 2 ? `${openaiText(ANSWER)}${DONE}` : `${openaiText(ANSWER)}${openaiEnd()}`)
    })
    const model = modelAt(peer.url)
    await collect(model.call(TURNS, { signal: signal() }))
    const fault = await faultOf(model.call(TURNS, { signal: signal() }))
    expect([fault.details.trouble, fault.again]).toEqual(['cut', true])
  })
})

describe('[R411] an error inside an answer of status 200', () => {
  it.each<[string, string, string, boolean, string]>([
    [
      'a JSON body',
      '{"error":{"message":"rate limited upstream","code":429}}',
      'MODEL_RATE_LIMITED',
      true,
      'too many requests (429): rate limited upstream',
    ],
    [
      'a JSON body over lines',
      '{\n "error": {\n  "message": "Upstream is overloaded", "code": 502\n }\n}',
      'MODEL_UNREACHABLE',
      true,
      'the server answered 502: Upstream is overloaded',
    ],
    [
      'an event',
      `event: error\n${openaiPiece({ error: { message: 'The model has crashed' } })}`,
      'MODEL_UNREACHABLE',
      true,
      'the server reports an error: The model has crashed',
    ],
    [
      'an event without JSON',
      'event: error\ndata: Failed to load model\n\n',
      'MODEL_UNREACHABLE',
      true,
      'the server reports an error: Failed to load model',
    ],
    [
      'a piece',
      openaiPiece({ detail: 'Internal error', status: 500 }),
      'MODEL_UNREACHABLE',
      true,
      'the server answered 500: Internal error',
    ],
    [
      'an error object',
      `${openaiPiece({ object: 'error', message: 'no such field', code: 400 })}${DONE}`,
      'MODEL_REFUSED',
      false,
      'the server answered 400: no such field',
    ],
    [
      'a list',
      '[{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}]',
      'MODEL_UNREACHABLE',
      true,
      'the server answered 503: The model is overloaded.',
    ],
    [
      'a code of its own',
      '{"base_resp":{"status_code":1002,"status_msg":"rate limit"}}',
      'MODEL_RATE_LIMITED',
      true,
      'too many requests: rate limit',
    ],
    [
      'a fault',
      '{"fault":{"faultstring":"Rate limit quota violation","detail":{"errorcode":"policies.QuotaViolation"}}}',
      'MODEL_RATE_LIMITED',
      true,
      'too many requests: Rate limit quota violation',
    ],
    [
      'names with capitals',
      '{"Message":"User is not authorized","__type":"AccessDeniedException"}',
      'MODEL_REFUSED',
      false,
      'the server does not accept the key: User is not authorized',
    ],
    ['a JSON text', '"model is loading"', 'MODEL_UNREACHABLE', true, 'the server reports an error: model is loading'],
    [
      'a page of the proxy before it',
      '<html><head><title>502 Bad Gateway</title></head></html>',
      'MODEL_UNREACHABLE',
      true,
      'the server reports an error: 502 Bad Gateway',
    ],
    [
      'a choice',
      openaiChoice({ content: '' }, 'error', { error: { code: 502, message: 'upstream died' } }),
      'MODEL_UNREACHABLE',
      true,
      'the server answered 502: upstream died',
    ],
    [
      'a page',
      '<!doctype html><title>Sign in to the network</title>',
      'MODEL_REFUSED',
      false,
      'the server answers in another format: Sign in to the network',
    ],
    [
      'a page with such a word',
      '<html><head><title>Loading the internal portal</title></head></html>',
      'MODEL_REFUSED',
      false,
      'the server answers in another format: Loading the internal portal',
    ],
    ['nothing', '', 'MODEL_CUT', true, 'the server sent an empty answer'],
    [
      'another program',
      '{"hello":"world"}',
      'MODEL_REFUSED',
      false,
      'the server answers in another format: {"hello":"world"}',
    ],
  ])('as %s is heard', async (_, body, code, again, words) => {
    const fault = await faultAt(await peerThatSays(body))
    expect([fault.code, fault.again, fault.message]).toEqual([code, again, words])
  })

  it.each<[string, string]>([
    ['as a piece', openaiPiece({ error: { message: 'no memory left' } })],
    ['in the choice', openaiChoice({ content: '' }, 'error', { error: { message: 'no memory left' } })],
    ['as an event', 'event: error\ndata: no memory left\n\n'],
    ['as a field', 'error: {"message":"no memory left"}\n\n'],
    ['as a bare line', '{"detail":"no memory left"}\n'],
  ])('after text, %s, breaks the answer off with its words', async (_, error) => {
    const fault = await faultAt(await peerThatSays(`${openaiText(HALF)}${error}`))
    expect([fault.code, fault.again]).toEqual(['MODEL_UNREACHABLE', true])
    expect(fault.message).toBe('the server stopped in the middle: no memory left')
    expect(fault.details.usage).toBeDefined()
  })

  it('of Ollama is heard too', async () => {
    const peer = await peerThatSays('{"error":"model runner has unexpectedly stopped"}\n', 'application/x-ndjson')
    expect(await faultAt(peer, { provider: 'ollama' })).toMatchObject({ code: 'MODEL_UNREACHABLE', again: true })
  })
})

describe('[R413] an answer in another shape', () => {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  it.each<[string, string]>([
    ['whole, from a server that ignores `stream`', JSON.stringify({ ...whole(), usage })],
    ['whole and over several lines', JSON.stringify(whole(), null, 2)],
    ['whole, as an event', `${openaiPiece(whole())}${DONE}`],
    ['in JSON lines', openaiText(ANSWER).replace('data: ', '') + openaiChoice({}, 'stop').replace('data: ', '')],
    ['with its whole text again at the end', openaiText(ANSWER) + openaiPiece(whole())],
    [
      'in growing texts',
      openaiPiece(whole({ message: { content: HALF }, finish_reason: null })) + openaiPiece(whole()),
    ],
    ['with one line break between events', `${openaiText(ANSWER)}${openaiEnd()}`.replaceAll('\n\n', '\n')],
    [
      'in parts',
      openaiChoice(
        {
          content: [
            { type: 'text', text: HALF },
            { type: 'text', text: ANSWER.slice(12) },
          ],
        },
        'stop',
      ),
    ],
    ['in one part', openaiChoice({ content: { type: 'text', text: ANSWER } }, 'stop')],
    [
      'with a second choice before it',
      openaiPiece({
        choices: [
          { index: 1, delta: { content: 'OTHER' } },
          { index: 0, delta: { content: ANSWER } },
        ],
      }) + openaiChoice({}, 'stop'),
    ],
    [
      'with a second choice in pieces of its own',
      openaiPiece({ choices: [{ index: 1, delta: { content: 'OTHER' }, finish_reason: 'length' }] }) +
        openaiText(ANSWER) +
        openaiChoice({}, 'stop'),
    ],
    ['with pings between', `${openaiText(ANSWER)}event: ping\ndata: {"type": "ping"}\n\n${openaiChoice({}, 'stop')}`],
    [
      'with a number as the model',
      openaiPiece({ model: 7, choices: [{ index: '0', delta: { content: ANSWER } }] }) + openaiChoice({}, 'stop'),
    ],
    ['as the text of its message', JSON.stringify({ choices: [{ message: ANSWER, finish_reason: 'stop' }] })],
    ['as the text of its piece', openaiPiece({ choices: [{ delta: ANSWER }] }) + openaiChoice({}, 'stop')],
    ['as a `text` of its piece', openaiChoice({ text: ANSWER }, 'stop')],
    ['with one choice in no list', openaiPiece({ choices: { delta: { content: ANSWER }, finish_reason: 'stop' } })],
    [
      'with choices under their numbers',
      openaiPiece({ choices: { 0: { delta: { content: ANSWER }, finish_reason: 'stop' } } }),
    ],
    ['as a completion', openaiPiece({ choices: [{ text: ANSWER, finish_reason: 'stop' }] })],
  ])('is read: %s', async (_, body) => {
    const got = await ask(await peerThatSays(body))
    expect([got.text, got.end]).toMatchObject([ANSWER, { finish: 'stop' }])
  })

  it.each<[string, object]>([
    ['thinking parts', { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'let me see' }] }] }],
    ['a thought of Gemini', { content: [{ thought: true, text: 'let me see' }] }],
    ['details', { reasoning_details: [{ type: 'reasoning.text', text: 'let me see' }] }],
  ])('keeps thinking apart from the text: %s', async (_, delta) => {
    const got = await ask(await peerThatSays(`${openaiChoice(delta)}${openaiText(ANSWER)}${openaiEnd()}`))
    expect([got.text, got.end]).toMatchObject([ANSWER, { reasoning: 'let me see' }])
  })

  it.each<[unknown, object]>([
    ['n/a', { promptTokens: 6, estimated: true }],
    [[], { promptTokens: 6, estimated: true }],
    [7, { promptTokens: 6, estimated: true }],
    [
      { prompt_tokens: '10', completion_tokens: 5.4 },
      { promptTokens: 10, completionTokens: 5, estimated: false },
    ],
    [
      { prompt_tokens: -1, completion_tokens: 1e300 },
      { promptTokens: 6, estimated: true },
    ],
    [
      { input_tokens: 10, output_tokens: 5 },
      { promptTokens: 10, completionTokens: 5 },
    ],
  ])('is not broken by usage %j', async (odd, read) => {
    const body =
      openaiText(ANSWER) + openaiPiece({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: odd })
    const got = await ask(await peerThatSays(`${body}${DONE}`))
    expect([got.text, got.end]).toMatchObject([ANSWER, { usage: read }])
  })

  it('keeps the counts that a later piece leaves out', async () => {
    const counts = openaiPiece({ choices: [], usage }) + openaiPiece({ choices: [], usage: { prompt_tokens: null } })
    const got = await ask(await peerThatSays(openaiText(ANSWER) + openaiChoice({}, 'stop') + counts + DONE))
    expect(got.end).toMatchObject({ usage: { promptTokens: 10, completionTokens: 5 } })
  })
})

describe('[R413] a server that speaks as another vendor', () => {
  const events = (...all: { type: string }[]) =>
    all.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join('')
  const anthropic = (usage: unknown, more: object = {}) => [
    { type: 'message_start', message: { role: 'assistant', content: [], model: 7, usage, ...more } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '', citations: 'none' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ANSWER } },
    { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation: 5 } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', container: 5, stop_details: [] }, usage },
    { type: 'message_stop' },
  ]
  const gemini = (more: object, last: object = {}) => ({
    candidates: [{ content: { parts: [{ text: ANSWER, videoMetadata: 'x' }] }, finishReason: 'STOP', ...more }],
    ...last,
  })
  const item = { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: ANSWER }] }
  const completed = { id: 'r', object: 'response', status: 'completed', model: 'peer', output: [item] }
  const usage = { input_tokens: 10, output_tokens: 5 }
  const responses = (odd: unknown) =>
    events(
      { type: 'response.created', response: { model: 7, created_at: 'now' } } as { type: string },
      { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'm' } } as { type: string },
      { type: 'response.output_text.delta', item_id: 'm', delta: ANSWER } as { type: string },
      { type: 'response.completed', response: { usage: odd, reasoning: 'none' } } as { type: string },
    )
  const message = { type: 'message', role: 'assistant', model: 'peer', content: [{ type: 'text', text: ANSWER }] }

  it.each<[ProviderModelConfig['provider'], string, string]>([
    ['anthropic', 'counts that are a text', events(...anthropic('n/a'))],
    ['anthropic', 'no counts', events(...anthropic(undefined))],
    ['anthropic', 'odd fields beside the answer', events(...anthropic(usage, { container: 'c', stop_reason: 5 }))],
    ['anthropic', 'the whole message at once', JSON.stringify({ ...message, stop_reason: 'end_turn', usage })],
    ['google', 'counts that are a text', openaiPiece(gemini({}, { usageMetadata: 'n/a' }))],
    ['google', 'odd fields beside the answer', openaiPiece(gemini({ safetyRatings: 'none', groundingMetadata: 5 }))],
    ['google', 'its pieces in one list', JSON.stringify([{ candidates: [{ content: {} }] }, gemini({})], null, 1)],
    ['openai', 'counts that are a text', responses('n/a')],
    ['openai', 'the whole response at once', JSON.stringify({ ...completed, usage })],
  ])('%s, with %s, is read', async (provider, _, body) => {
    const got = await ask(await peerThatSays(body), { provider })
    expect([got.text, got.end]).toMatchObject([ANSWER, { finish: 'stop' }])
  })

  it.each<[ProviderModelConfig['provider'], object]>([
    ['anthropic', { ...message, stop_reason: 'max_tokens' }],
    ['openai', { ...completed, status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }],
  ])('%s, whole and cut by its limit, is cut', async (provider, body) => {
    expect((await ask(await peerThatSays(JSON.stringify(body)), { provider })).end).toMatchObject({ finish: 'length' })
  })

  it.each<[ProviderModelConfig['provider'], object]>([
    ['anthropic', { ...message, stop_reason: null }],
    ['openai', { ...completed, status: 'cancelled' }],
    ['openai', { ...completed, status: 'failed', error: { code: 'server_error', message: 'no memory left' } }],
    ['openai', { ...completed, output: [{ ...item, content: [{ type: 'refusal', refusal: 'I cannot.' }] }] }],
  ])('%s, whole and without a good ending, is no answer', async (provider, body) => {
    expect(await faultAt(await peerThatSays(JSON.stringify(body)), { provider })).toBeInstanceOf(ModelError)
  })

  it.each<[ProviderModelConfig['provider'], object]>([
    [
      'anthropic',
      {
        ...message,
        content: [{ type: 'tool_use', id: 't', name: 'read_file', input: { path: 'a.csv' } }],
        stop_reason: 'tool_use',
      },
    ],
    [
      'openai',
      {
        ...completed,
        output: [{ type: 'function_call', id: 'f', call_id: 't', name: 'read_file', arguments: '{"path":"a.csv"}' }],
      },
    ],
  ])('%s, whole, with a call', async (provider, body) => {
    const peer = await peerThatSays(JSON.stringify(body))
    const functions = [
      { name: 'read_file', description: 'Reads.', schema: { type: 'object' as const, properties: {} } },
    ]
    const got = await collect(modelAt(peer.url, { provider }).call(TURNS, { signal: signal(), functions }))
    expect(got.end).toMatchObject({
      finish: 'calls',
      calls: [{ id: 't', name: 'read_file', arguments: '{"path":"a.csv"}' }],
    })
  })
})

it('[R411] a report never makes anything but a fault of its own, whatever it holds', async () => {
  const deep = (depth: number): unknown => (depth === 0 ? 'end' : { error: deep(depth - 1) })
  const bodies = [
    deep(40),
    { error: 'x'.repeat(100_000) },
    { errors: Array(9_999).fill({ message: 'a' }) },
    { error: { message: {} } },
  ]
  for (const body of bodies) {
    const peer = await peerThat((_, response) => refuse(response, 400, body))
    const fault = await faultAt(peer)
    expect(fault).toBeInstanceOf(ModelError)
    expect(fault.message.length).toBeLessThan(400)
  }
})
