/** The id of a request in answers and log lines; what no log line may hold. */
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { openClients } from '../../net'
import { type Double, openDouble, PASSWORD } from '../test/gatewayDouble'
import { ID } from '../test/world'

const idOf = async ({ url }: Double, path: string, headers: Record<string, string> = {}): Promise<string> =>
  (await fetch(url + path, { headers })).headers.get('x-request-id') ?? ''

const GENERATED = /^[A-Za-z0-9_-]{16}$/

describe('[R72] each request has one id', () => {
  it('each request gets a new id, for the API, for pages and for unknown paths', async () => {
    const double = await openDouble()
    const paths = ['/api/health', '/api/me', '/api/nothing', '/', '/login', '/_next/static/chunks/a.js']
    const ids = await Promise.all(paths.map((path) => idOf(double, path)))
    for (const [index, id] of ids.entries()) expect(id, paths[index]).toMatch(GENERATED)
    expect(new Set(ids).size).toBe(paths.length)
  })

  it('the id that a trusted proxy sends is used, and no other', async () => {
    const headers = { 'x-request-id': 'proxy-7.a_B' }
    const trusting = await openDouble({ clients: openClients(['127.0.0.1']) })
    expect(await idOf(trusting, '/api/health', headers)).toBe('proxy-7.a_B')
    expect(await idOf(trusting, '/api/health')).toMatch(GENERATED)
    expect(await idOf(trusting, '/api/health', { 'x-request-id': 'x'.repeat(64) })).toBe('x'.repeat(64))
    for (const bad of ['', 'x'.repeat(65), 'a b', 'a"b', '{"a":1}', 'a,b'])
      expect(await idOf(trusting, '/api/health', { 'x-request-id': bad }), bad).toMatch(GENERATED)
    for (const other of [await openDouble(), await openDouble({ clients: openClients(['10.0.0.0/8']) })])
      expect(await idOf(other, '/api/health', headers)).toMatch(GENERATED)
  })

  it('the log line of a failed request names its id', async () => {
    const double = await openDouble()
    const cookie = await double.signIn(ID.ana)
    double.engine.failNext(new Error('a defect'))
    const body = { id: 'command-0001', until: double.clock.now + 60_000 }
    const answer = await double.call('POST', `/api/messages/${ID.question}/acknowledge`, { cookie, body })
    expect(answer.status).toBe(500)
    // The form of refusals is fixed: the id is in the header only.
    expect(Object.keys(answer.json).sort()).toEqual(['error', 'message', 'status_code'])
    expect(double.logged.slice(1)).toEqual([
      expect.objectContaining({ request: answer.headers.get('x-request-id'), path: expect.stringContaining('/api/') }),
    ])
  })
})

it('[R72] no log line holds a password, a token, a cookie or the text of a message', async () => {
  const double = await openDouble()
  const { call, store, engine, clock } = double
  const cookie = await double.signIn(ID.ana)
  await call('POST', '/api/bind_human_agent', { body: { human_agent_id: ID.ben, password: 'wrong horse' } })
  const made = await call('POST', `/api/people/${ID.ben}/link`, { cookie, body: {} })
  expect(made.status).toBe(200)
  await call('POST', `/api/people/${ID.ben}/reset`, { cookie, body: {} })
  const link = String(made.json.url).split('link=')[1] ?? ''
  expect(link).not.toBe('')
  await call('POST', '/api/sessions/link', { body: { token: link } })
  const said = { task: ID.prices, receivers: [ID.manager], text: 'the price is a secret', type: 'fyi' }
  const more = { stage: null, answers: null, replyTo: null, mention: false, until: clock.now + 60_000 }
  await call('POST', '/api/messages', { cookie, body: { id: 'command-0002', ...said, ...more } })
  engine.failNext(new Error('a defect'))
  await call('POST', '/api/messages', { cookie, body: { id: 'command-0003', ...said, ...more } })
  const sessions = await store.accounts.sessionsOf(ID.ana)
  const lines = inspect(double.logged, { depth: 10, maxStringLength: null })
  expect(double.logged.length).toBeGreaterThanOrEqual(2)
  const token = cookie.split('=')[1] ?? ''
  expect(sessions.length).toBeGreaterThan(0)
  for (const secret of [PASSWORD, 'wrong horse', link, token, 'the price is a secret']) {
    expect(secret).not.toBe('')
    expect(lines).not.toContain(secret)
  }
})
