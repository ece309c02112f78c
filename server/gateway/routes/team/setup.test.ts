/** Operators set up agents, models and tools over HTTP; others see none of it, and no key is in anything that is kept or shown. */
import { expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import { asId } from '@/lib/mas/ids'
import { modelSetup } from '@/lib/mas/setup/schemas/model'
import { peopleAnswer, setupAnswer } from '@/lib/wire/http'
import { commandHead as head, openSetupDouble as open } from '../../test/setupDouble'
import { ID } from '../../test/world'

const model = { provider: 'openai', baseUrl: 'https://models.example/v1', model: 'large' }
const change = (kind: string, id: string, value: unknown, seen: number | null = null) => ({
  ...head(),
  changes: [{ kind, id, value, seen }],
})

it('[R118] an operator adds a model and an agent, sees who changed what, and takes a change back', async () => {
  const { call, signIn, engine } = await open()
  const cookie = await signIn('ana')
  const post = (body: object, path = '/api/setup') => call('POST', path, { cookie, body })
  expect((await post(change('model', 'fast', model))).status).toBe(200)
  expect((await post(change('agent', 'writer', { name: 'Writer', model: 'fast' }))).status).toBe(200)
  const writer = Object.values(engine.world().agents).find(({ configId }) => configId === 'writer')
  expect(writer).toMatchObject({ name: 'Writer', model: 'fast', kind: 'llm' })
  const shown = setupAnswer.parse((await call('GET', '/api/setup', { cookie })).json)
  expect(shown).toMatchObject({
    variables: ['OPENAI_API_KEY'],
    offered: expect.any(Array),
    models: expect.arrayContaining([
      expect.objectContaining({
        id: 'fast',
        isChanged: true,
        changes: [expect.objectContaining({ by: 'Ana', before: null })],
      }),
    ]),
  })
  const made = shown.agents.find(({ id }) => id === 'writer')?.changes[0]
  expect((await post({ ...head(), kind: 'agent', of: 'writer', change: made?.seq }, '/api/setup/undo')).status).toBe(
    200,
  )
  expect(engine.world().agents[writer?.id ?? asId('')]?.removed).toBe(true)
})

it('[R118] nobody but operators reads or changes the setup', async () => {
  const { call, signIn } = await open()
  for (const who of ['ben', 'dev']) {
    const cookie = await signIn(who)
    const answers = [
      await call('GET', '/api/setup', { cookie }),
      await call('POST', '/api/setup', { cookie, body: change('model', 'fast', model) }),
      await call('POST', '/api/setup/undo', { cookie, body: { ...head(), kind: 'model', of: 'fast', change: 1 } }),
      await call('POST', '/api/setup/keys', { cookie, body: { key: 'k', address: 'https://models.example' } }),
      await call('GET', '/api/setup/file', { cookie }),
      await call('GET', '/api/setup/local-models', { cookie }),
      await call('POST', '/api/setup/file', { cookie, body: {} }),
      await call('POST', '/api/setup/try', { cookie, body: { kind: 'model', id: 'fast', value: model } }),
    ]
    for (const { status, json } of answers) expect([status, json.error], who).toEqual([403, 'NOT_ALLOWED'])
  }
  expect((await call('GET', '/api/setup')).status).toBe(401)
})

it('[R120] a key that is typed is in no entry, answer or log line, and serves its address alone', async () => {
  const { call, signIn, engine, logged, store } = await open()
  const cookie = await signIn('ana')
  const key = 'sk-PRIVATEWORD'
  const { json } = await call('POST', '/api/setup/keys', { cookie, body: { key, address: model.baseUrl } })
  const withKey = { ...model, key: json }
  expect((await call('POST', '/api/setup', { cookie, body: change('model', 'fast', withKey) })).status).toBe(200)
  const elsewhere = { ...withKey, baseUrl: 'https://elsewhere.example/v1' }
  const refused = await call('POST', '/api/setup', { cookie, body: change('model', 'other', elsewhere) })
  expect([refused.status, refused.json.error]).toEqual([422, 'KEY_ELSEWHERE'])
  const states = await call('GET', '/api/states', { cookie })
  const shown = await call('GET', '/api/setup', { cookie })
  const entries = await store.journal.read(0, 1_000)
  for (const one of [engine.world(), logged, states.json, shown.json, json, entries])
    expect(JSON.stringify(one)).not.toContain('PRIVATEWORD')
})

it('[R122] an address in a private network, one with a key in it, and an unknown variable are refused in words', async () => {
  const { call, signIn } = await open()
  const cookie = await signIn('ana')
  const fault = async (more: object) => {
    const body = change('model', 'fast', { ...model, ...more })
    return (await call('POST', '/api/setup', { cookie, body })).json.error
  }
  expect(await fault({ baseUrl: 'http://10.0.0.1/v1' })).toBe('ADDRESS_PRIVATE')
  expect(await fault({ baseUrl: 'https://models.example/v1?api_key=abc' })).toBe('BAD_INPUT')
  expect(await fault({ baseUrl: 'https://me:secret@models.example/v1' })).toBe('BAD_INPUT')
  expect(await fault({ key: { env: 'DATABASE_URL' } })).toBe('KEY_ELSEWHERE')
  const tried = { kind: 'model', id: 'fast', value: { ...model, baseUrl: 'http://10.0.0.1/v1' } }
  expect((await call('POST', '/api/setup/try', { cookie, body: tried })).json.error).toBe('ADDRESS_PRIVATE')
  const good = await call('POST', '/api/setup/try', { cookie, body: { kind: 'model', id: 'fast', value: model } })
  expect(good.json).toEqual({ ok: true, words: 'fast works', hint: null, tools: [] })
})

it('[R668] the models of a server are listed for operators, and not where such a model could not be kept', async () => {
  const { call, signIn } = await open()
  const [ana, ben] = [await signIn('ana'), await signIn('ben')]
  const list = (cookie: string, more: object = {}) => {
    const { provider, baseUrl } = model
    return call('POST', '/api/setup/models', { cookie, body: { id: 'fast', provider, baseUrl, key: null, ...more } })
  }
  expect((await list(ana)).json).toEqual({ ok: true, models: [{ name: 'openai-large', known: null }] })
  expect((await list(ben)).status).toBe(403)
  expect((await list(ana, { baseUrl: 'http://10.0.0.1/v1' })).json.error).toBe('ADDRESS_PRIVATE')
  expect((await list(ana, { key: { env: 'DATABASE_URL' } })).json.error).toBe('KEY_ELSEWHERE')
})

it('[R123] the file is written where it can be; else its text is given for a download', async () => {
  const { call, signIn, file } = await open()
  const cookie = await signIn('ana')
  const shown = await call('GET', '/api/setup/file', { cookie })
  expect(shown.json).toEqual({ name: 'convene.yaml', canWrite: true, isSame: false })
  expect((await call('POST', '/api/setup/file', { cookie, body: {} })).json).toEqual({
    name: 'convene.yaml',
    text: null,
  })
  expect(file.written).toBe(1)
  file.canWrite = false
  expect((await call('POST', '/api/setup/file', { cookie, body: {} })).json.text).toBe('team: {}')
  expect(file.written).toBe(1)
})

it('[R129] [R131] an operator invites somebody by a link, and takes them out: their session and password end at once', async () => {
  const { call, signIn, engine, store } = await open()
  const [ana, ben] = [await signIn('ana'), await signIn('ben')]
  const invite = { ...head(), person: 'zoe', value: { name: 'Zoe', access: 'participant', groups: ['writers'] } }
  expect((await call('POST', '/api/people', { cookie: ben, body: invite })).status).toBe(403)
  const { json, status } = await call('POST', '/api/people', { cookie: ana, body: invite })
  expect(status).toBe(200)
  const token = String(json.url).split('#link=')[1]
  const zoe = await call('POST', '/api/sessions/link', { body: { token } })
  expect(zoe.json).toMatchObject({ person: { id: 'zoe', name: 'Zoe', access: 'participant' }, hasPassword: false })
  const { cookie } = zoe
  const password = { current: null, next: 'a long password' }
  expect((await call('PUT', '/api/me/password', { cookie, body: password })).status).toBe(200)
  const shown = setupAnswer.parse((await call('GET', '/api/setup', { cookie: ana })).json)
  const record = shown.people.find(({ id }) => id === 'zoe')
  expect(record).toMatchObject({ value: { name: 'Zoe', groups: ['writers'] }, file: null, changes: [{ by: 'Ana' }] })
  const leave = (more: object = {}) => ({
    ...head(),
    seen: record?.changes.at(-1)?.seq ?? 0,
    handTo: null,
    reason: 'a new job',
    ...more,
  })
  expect((await call('POST', '/api/people/zoe/leave', { cookie: ben, body: leave() })).status).toBe(403)
  expect((await call('POST', '/api/people/zoe/leave', { cookie: ana, body: leave({ reason: ' ' }) })).json.error).toBe(
    'REASON_MISSING',
  )
  expect((await call('POST', '/api/people/zoe/leave', { cookie: ana, body: leave() })).status).toBe(200)
  expect((await call('GET', '/api/me', { cookie })).status).toBe(401)
  const gone = Object.values(engine.world().agents).find(({ configId }) => configId === 'zoe')
  expect(gone).toMatchObject({ removed: true, access: 'none' })
  expect(await store.accounts.passwordHash(gone?.id ?? '')).toBeNull()
  const again = await call('POST', '/api/bind_human_agent', {
    body: { human_agent_id: 'zoe', password: password.next },
  })
  expect(again.status).toBe(401)
})

it('[R213] unsent drafts of a person who is taken out are counted for the operator, kept, and there when they come back', async () => {
  const { call, signIn } = await open()
  const cookie = await signIn('ana')
  const invite = async () => {
    const body = { ...head(), person: 'zoe', value: { name: 'Zoe', access: 'participant' } }
    const { json } = await call('POST', '/api/people', { cookie, body })
    return (await call('POST', '/api/sessions/link', { body: { token: String(json.url).split('#link=')[1] } })).cookie
  }
  const draftsOf = async (id: string) => {
    const { people } = peopleAnswer.parse((await call('GET', '/api/people', { cookie })).json)
    return people.find((person) => person.id === id)?.drafts
  }
  const zoe = await invite()
  const draft = { text: 'half a thought', version: null }
  expect((await call('PUT', '/api/drafts/act:new_work', { cookie: zoe, body: draft })).status).toBe(200)
  expect(await draftsOf('zoe')).toBe(1)
  expect(await draftsOf('ben')).toBe(0)
  const seen = setupAnswer
    .parse((await call('GET', '/api/setup', { cookie })).json)
    .people.find(({ id }) => id === 'zoe')
    ?.changes.at(-1)?.seq
  const leave = { ...head(), seen, handTo: null, reason: 'a new job' }
  expect((await call('POST', '/api/people/zoe/leave', { cookie, body: leave })).status).toBe(200)
  expect((await call('GET', '/api/drafts/act:new_work', { cookie: zoe })).status).toBe(401)
  const back = await invite()
  expect((await call('GET', '/api/drafts/act:new_work', { cookie: back })).json).toMatchObject({ text: draft.text })
})

it('[R130] the last operator is neither taken out nor made a participant over HTTP', async () => {
  const { call, signIn } = await open()
  const cookie = await signIn('ana')
  const shown = setupAnswer.parse((await call('GET', '/api/setup', { cookie })).json)
  const operators = shown.people.filter(({ value }) => value?.access === 'operator')
  expect(operators.map(({ id }) => id)).toEqual(['ana'])
  const { agent: _, ...value } = operators[0]?.value ?? { agent: '', name: '' }
  const less = change('human', 'ana', { ...value, access: 'participant' }, 0)
  expect((await call('POST', '/api/setup', { cookie, body: less })).json.error).toBe('LAST_OPERATOR')
  const body = { ...head(), seen: 0, handTo: null, reason: 'x' }
  expect((await call('POST', '/api/people/ana/leave', { cookie, body })).json.error).toBe('LAST_OPERATOR')
})

it('[R122] a tool server is held to the same: its address, the keys of its headers, and none where it is a program', async () => {
  const { call, signIn } = await open()
  const cookie = await signIn('ana')
  const put = async (id: string, more: object, seen: number | null = null) => {
    const { status, json } = await call('POST', '/api/setup', { cookie, body: change('tool', id, { ...more }, seen) })
    return status === 200 ? null : json.error
  }
  const header = (stored: string | null) => ({ name: 'X-Key', key: stored === null ? null : { stored } })
  const { json } = await call('POST', '/api/setup/keys', {
    cookie,
    body: { key: 'sk-of-tools', address: 'https://tools.example/mcp' },
  })
  const stored = String(json.stored)
  const far = { address: 'https://tools.example/mcp', headers: [header(null), header(stored)] }
  expect(await put('near', { address: 'http://10.0.0.1/mcp' })).toBe('ADDRESS_PRIVATE')
  expect(await put('far', far)).toBeNull()
  expect(await put('other', { ...far, address: 'https://elsewhere.example/mcp' })).toBe('KEY_ELSEWHERE')
  expect(await put('other', { ...far, headers: [header(null)], address: 'https://elsewhere.example/mcp' })).toBeNull()
  const tried = { kind: 'tool', id: 'far', value: { address: 'http://10.0.0.1/mcp' } }
  expect((await call('POST', '/api/setup/try', { cookie, body: tried })).json.error).toBe('ADDRESS_PRIVATE')
  const good = { kind: 'tool', id: 'far', value: { address: 'https://tools.example/mcp' } }
  expect((await call('POST', '/api/setup/try', { cookie, body: good })).json.words).toBe('Nothing answers')
})

it('[R122] a private address that the file names already is kept, and one is taken out whatever its address is', async () => {
  const { call, signIn, engine } = await open()
  const cookie = await signIn('ana')
  const inFile = { ...model, baseUrl: 'http://10.0.0.1/v1' }
  const inside = { provider: 'rehearsal', baseUrl: null, model: null }
  const read = (id: string, value: object) =>
    event('setup.read', { entry: { kind: 'model', id, value: modelSetup.parse(value) }, verdict: 'file' })
  await engine.put([read('near', inFile), read('inside', inside)])
  const post = async (id: string, of: object | null, seen: number | null) =>
    (await call('POST', '/api/setup', { cookie, body: change('model', id, of, seen) })).json
  expect((await post('near', { ...inFile, model: 'small' }, 0)).error).toBeUndefined()
  expect((await post('second', inFile, null)).error).toBe('ADDRESS_PRIVATE')
  // One without an address, and one that is taken out.
  expect((await post('inside', { ...inside, parallel: 2 }, 0)).error).toBeUndefined()
  const { changes = [] } = engine.world().setup.model.near ?? {}
  expect((await post('near', null, changes.at(-1)?.seq ?? 0)).error).toBeUndefined()
})

it('[R118] an agent that is changed stays the one that it was', async () => {
  const { call, signIn, engine } = await open()
  const cookie = await signIn('ana')
  const reader = () => Object.values(engine.world().agents).filter(({ configId }) => configId === 'reader')
  const value = { name: 'Reader', model: 'default', role: 'librarian', agent: ID.reader }
  const answer = await call('POST', '/api/setup', { cookie, body: change('agent', 'reader', value, 0) })
  expect([answer.status, answer.json.error]).toEqual([200, undefined])
  expect(reader()).toMatchObject([{ id: ID.reader, role: 'librarian' }])
})
