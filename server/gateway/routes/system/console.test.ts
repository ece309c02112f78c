/** Routes of the console: system information, messages, deliveries, requests, drafts, read cursors. */

import { describe, expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { event } from '@/lib/mas/events'
import { outcomeAt } from '@/test/stories'
import { describedWith, noServers, openDouble, toolInfo } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

const later = Date.UTC(2030, 0)
let counter = 0
const head = () => ({ id: `command-${counter++}-${'x'.repeat(8)}`, until: later })
const message = (more: object = {}) => ({
  ...head(),
  task: ID.prices,
  receivers: [ID.reader],
  text: 'hello',
  type: 'fyi',
  stage: null,
  answers: null,
  replyTo: null,
  mention: false,
  ...more,
})

describe('the system information', () => {
  it('operators see the version, the models, and each limit by its name in the configuration', async () => {
    const { call, signIn } = await openDouble()
    const { status, json } = await call('GET', '/api/system', { cookie: await signIn('ana') })
    expect(status).toBe(200)
    const names = ['steps_per_part', 'reflections_per_part', 'talk_in_a_row']
    expect(json.limits).toContainEqual({ name: 'uploads_per_person_mib', value: 200 })
    expect(json.limits).toContainEqual({ name: 'sockets_per_person', value: 20 })
    for (const name of names) expect(json.limits).toContainEqual(expect.objectContaining({ name }))
    expect((await call('GET', '/api/system', { cookie: await signIn('ben') })).status).toBe(403)
  })
})

describe('messages and deliveries', () => {
  it('a message of each type goes to the receivers it names or to everyone else, and a repeat gets the first answer', async () => {
    const { call, engine, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const body = message({ type: 'action', receivers: 'all', mention: true })
    const first = await call('POST', '/api/messages', { cookie, body })
    expect(first.status).toBe(200)
    expect(engine.envelopes[0]).toMatchObject({
      id: body.id,
      until: later,
      by: ID.ben,
      command: { receivers: [ID.manager, ID.reader, ID.ana], kind: 'action', mention: true },
    })
    expect((await call('POST', '/api/messages', { cookie, body })).json).toEqual(first.json)
    for (const type of ['fyi', 'urgent'] as const) {
      await call('POST', '/api/messages', { cookie, body: message({ type }) })
      expect(engine.envelopes.at(-1)?.command).toMatchObject({ kind: type })
    }
  })

  it('a message that cannot be sent is refused', async () => {
    const { call, clock, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const cases: [more: object, status: number, error: string][] = [
      [{ receivers: [] }, 422, 'NO_RECEIVERS'],
      [{ receivers: ['nobody'] }, 422, 'RECEIVER_UNKNOWN'],
      [{ task: ID.secret }, 404, 'NOT_FOUND'],
      [{ text: '' }, 422, 'EMPTY_TEXT'],
      [{ answers: 'nothing' }, 404, 'NOT_FOUND'],
      [{ answers: ID.confirm, receivers: [ID.reader] }, 404, 'NOT_FOUND'],
      [{ until: clock.now - 1 }, 409, 'EXPIRED'],
      [{ id: 'timer:cfca4231-0000-4000-8000-000000000000' }, 400, 'BAD_INPUT'],
      [{ id: 'x' }, 400, 'BAD_INPUT'],
      [{ type: 'ding' }, 400, 'BAD_INPUT'],
    ]
    for (const [more, status, error] of cases) {
      const { json } = await call('POST', '/api/messages', { cookie, body: message(more) })
      expect(json).toMatchObject({ error, status_code: status })
      expect(json).not.toHaveProperty('success')
    }
  })

  it('a message is shown, acknowledged, and the latter undone', async () => {
    const { call, engine, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const state = () => outcomeAt(engine.world(), ID.prices, ID.question, ID.ben)?.state
    expect((await call('POST', '/api/receipts', { cookie, body: { ...head(), shown: [ID.question] } })).status).toBe(
      200,
    )
    expect(state()).toBe('shown')
    expect((await call('POST', `/api/messages/${ID.question}/acknowledge`, { cookie, body: head() })).status).toBe(200)
    expect(state()).toBe('acknowledged')
    expect((await call('POST', `/api/messages/${ID.question}/undo`, { cookie, body: head() })).status).toBe(200)
    expect(state()).toBe('shown')
    expect((await call('POST', '/api/messages/nothing/done', { cookie, body: head() })).json.error).toBe('NOT_FOUND')
  })
})

describe('requests', () => {
  it('a request is read by those asked and by readers of its task, claimed and answered', async () => {
    const { call, engine, signIn } = await openDouble()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    expect((await call('GET', `/api/requests/${ID.ask}`, { cookie: ben })).json).toMatchObject({
      request: { id: ID.ask, question: 'Which holds?', state: 'open' },
      taskName: 'Prices',
      askerName: 'Reader',
    })
    expect((await call('GET', `/api/requests/${ID.confirm}`, { cookie: ben })).json.error).toBe('NOT_FOUND')
    expect((await call('GET', '/api/requests/nothing', { cookie: ben })).json.error).toBe('NOT_FOUND')
    expect((await call('POST', `/api/requests/${ID.ask}/claim`, { cookie: ben, body: head() })).status).toBe(200)
    const answer = { ...head(), decision: 'answer', text: '3.20', arguments: null, digest: null }
    expect((await call('POST', `/api/requests/${ID.ask}/answer`, { cookie: ben, body: answer })).status).toBe(200)
    expect(engine.world().requests[ID.prices]?.[ID.ask]?.state).toBe('answered')
    const second = await call('POST', `/api/requests/${ID.ask}/answer`, { cookie: ana, body: { ...answer, ...head() } })
    expect([second.status, second.json.error]).toEqual([409, 'REQUEST_OVER'])
  })

  it('a confirmation shows exactly what would run, and edited arguments are checked before anything is decided', async () => {
    const writeFile = toolInfo('write_file')
    const { call, engine, signIn, store } = await openDouble({
      tools: {
        ...noServers,
        describe: async (server) =>
          server === 'files' ? describedWith([toolInfo('read_file'), writeFile]) : noServers.describe(server),
      },
    })
    const cookie = await signIn('ana')
    expect((await call('GET', `/api/requests/${ID.confirm}/arguments`, { cookie })).json).toEqual({
      json: { path: 'prices/report.md', content: 'total' },
      text: '{"path":"prices/report.md","content":"total"}',
      digest: 'digest-1',
      schema: writeFile.inputSchema,
      ran: null,
    })
    const answer = (args: string) => ({
      ...head(),
      decision: 'approve_edited',
      text: '',
      arguments: args,
      digest: 'digest-1',
    })
    for (const [args, why] of [
      ['{"path":', 'JSON'],
      ['{"content":"x"}', 'path is missing'],
    ] as const) {
      const { json } = await call('POST', `/api/requests/${ID.confirm}/answer`, { cookie, body: answer(args) })
      expect(json).toMatchObject({ error: 'BAD_ARGUMENTS', message: expect.stringContaining(why) })
    }
    expect(engine.envelopes).toEqual([])
    await call('POST', `/api/requests/${ID.confirm}/answer`, { cookie, body: answer('{"path": "other.md"}') })
    const [envelope] = engine.envelopes
    const [body] = envelope?.bodies ?? []
    expect(new TextDecoder().decode(body?.bytes)).toBe('{"path": "other.md"}')
    expect(envelope?.command).toMatchObject({
      decision: 'approve_edited',
      arguments: { sha: body?.sha },
      digest: 'digest-1',
    })
    // [R109] Once it was decided, what ran stands beside what was proposed.
    const { ref: ran, body: ranBody } = bodyOf('{"path": "other.md"}', 'application/json')
    await store.bodies.put(ranBody.bytes, ranBody.mime)
    const decided = { by: ID.ana, for: null, decision: 'approve_edited' as const, text: '', arguments: ran }
    await engine.put([event('request.answered', { task: ID.secret, request: ID.confirm, answer: decided })])
    expect((await call('GET', `/api/requests/${ID.confirm}/arguments`, { cookie })).json).toMatchObject({
      json: { path: 'prices/report.md', content: 'total' },
      ran: { json: { path: 'other.md' }, text: '{"path": "other.md"}' },
    })
    const ben = await signIn('ben')
    expect((await call('GET', `/api/requests/${ID.confirm}/arguments`, { cookie: ben })).json.error).toBe('NOT_FOUND')
  })
})

describe('drafts', () => {
  it('discarding the other version of a draft keeps its own, and does nothing without another version', async () => {
    const { call, signIn } = await openDouble()
    const ben = await signIn('ben')
    const path = `/api/drafts/task:${ID.prices}`
    const aside = { text: 'from the phone', more: {} }
    await call('PUT', path, { cookie: ben, body: { text: 'words', version: null, other: aside } })
    const discard = async () => (await call('DELETE', `${path}/other`, { cookie: ben })).json
    expect(await discard()).toMatchObject({ text: 'words', version: 2, other: null })
    expect(await discard()).toMatchObject({ text: 'words', version: 2, other: null })
  })

  it('drafts belong to a person; written over another version both are kept; an empty one is removed', async () => {
    const { call, signIn } = await openDouble()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    const path = `/api/drafts/task:${ID.prices}`
    const put = (text: string, version: number | null) => call('PUT', path, { cookie: ben, body: { text, version } })
    expect((await call('GET', path, { cookie: ben })).json).toEqual({ text: '', version: null, other: null, at: 0 })
    const first = await put('from the desk', null)
    expect(first.json).toMatchObject({ text: 'from the desk', other: null })
    for (const none of ['more', 'otherMore']) expect(first.json).not.toHaveProperty(none)
    expect((await put('from the phone', null)).json).toMatchObject({ text: 'from the desk', other: 'from the phone' })
    expect((await call('GET', '/api/drafts', { cookie: ben })).json.drafts).toMatchObject([
      { key: `task:${ID.prices}` },
    ])
    expect((await call('GET', path, { cookie: ana })).json.text).toBe('')
    // Until the writer says what becomes of it, the other text is kept.
    expect((await put('from the desk, more', 1)).json).toMatchObject({ other: 'from the phone' })
    const dropped = await call('DELETE', `${path}/other`, { cookie: ben })
    expect(dropped.json).toMatchObject({ text: 'from the desk, more', other: null })
    expect((await put('', Number(dropped.json.version))).json).toEqual({ text: '', version: null, other: null, at: 0 })
    expect((await call('GET', '/api/drafts', { cookie: ben })).json).toEqual({ drafts: [] })
    expect((await call('GET', '/api/drafts/settings', { cookie: ben })).status).toBe(400)
  })

  it('a draft keeps what was chosen beside its text and what was set aside, and the writer’s other pages are notified', async () => {
    const { call, engine, signIn } = await openDouble()
    const heard: unknown[] = []
    engine.onEphemeral((said) => heard.push(said))
    const ben = await signIn('ben')
    const path = `/api/drafts/task:${ID.prices}`
    const more = { to: [ID.ana], type: 'urgent', files: [{ sha: 'a', name: 'a.txt', mime: 'text/plain', bytes: 1 }] }
    const put = (body: object) => call('PUT', path, { cookie: ben, body })
    expect((await put({ text: '', more, version: null })).json).toMatchObject({ text: '', more, other: null })
    const aside = { text: 'from the phone', more: { type: 'action' } }
    expect((await put({ text: 'words', more, version: 1, other: aside })).json).toMatchObject({
      text: 'words',
      more,
      other: 'from the phone',
      otherMore: { type: 'action' },
    })
    // The draft was sent; the text that was set aside was not.
    const left = await put({ text: '', version: 2, other: aside })
    expect(left.json).toMatchObject({ text: '', other: 'from the phone' })
    expect((await call('GET', '/api/drafts', { cookie: ben })).json.drafts).toMatchObject([{ isWritten: true }])
    expect((await put({ text: '', more: { to: [ID.ana] }, version: 3, other: null })).json).toMatchObject({
      other: null,
    })
    expect((await call('GET', '/api/drafts', { cookie: ben })).json.drafts).toMatchObject([{ isWritten: false }])
    expect((await put({ text: '', version: 4 })).json).toEqual({ text: '', version: null, other: null, at: 0 })
    const note = { kind: 'draft', person: ID.ben, key: `task:${ID.prices}` }
    expect(heard).toMatchObject([
      { ...note, version: 1, isWritten: true },
      { ...note, version: 2, isWritten: true },
      { ...note, version: 3, isWritten: true },
      { ...note, version: 4, isWritten: false },
      { ...note, version: null, isWritten: false },
    ])
    const large = { text: '', more: { form: 'x'.repeat(65 * 1024) }, version: null }
    expect((await put(large)).status).toBe(400)
    for (const key of [`act:release.${ID.ask}`, `request:${ID.ask}.arguments`])
      expect(
        (await call('PUT', `/api/drafts/${key}`, { cookie: ben, body: { text: 'x', version: null } })).status,
      ).toBe(200)
  })
})

describe('read cursors', () => {
  it('a read cursor only moves forward unless it is set back; it belongs to one person, whose other pages are notified', async () => {
    const { call, engine, signIn } = await openDouble()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    const path = `/api/read/task:${ID.prices}`
    const put = async (body: object) => (await call('PUT', path, { cookie: ben, body })).json.seq
    const heard: unknown[] = []
    engine.onEphemeral((note) => heard.push(note))
    expect((await call('GET', path, { cookie: ben })).json).toEqual({ seq: null })
    expect(await put({ seq: 40 })).toBe(40)
    expect(await put({ seq: 12 })).toBe(40)
    expect(await put({ seq: 12, isBack: true })).toBe(12)
    expect((await call('GET', path, { cookie: ben })).json).toEqual({ seq: 12 })
    expect((await call('GET', path, { cookie: ana })).json).toEqual({ seq: null })
    expect(heard).toMatchObject([
      { kind: 'read', person: ID.ben, place: `task:${ID.prices}`, seq: 40 },
      { kind: 'read', seq: 12 },
    ])
    expect((await call('GET', '/api/read/settings', { cookie: ben })).status).toBe(400)
  })
})

it('a read cursor that loses against another page five times is what that page made of it', async () => {
  const { call, signIn, store } = await openDouble()
  const cookie = await signIn('ben')
  const path = `/api/read/task:${ID.prices}`
  const put = async () => (await call('PUT', path, { cookie, body: { seq: 12 } })).json
  const { get, put: store12 } = store.people
  let puts = 0
  store.people.put = async (_, key) => {
    puts += 1
    return { ok: false, current: { key, value: { seq: 7 }, version: 7, at: 0 } }
  }
  expect([await put(), puts]).toEqual([{ seq: null }, 5])
  store.people.get = async (_, key) =>
    key.startsWith('read:') ? { key, value: { seq: 7 }, version: 7, at: 0 } : get(_, key)
  expect(await put()).toEqual({ seq: 7 })
  store.people.put = store12
})
