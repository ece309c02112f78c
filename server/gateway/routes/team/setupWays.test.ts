/** What may not be kept is not tried, imported or taken back either: each way in refuses with the code of the change. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import type { Json } from '@/lib/mas/records'
import { modelSetup } from '@/lib/mas/setup/schemas/model'
import { toolSetup } from '@/lib/mas/setup/schemas/toolServer'
import { setupAnswer } from '@/lib/wire/http'
import { commandHead, openSetupDouble } from '../../test/setupDouble'

type Double = Awaited<ReturnType<typeof openSetupDouble>>
type Entry = { kind: 'model' | 'tool'; id: string; value: object; seen?: number | null }

const MODEL = { provider: 'openai', baseUrl: 'https://models.example/v1', model: 'large' }
const TOOL = { address: 'https://tools.example/mcp' }
const PROGRAM = { address: null, command: 'uvx', args: ['mail'] }
const header = (key: Json) => ({ ...TOOL, headers: [{ name: 'X-Key', key }] })

/** uvx may be started; `inFile` of each kind is the configuration file's. */
async function open() {
  const double = await openSetupDouble()
  const { engine } = double
  const team = { ...engine.world().team, toolsAllowed: ['uvx'], toolGuides: { files: '' } }
  await engine.put([
    event('config.applied', { team }),
    event('setup.read', { entry: { kind: 'model', id: 'inFile', value: modelSetup.parse(MODEL) }, verdict: 'file' }),
    event('setup.read', { entry: { kind: 'tool', id: 'inFile', value: toolSetup.parse(TOOL) }, verdict: 'file' }),
  ])
  return { ...double, cookie: await double.signIn('ana') }
}

const codeOf = async ({ call, cookie }: Pick<Double, 'call'> & { cookie: string }, path: string, body: object) =>
  (await call('POST', path, { cookie, body })).json.error ?? null
const keep = (double: Awaited<ReturnType<typeof open>>, { seen = null, ...entry }: Entry) =>
  codeOf(double, '/api/setup', { ...commandHead(), changes: [{ ...entry, seen }] })
const attempt = (double: Awaited<ReturnType<typeof open>>, entry: Entry) => codeOf(double, '/api/setup/try', entry)

describe('[R351] what a change of the setup is refused, a try is refused with the same code', () => {
  const cases: [string, string, Entry][] = [
    [
      'a command that is not allowed',
      'COMMAND_NOT_ALLOWED',
      { kind: 'tool', id: 'rce', value: { ...PROGRAM, command: 'bash' } },
    ],
    [
      'a command that only begins alike',
      'COMMAND_NOT_ALLOWED',
      { kind: 'tool', id: 'rce', value: { ...PROGRAM, command: 'uvx ' } },
    ],
    ['neither address nor command', 'BAD_INPUT', { kind: 'tool', id: 'x', value: { address: null } }],
    ['both', 'BAD_INPUT', { kind: 'tool', id: 'x', value: { ...TOOL, command: 'uvx' } }],
    [
      'a variable of the server in a header',
      'KEY_ELSEWHERE',
      { kind: 'tool', id: 'x', value: header({ env: 'ANA_PASSWORD' }) },
    ],
    [
      'the key of a model preset in a header',
      'KEY_ELSEWHERE',
      { kind: 'tool', id: 'x', value: header({ env: 'OPENAI_API_KEY' }) },
    ],
    [
      'a typed key of another address in a header',
      'KEY_ELSEWHERE',
      { kind: 'tool', id: 'x', value: header({ stored: 'no' }) },
    ],
    ['a private address', 'ADDRESS_PRIVATE', { kind: 'tool', id: 'x', value: { address: 'http://10.0.0.1/mcp' } }],
    ['another way to a server of the file', 'FIXED_BY_FILE', { kind: 'tool', id: 'inFile', value: PROGRAM, seen: 0 }],
    ['the name of a server of the program', 'NAME_TAKEN', { kind: 'tool', id: 'files', value: TOOL }],
    ['a name that is taken', 'NAME_TAKEN', { kind: 'model', id: 'inFile', value: MODEL, seen: null }],
    ['a change of what is not there', 'NOT_FOUND', { kind: 'model', id: 'gone', value: MODEL, seen: 0 }],
    [
      'a variable of the server',
      'KEY_ELSEWHERE',
      { kind: 'model', id: 'x', value: { ...MODEL, key: { env: 'ANA_PASSWORD' } } },
    ],
    [
      'a preset key for another address',
      'KEY_ELSEWHERE',
      { kind: 'model', id: 'x', value: { ...MODEL, key: { env: 'OPENAI_API_KEY' } } },
    ],
    [
      'a typed key of another address',
      'KEY_ELSEWHERE',
      { kind: 'model', id: 'x', value: { ...MODEL, key: { stored: 'no' } } },
    ],
    [
      'a private address',
      'ADDRESS_PRIVATE',
      { kind: 'model', id: 'x', value: { ...MODEL, baseUrl: 'http://10.0.0.1/v1' } },
    ],
    ['no address', 'BAD_INPUT', { kind: 'model', id: 'x', value: { ...MODEL, baseUrl: null } }],
    ['no name there', 'BAD_INPUT', { kind: 'model', id: 'x', value: { ...MODEL, model: ' ' } }],
    [
      'a provider of the file alone',
      'BAD_INPUT',
      { kind: 'model', id: 'x', value: { ...MODEL, provider: 'recording' } },
    ],
  ]
  it.each(cases)('%s is refused with %s', async (_, code, entry) => {
    const double = await open()
    expect([await attempt(double, entry), double.tried]).toEqual([code, []])
    expect(await keep(double, entry)).toBe(code)
  })

  it('and what may be kept is tried', async () => {
    const double = await open()
    expect(await attempt(double, { kind: 'tool', id: 'mail', value: PROGRAM })).toBeNull()
    expect(await attempt(double, { kind: 'model', id: 'fast', value: MODEL })).toBeNull()
    // Without `seen`, a value for what is there counts as a change of it.
    expect(await attempt(double, { kind: 'tool', id: 'inFile', value: { ...TOOL, guide: 'mail' } })).toBeNull()
    expect(double.tried).toEqual(['mail', 'fast', 'inFile'])
    expect(double.engine.world().setup.tool.mail).toBeUndefined()
  })

  it('for any value', async () => {
    const double = await open()
    const key = fc.constantFrom(
      null,
      { env: 'ANA_PASSWORD' },
      { env: 'OPENAI_API_KEY' },
      { env: 'CONVENE_KEY_A' },
      { stored: 'k0' },
    )
    const address = fc.constantFrom(null, 'https://tools.example/mcp', 'http://10.0.0.1', 'https://api.openai.com/v1')
    const seen = fc.constantFrom(null, 0, 7)
    const id = fc.constantFrom('inFile', 'files', 'new', 'other')
    const tool = fc.record({
      address,
      command: fc.constantFrom(null, 'uvx', 'bash'),
      headers: fc.array(fc.record({ name: fc.constant('X-Key'), key }), { maxLength: 2 }),
    })
    const made = fc.record({
      provider: fc.constantFrom('openai', 'ollama', 'person'),
      baseUrl: address,
      model: fc.constantFrom(null, 'm'),
      key,
    })
    const entries: fc.Arbitrary<Entry> = fc.oneof(
      fc.record({ kind: fc.constant('tool' as const), id, value: tool, seen }),
      fc.record({ kind: fc.constant('model' as const), id, value: made, seen }),
    )
    await fc.assert(
      fc.asyncProperty(entries, async (entry) => {
        double.tried.length = 0
        const code = await attempt(double, entry)
        expect(double.tried.length).toBe(code === null ? 1 : 0)
        expect(await keep(double, entry)).toBe(code)
      }),
      { numRuns: process.env.CONVENE_ALL ? 1_000 : 30 },
    )
  })
})

describe('[R351] what is taken back', () => {
  it('is held to the rules of today: a command that is not allowed any more, a key that is gone', async () => {
    const double = await open()
    const { engine, keys, call, cookie } = double
    keys.set('k0', 'https://tools.example')
    expect(await keep(double, { kind: 'tool', id: 'mail', value: PROGRAM })).toBeNull()
    expect(await keep(double, { kind: 'tool', id: 'far', value: header({ stored: 'k0' }) })).toBeNull()
    for (const id of ['mail', 'far']) {
      const seen = engine.world().setup.tool[id]?.changes.at(-1)?.seq ?? null
      const taken = { ...commandHead(), changes: [{ kind: 'tool', id, value: null, seen }] }
      expect((await call('POST', '/api/setup', { cookie, body: taken })).status).toBe(200)
    }
    keys.clear()
    await engine.put([event('config.applied', { team: { ...engine.world().team, toolsAllowed: [] } })])
    const undo = (id: string) => {
      const change = engine.world().setup.tool[id]?.changes.at(-1)?.seq
      return codeOf(double, '/api/setup/undo', { ...commandHead(), kind: 'tool', of: id, change })
    }
    expect([await undo('mail'), await undo('far')]).toEqual(['COMMAND_NOT_ALLOWED', 'KEY_ELSEWHERE'])
  })
})

describe('[R351] a person who is invited', () => {
  it.each([
    ['ben', { name: 'Ben', access: 'participant' }, 'NAME_TAKEN'],
    ['zoe', { name: 'Zoe', access: 'participant', tools: ['none'] }, 'TOOL_SERVER_UNKNOWN'],
    ['reader', { name: 'Reader', access: 'participant' }, 'NAME_TAKEN'],
  ])('%s %o: %s, as by a change', async (id, value, code) => {
    const double = await open()
    expect(await codeOf(double, '/api/people', { ...commandHead(), person: id, value })).toBe(code)
    const change = { ...commandHead(), changes: [{ kind: 'human', id, value, seen: null }] }
    expect(await codeOf(double, '/api/setup', change)).toBe(code)
  })
})

describe('[R351] the log', () => {
  it('names who tried, kept and took back what, with command and host, and no key', async () => {
    const double = await open()
    const { logged, engine, call, cookie } = double
    const far = { ...TOOL, headers: [{ name: 'X-Key', key: { env: 'CONVENE_KEY_A' } }] }
    await attempt(double, { kind: 'tool', id: 'mail', value: PROGRAM })
    await keep(double, { kind: 'tool', id: 'mail', value: PROGRAM })
    await keep(double, { kind: 'tool', id: 'far', value: far })
    const change = engine.world().setup.tool.mail?.changes.at(-1)?.seq
    await call('POST', '/api/setup/undo', { cookie, body: { ...commandHead(), kind: 'tool', of: 'mail', change } })
    await attempt(double, { kind: 'tool', id: 'rce', value: { ...PROGRAM, command: 'bash' } })
    const by = engine.world().setup.tool.mail?.changes.at(-1)?.by
    const line = (more: object) => expect.objectContaining({ by, request: expect.any(String), ...more })
    expect(logged.slice(-5)).toEqual([
      line({ setup: 'tool', id: 'mail', command: 'uvx', host: null }),
      line({ setup: 'tool', id: 'mail', command: 'uvx', removed: false }),
      line({ setup: 'tool', id: 'far', command: null, host: 'tools.example' }),
      line({ setup: 'tool', id: 'mail', removed: true }),
      line({ path: '/api/setup/try', code: 'COMMAND_NOT_ALLOWED', from: '127.0.0.1' }),
    ])
    expect(JSON.stringify(logged)).not.toContain('CONVENE_KEY_A')
  })
})

describe('[R352] a command, a key and access are given with a password typed just now', () => {
  const FIVE_MINUTES = 5 * 60_000
  const PERSON = { name: 'Zoe', access: 'participant' }
  const peer = {
    uri: 'agent://west.example/*',
    baseUrl: null,
    may: ['mamp'],
    actions: [],
    agents: [],
    allowPrivate: false,
    sendKeyEnv: null,
    signingKeyEnv: null,
  }
  const change = (entry: object) => ({ changes: [{ seen: null, ...entry }] })
  const asked: [string, string, object][] = [
    ['a command', 'POST /api/setup', change({ kind: 'tool', id: 'mail', value: PROGRAM })],
    ['a command that is tried', 'POST /api/setup/try', { kind: 'tool', id: 'mail', value: PROGRAM }],
    [
      'a key in a header',
      'POST /api/setup',
      change({ kind: 'tool', id: 'far', value: header({ env: 'CONVENE_KEY_A' }) }),
    ],
    [
      'a key of a model',
      'POST /api/setup',
      change({ kind: 'model', id: 'fast', value: { ...MODEL, key: { env: 'CONVENE_KEY_A' } } }),
    ],
    [
      'a key with which models are listed',
      'POST /api/setup/models',
      // It is no command, and has no time limit.
      { id: 'fast', until: undefined, provider: 'openai', baseUrl: MODEL.baseUrl, key: { env: 'CONVENE_KEY_A' } },
    ],
    ['a typed key', 'POST /api/setup/keys', { key: 'sk-1', address: 'https://models.example' }],
    ['a person', 'POST /api/setup', change({ kind: 'human', id: 'zoe', value: PERSON })],
    ['an invitation', 'POST /api/people', { person: 'zoe', value: PERSON }],
    [
      'more access',
      'POST /api/setup',
      change({ kind: 'human', id: 'ben', value: { name: 'Ben', access: 'operator' }, seen: 0 }),
    ],
    ['a link for another', 'POST /api/people/ben/link', {}],
    ['a reset', 'POST /api/people/ben/reset', {}],
    ['a person who is taken out', 'POST /api/people/ben/leave', { seen: 0, handTo: null, reason: 'x' }],
    ['another system', 'POST /api/directory/peers', peer],
    ['other rights of another system', 'PUT /api/directory/peers/x', peer],
    ['a new key of another system', 'POST /api/directory/peers/x/key', {}],
  ]
  const free: [string, string, object][] = [
    ['a model without a key', 'POST /api/setup', change({ kind: 'model', id: 'fast', value: MODEL })],
    ['a tool server without a key', 'POST /api/setup/try', { kind: 'tool', id: 'far', value: TOOL }],
    ['an agent', 'POST /api/setup', change({ kind: 'agent', id: 'writer', value: { name: 'Writer' } })],
    [
      'a name of a person',
      'POST /api/setup',
      change({ kind: 'human', id: 'ben', value: { name: 'Benjamin', access: 'participant' }, seen: 0 }),
    ],
    ['signing somebody out', 'POST /api/people/ben/sign-out', {}],
  ]
  const send = (double: Awaited<ReturnType<typeof open>>, route: string, body: object) => {
    const [method = '', path = ''] = route.split(' ')
    return double.call(method, path, { cookie: double.cookie, body: { ...commandHead(), ...body } })
  }

  it.each(asked)('%s is given only then (%s)', async (_, route, body) => {
    const double = await open()
    double.clock.now += FIVE_MINUTES
    expect((await send(double, route, body)).json).toMatchObject({
      error: 'CONFIRM_PASSWORD',
      details: { hasPassword: true },
    })
    const confirm = (password: string) =>
      double.call('POST', '/api/sessions/confirm', { cookie: double.cookie, body: { password } })
    expect((await confirm('wrong horse')).json.error).toBe('WRONG_PASSWORD')
    expect((await send(double, route, body)).json.error).toBe('CONFIRM_PASSWORD')
    expect((await confirm('correct horse')).json).toEqual({ until: double.clock.now + FIVE_MINUTES })
    double.clock.now += FIVE_MINUTES - 1
    expect((await send(double, route, body)).json.error).not.toBe('CONFIRM_PASSWORD')
  })

  it.each(free)('%s needs none (%s)', async (_, route, body) => {
    const double = await open()
    double.clock.now += FIVE_MINUTES
    expect((await send(double, route, body)).json.error).not.toBe('CONFIRM_PASSWORD')
  })

  it('in that session alone, and no longer than 5 minutes', async () => {
    const double = await open()
    const other = await double.signIn('ana')
    double.clock.now += FIVE_MINUTES
    const body = { password: 'correct horse' }
    await double.call('POST', '/api/sessions/confirm', { cookie: double.cookie, body })
    const link = (cookie: string) => double.call('POST', '/api/people/ben/link', { cookie })
    expect((await link(other)).json.error).toBe('CONFIRM_PASSWORD')
    expect((await link(double.cookie)).status).toBe(200)
    double.clock.now += FIVE_MINUTES
    expect((await link(double.cookie)).json.error).toBe('CONFIRM_PASSWORD')
  })

  it('by somebody without a password within 5 minutes of their link, or once they have set one', async () => {
    const double = await open()
    const { call, clock, store, engine } = double
    const ana = Object.values(engine.world().agents).find(({ configId }) => configId === 'ana')?.id ?? ''
    await store.accounts.setPassword(ana, null)
    const link = () => call('POST', '/api/people/ben/link', { cookie: double.cookie })
    expect((await link()).status).toBe(200)
    clock.now += FIVE_MINUTES
    expect((await link()).json).toMatchObject({ error: 'CONFIRM_PASSWORD', details: { hasPassword: false } })
    const body = { password: '' }
    expect((await call('POST', '/api/sessions/confirm', { cookie: double.cookie, body })).json.error).toBe(
      'CONFIRM_PASSWORD',
    )
    const next = { current: null, next: 'rain lamp copper 7' }
    expect((await call('PUT', '/api/me/password', { cookie: double.cookie, body: next })).status).toBe(200)
    expect((await link()).status).toBe(200)
  })
})

it('[R351] a value of another kind is neither tried nor kept', async () => {
  const double = await open()
  const shown = setupAnswer.parse((await double.call('GET', '/api/setup', { cookie: double.cookie })).json)
  expect(shown.toolsAllowed).toEqual(['uvx'])
  expect(
    await codeOf(double, '/api/setup/try', { kind: 'human', id: 'zoe', value: { name: 'Zoe', access: 'operator' } }),
  ).toBe('BAD_INPUT')
})
