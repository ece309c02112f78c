/**
 * The same contract for every provider, against a server that writes as the vendor's pages say (test/modelWires.ts): one table of
 * what comes in and what a caller gets.
 */
import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { SERVER_PROVIDERS, type ServerProvider } from '@/lib/mas/setup/providers'
import { modelAt } from '@/test/modelCalls'
import { type Asked, askedTurns, type ModelPeer, openModelPeer, refuse } from '@/test/modelPeer'
import { type Written, writtenBy } from '@/test/modelWires'
import type { ClientSettings } from '../client'
import { nothingLearned } from '../learned'
import { type FunctionTool, type Model, type ModelCallOptions, ModelError, type ModelPiece, type Turn } from '../model'
import type { ProviderModelConfig } from '../providers'
import { byPackage } from './byPackage'
import type { Piece } from './wire'

const peers: ModelPeer[] = []
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()))
})

const READ: FunctionTool = {
  name: 'read_file',
  description: 'Reads a file.',
  schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'], additionalProperties: false },
}
const CALL = { id: 'c1', name: 'read_file', args: '{"path": "a.csv"}' }
const HUGE = { ...CALL, args: '{"path": 12345678901234567890}' }
const ASKED: Turn[] = [
  { role: 'system', content: 'You are brief.' },
  { role: 'user', content: 'Read it.' },
]

type Answering = (wire: Written) => string | ((response: ServerResponse) => void)
type Outcomes = string | (Partial<Record<ServerProvider, string>> & { others: string })

/** Of the providers that give a call's arguments as a value, not as the model's text. */
const AS_VALUE = (gives: string) => ({ google: gives, ollama: gives })

/** What a server sends, and what a caller gets: the finish with what came, or code, trouble and whether it is asked again. */
const TABLE: Record<string, { functions?: true; sends: Answering; gives: Outcomes }> = {
  'a whole answer': { sends: (w) => w.text('Hello') + w.end(), gives: 'stop "Hello"' },
  'an empty answer with an ending': { sends: (w) => w.end(), gives: 'stop ""' },
  'an empty body': { sends: () => '', gives: 'MODEL_CUT cut again' },
  'no ending': { sends: (w) => w.text('Hel'), gives: 'MODEL_CUT cut again' },
  'a connection that breaks': {
    sends: (w) => (response) => {
      response.write(w.text('Hel'))
      setImmediate(() => response.destroy())
    },
    gives: 'MODEL_CUT cut again',
  },
  'a piece that breaks off': { sends: (w) => w.text('Hel') + w.broken + w.end(), gives: 'MODEL_CUT cut again' },
  'a page': { sends: (w) => w.page, gives: 'MODEL_REFUSED wrongFormat' },
  'an error at once': { sends: (w) => w.error('no memory left'), gives: 'MODEL_UNREACHABLE serverBroken again' },
  'an error in the middle': {
    sends: (w) => w.text('Hel') + w.error('no memory left'),
    gives: 'MODEL_UNREACHABLE serverBroken again',
  },
  'an error after the ending': { sends: (w) => w.text('Hello') + w.end() + w.error('late'), gives: 'stop "Hello"' },
  'a rate limit': {
    sends: (w) => (response) => refuse(response, 429, w.refused('slow down'), { 'retry-after': '7' }),
    gives: 'MODEL_RATE_LIMITED tooMany again after 7000 ms',
  },
  'an overloaded server': {
    sends: (w) => (response) => refuse(response, 529, w.refused('Overloaded')),
    gives: 'MODEL_UNREACHABLE serverBroken again',
  },
  'a key that is not accepted': {
    sends: (w) => (response) => refuse(response, 401, w.refused('invalid x-api-key')),
    gives: 'MODEL_REFUSED keyRefused',
  },
  'a refusal of tools that were sent': {
    functions: true,
    sends: (w) => (response) => refuse(response, 400, w.refused('m does not support tools')),
    gives: 'MODEL_REFUSED requestRefused again after 0 ms',
  },
  'a refusal of tools that were not sent': {
    sends: (w) => (response) => refuse(response, 400, w.refused('m does not support tools')),
    gives: 'MODEL_REFUSED requestRefused',
  },
  'a refusal of the model': {
    sends: (w) => (w.refusal === null ? w.text('I') + w.end('filter') : w.refusal('I cannot.') + w.end()),
    gives: {
      openai: 'MODEL_REFUSED requestRefused',
      'openai-compatible': 'MODEL_REFUSED requestRefused',
      others: 'MODEL_REFUSED filtered',
    },
  },
  'an ending by a filter': { sends: (w) => w.text('I') + w.end('filter'), gives: 'MODEL_REFUSED filtered' },
  'an ending by the length': { sends: (w) => w.text('Hel') + w.end('length'), gives: 'length "Hel"' },
  'a call': {
    functions: true,
    sends: (w) => w.call(CALL) + w.end('calls'),
    gives: { ...AS_VALUE('calls "" read_file({"path":"a.csv"})'), others: 'calls "" read_file({"path": "a.csv"})' },
  },
  'a call behind a text': {
    functions: true,
    sends: (w) => w.text('I look.') + w.call(CALL) + w.end('calls'),
    gives: {
      ...AS_VALUE('calls "I look." read_file({"path":"a.csv"})'),
      others: 'calls "I look." read_file({"path": "a.csv"})',
    },
  },
  'a call without an ending': { functions: true, sends: (w) => w.call(CALL), gives: 'MODEL_CUT cut again' },
  'a call that the length cut': { functions: true, sends: (w) => w.call(CALL) + w.end('length'), gives: 'length ""' },
  'a call that was not offered': { sends: (w) => w.call(CALL) + w.end('calls'), gives: 'MODEL_REFUSED requestRefused' },
  'an ending by calls without a call': {
    functions: true,
    sends: (w) => w.text('I look.') + w.end('calls'),
    // The others have no word for it.
    gives: { 'openai-compatible': 'MODEL_CUT cut again', anthropic: 'MODEL_CUT cut again', others: 'stop "I look."' },
  },
  'a number that is too long for one': {
    functions: true,
    sends: (w) => w.call(HUGE) + w.end('calls'),
    // As a value it would be another number.
    gives: {
      ...AS_VALUE('MODEL_REFUSED requestRefused again'),
      others: 'calls "" read_file({"path": 12345678901234567890})',
    },
  },
  'reasoning beside the text': {
    sends: (w) => w.reasoning('let me see') + w.text('Hello') + w.end(),
    gives: 'stop "Hello" reasoning "let me see"',
  },
  counts: {
    sends: (w) => w.text('Hello') + w.counted(),
    gives: {
      openai: 'stop "Hello" 100 in (60 cached) 20 out (8 reasoning)',
      'openai-compatible': 'stop "Hello" 100 in (60 cached) 20 out',
      anthropic: 'stop "Hello" 100 in (60 cached, 10 written) 20 out',
      google: 'stop "Hello" 100 in (60 cached) 20 out (8 reasoning)',
      ollama: 'stop "Hello" 100 in 20 out',
    } as Outcomes,
  },
}

async function open(
  provider: ServerProvider,
  sends: (asked: Asked, response: ServerResponse, number: number) => void,
  more: Partial<ProviderModelConfig> = {},
): Promise<{ model: Model; peer: ModelPeer }> {
  const peer = await openModelPeer(sends)
  peers.push(peer)
  const base = `${peer.url}${writtenBy(provider).base}`
  return { model: modelAt(base, { provider, ...more }, { KEY: 'the-key-of-the-test' }), peer }
}

const ask = async (model: Model, turns: Turn[], more: Partial<ModelCallOptions> = {}) => {
  const pieces: ModelPiece[] = []
  for await (const piece of model.call(turns, { signal: new AbortController().signal, ...more })) pieces.push(piece)
  const end = pieces.at(-1)
  if (end?.type !== 'end') throw new Error('there is no end piece')
  return { text: pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join(''), end }
}

async function outcomeOf(model: Model, options: Partial<ModelCallOptions>): Promise<string> {
  try {
    const { text, end } = await ask(model, ASKED, options)
    const calls = (end.calls ?? []).map(({ name, arguments: args }) => ` ${name}(${args})`).join('')
    const reasoning = end.reasoning === undefined ? '' : ` reasoning "${end.reasoning}"`
    return `${end.finish} ${JSON.stringify(text)}${calls}${reasoning}${countsOf(end.usage)}`
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const { code, again, retryAfterMs, details } = error
    return `${code} ${details.trouble}${again ? ' again' : ''}${retryAfterMs === null ? '' : ` after ${retryAfterMs} ms`}`
  }
}

function countsOf(usage: Extract<ModelPiece, { type: 'end' }>['usage']): string {
  const { promptTokens, completionTokens, cachedTokens, cacheWrittenTokens, reasoningTokens, estimated } = usage
  if (estimated || !promptTokens) return ''
  const parts = [
    cachedTokens ? `${cachedTokens} cached` : '',
    cacheWrittenTokens ? `${cacheWrittenTokens} written` : '',
  ]
  const from = parts.filter((part) => part !== '').join(', ')
  const reasoned = reasoningTokens ? ` (${reasoningTokens} reasoning)` : ''
  return ` ${promptTokens} in${from === '' ? '' : ` (${from})`} ${completionTokens} out${reasoned}`
}

describe.each(SERVER_PROVIDERS)('[R660] provider %s', (provider) => {
  const wire = writtenBy(provider)

  it.each(Object.keys(TABLE))('gives for %s what the table says', async (name) => {
    const row = TABLE[name]
    if (row === undefined) throw new Error('no such row')
    const answer = row.sends(wire)
    const { model } = await open(provider, (_, response) => {
      if (typeof answer === 'string') response.end(answer)
      else answer(response)
    })
    const gives = typeof row.gives === 'string' ? row.gives : (row.gives[provider] ?? row.gives.others)
    expect(await outcomeOf(model, row.functions ? { functions: [READ] } : {})).toBe(gives)
  })

  it('[R661] is asked with the functions, their choice, and a conversation with calls and results', async () => {
    const { model, peer } = await open(provider, (_, response) => void response.end(wire.text('ok') + wire.end()))
    const turns: Turn[] = [
      ...ASKED,
      {
        role: 'assistant',
        content: 'I look.',
        calls: [{ id: 'c1', name: 'read_file', arguments: '{"path":"a.csv"}' }],
      },
      { role: 'tool', content: 'price 3.50', call: 'c1', name: 'read_file' },
      { role: 'user', content: 'Sum up.' },
    ]
    await ask(model, turns, { functions: [READ], choice: { name: 'read_file' } })
    const asked = JSON.stringify(peer.asked[0]?.body)
    for (const part of ['Reads a file.', '"path"', 'a.csv', 'price 3.50', 'I look.', 'Sum up.'])
      expect(asked).toContain(part)
    const forced: Record<ServerProvider, object> = {
      openai: { tool_choice: { type: 'function', name: 'read_file' } },
      'openai-compatible': { tool_choice: { type: 'function', function: { name: 'read_file' } } },
      anthropic: { tool_choice: { type: 'tool', name: 'read_file' } },
      google: { toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['read_file'] } } },
      ollama: { tools: [{ type: 'function' }] },
    }
    expect(peer.asked[0]?.body).toMatchObject(forced[provider])
  })

  it('[R661] asks no more with functions once its server refused them', async () => {
    const { model } = await open(
      provider,
      (_, response) => refuse(response, 400, wire.refused('tools are not supported')),
      { form: 'native' },
    )
    expect(model.takesFunctions).toBe(true)
    await outcomeOf(model, { functions: [READ] })
    expect(model.takesFunctions).toBe(false)
  })

  it('[R661] is asked again without a forced call where the server refuses that', async () => {
    const { model, peer } = await open(provider, ({ body }, response) => {
      const isForced = /"tool_choice":"required"|"mode":"ANY"|"type":"any"/.test(JSON.stringify(body))
      if (isForced) refuse(response, 400, wire.refused('tool_choice may not force tool use with this model'))
      else response.end(wire.text('ok') + wire.end())
    })
    expect(await outcomeOf(model, { functions: [READ], choice: 'required' })).toBe('stop "ok"')
    expect(await outcomeOf(model, { functions: [READ], choice: 'required' })).toBe('stop "ok"')
    // Ollama cannot be told at all.
    expect(peer.asked).toHaveLength(provider === 'ollama' ? 2 : 3)
  })

  it('[R33] gets the key in its own header and nowhere else, whatever the environment holds', async () => {
    const { model, peer } = await open(provider, (_, response) => void response.end(wire.text('ok') + wire.end()), {
      key: { env: 'KEY' },
    })
    await ask(model, ASKED)
    const [asked] = peer.asked
    const header = provider === 'anthropic' ? 'x-api-key' : provider === 'google' ? 'x-goog-api-key' : 'authorization'
    expect(String(asked?.headers[header])).toMatch(/^(Bearer )?the-key-of-the-test$/)
    const others = JSON.stringify({ ...asked?.headers, [header]: '' }) + JSON.stringify(asked?.body) + asked?.path
    expect(others).not.toMatch(/the-key-of-the-test|added later/)
  })

  it('[R33] is sent no key where none is configured', async () => {
    const { model, peer } = await open(provider, (_, response) => void response.end(wire.text('ok') + wire.end()))
    await ask(model, ASKED)
    expect(Object.keys(peer.asked[0]?.headers ?? {})).not.toContain('authorization')
    expect(JSON.stringify(peer.asked[0])).not.toMatch(/api-key|added later/)
  })

  it('[R662] fetches nothing by itself, also where a picture is an address', async () => {
    let fetched = 0
    const other = await openModelPeer((_, response) => {
      fetched += 1
      response.end()
    })
    peers.push(other)
    const { model, peer } = await open(provider, (_, response) => void response.end(wire.text('ok') + wire.end()), {
      accepts: ['image'],
    })
    const media = [{ kind: 'image' as const, mime: 'image/png', base64: `${other.url}/a.png` }]
    await ask(model, [{ role: 'user', content: 'What is it?', media }])
    expect([fetched, peer.asked.length]).toEqual([0, 1])
    if (provider !== 'ollama') expect(JSON.stringify(peer.asked[0]?.body)).not.toContain(other.url)
  })
})

describe.each(SERVER_PROVIDERS.filter((name) => writtenBy(name).signed !== null || name === 'openai-compatible'))(
  '[R664] reasoning of provider %s',
  (provider) => {
    const wire = writtenBy(provider)
    const thinks = (wire.signed ?? wire.reasoning)('let me see') + wire.call(CALL) + wire.end('calls')
    const secret = /SIGNED|ENCRYPTED|let me see/

    it('goes back within the step as it came, and in no other turn', async () => {
      const { model, peer } = await open(
        provider,
        (_, response, number) => void response.end(number === 1 ? thinks : wire.text('ok') + wire.end()),
        { reasoningEffort: 'low' },
      )
      const { end } = await ask(model, ASKED, { functions: [READ] })
      const { calls = [], providerParts } = end
      if (providerParts === undefined) throw new Error('nothing is to be sent back')
      // It is kept as JSON in between.
      const kept = JSON.parse(JSON.stringify(providerParts)) as typeof providerParts
      const result: Turn = { role: 'tool', content: '3.50', call: calls[0]?.id ?? '', name: 'read_file' }
      const own: Turn = { role: 'assistant', content: '', calls, providerParts: kept }
      await ask(model, [...ASKED, own, result], { functions: [READ] })
      await ask(model, [...ASKED, { role: 'assistant', content: '', calls }, result], { functions: [READ] })
      const foreign: Turn = { ...own, providerParts: { ...kept, model: 'another' } }
      await ask(model, [...ASKED, foreign, result], { functions: [READ] })
      const said = peer.asked.slice(1).map(({ body }) => secret.test(JSON.stringify(body)))
      expect(said).toEqual([true, false, false])
      for (const asked of peer.asked.slice(1)) expect(JSON.stringify(asked.body)).toContain('a.csv')
    })
  },
)

it('[R664] OpenAI keeps no answer, and is asked for encrypted reasoning', async () => {
  const wire = writtenBy('openai')
  const { model, peer } = await open('openai', (_, response) => void response.end(wire.text('ok') + wire.end()), {
    reasoningEffort: 'low',
  })
  await ask(model, ASKED)
  expect(peer.asked[0]?.body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
})

it('[R665] Anthropic caches up to the ends of stable prefixes: the first and the last three', async () => {
  const wire = writtenBy('anthropic')
  const { model, peer } = await open('anthropic', (_, response) => void response.end(wire.text('ok') + wire.end()))
  const turns: Turn[] = [
    { role: 'system', content: 'rules', endsPrefix: true },
    ...[1, 2, 3, 4, 5].flatMap((n): Turn[] => [
      { role: 'user', content: `step ${n}`, endsPrefix: true },
      { role: 'assistant', content: `answer ${n}` },
    ]),
    { role: 'user', content: 'now' },
  ]
  await ask(model, turns)
  const { system, messages } = peer.asked[0]?.body ?? {}
  const marked = [...(system as object[]), ...(messages as { content: object[] }[]).flatMap(({ content }) => content)]
    .filter((part) => 'cache_control' in part)
    .map((part) => ('text' in part ? part.text : null))
  expect(marked).toEqual(['rules', 'step 3', 'step 4', 'step 5'])
})

it('[R666] Gemini gets schemas whole, also where an object has free keys', async () => {
  const wire = writtenBy('google')
  const { model, peer } = await open('google', (_, response) => void response.end(wire.text('{}') + wire.end()), {
    form: 'schema',
  })
  const free = { type: 'object', properties: { arguments: { type: 'object' } }, required: ['arguments'] }
  await ask(model, ASKED, { functions: [{ ...READ, schema: free }] })
  await ask(model, ASKED, { answer: { name: 'answer', schema: free, isStrict: false, says: 'As an object.' } })
  expect(peer.asked[0]?.body).toMatchObject({
    tools: [{ functionDeclarations: [{ name: 'read_file', parametersJsonSchema: free }] }],
  })
  expect(peer.asked[1]?.body).toMatchObject({ generationConfig: { responseJsonSchema: free } })
  expect(JSON.stringify(peer.asked.map(({ body }) => body))).not.toMatch(/"parameters"|"responseSchema"/)
})

it('[R666] a Gemini answer that goes on in another request is a cut one: one question is one request', async () => {
  const body = `data: ${JSON.stringify({
    candidates: [{ content: { parts: [{ text: 'Hel' }] }, finishReason: 'CONTINUATION', continuationToken: 'more' }],
  })}\n\n`
  const { model, peer } = await open('google', (_, response) => void response.end(body))
  expect(await outcomeOf(model, {})).toBe('length "Hel"')
  expect(peer.asked).toHaveLength(1)
})

it('[R666] a system turn in the middle is a turn of the user where the provider takes it at the beginning only', async () => {
  const wire = writtenBy('google')
  const { model, peer } = await open('google', (_, response) => void response.end(wire.text('ok') + wire.end()))
  await ask(model, [...ASKED, { role: 'system', content: 'a notice' }])
  expect(peer.asked.map((asked) => askedTurns(asked).map(({ role }) => role))).toEqual([['system', 'user', 'user']])
})

it('[R666] events of Anthropic that are not known are passed over', async () => {
  const wire = writtenBy('anthropic')
  const future = 'event: future\ndata: {"type":"future","index":0}\n\n'
  const { model } = await open(
    'anthropic',
    (_, response) => void response.end(wire.text('Hel') + future + wire.text('lo') + wire.end()),
  )
  expect(await outcomeOf(model, {})).toBe('stop "Hello"')
})

it('[R660] a piece that a package cannot read breaks the answer, although it ends', async () => {
  const wire = writtenBy('anthropic')
  const odd = `data: ${JSON.stringify({ type: 'content_block_start', index: 0, content_block: { type: 'hologram' } })}\n\n`
  const { model } = await open('anthropic', (_, response) => void response.end(wire.text('Hel') + odd + wire.end()))
  expect(await outcomeOf(model, {})).toBe('MODEL_CUT cut again')
})

it('[R662] a package that asks twice is refused the second request', async () => {
  const wire = byPackage({
    headers: () => ({}),
    isPiece: () => true,
    list: { path: '', names: () => [] },
    options: () => ({}),
    reader: () => () => ({ pass: null }),
    takesText: true,
    open: async (_, { fetch }) => ({
      specificationVersion: 'v3',
      provider: 'test',
      modelId: 'm',
      supportedUrls: {},
      doGenerate: () => Promise.reject(new Error('not asked')),
      doStream: async () => {
        for (const path of ['/a', '/b']) await fetch(`http://model.invalid${path}`, { body: '{}' })
        throw new Error('both were sent')
      },
    }),
  })
  const sent: string[] = []
  async function* send({ path }: { path: string }): AsyncGenerator<Piece> {
    sent.push(path)
    yield { value: {}, text: '' }
  }
  const settings: ClientSettings = {
    ...{ name: 'm', provider: 'google', baseUrl: 'http://model.invalid', model: 'm', key: null, allowPrivate: true },
    ...{
      temperature: null,
      contextTokens: 4_000,
      maxTokens: {},
      form: 'native',
      isFormOpen: true,
      reasoningEffort: null,
      extra: {},
    },
    ...{ accepts: [], limits: { connectMs: 1, firstTokenMs: 1, totalMs: 1 }, price: null, secret: () => undefined },
    ...{ now: () => 0, learned: nothingLearned() },
  }
  const question = { turns: ASKED, settings, maxTokens: null, answer: null, functions: [], choice: 'auto' as const }
  const frames = wire.ask({ ...question, without: new Set() }, send)[Symbol.asyncIterator]()
  await expect(frames.next()).rejects.toThrow('the answer wants a second request')
})
