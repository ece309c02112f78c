/** Personal access tokens at the API: made, used within their scopes, ended. */
import { describe, expect, it } from 'vitest'
import { auditPage, myTokens } from '@/lib/wire/http'
import type { Scope } from '@/lib/wire/scopes'
import { LIMITS } from '@/server/shared/limits'
import { MOST_TOKENS } from '../../sessions/personalTokens'
import { type Double, openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

const DAY_MS = 24 * 60 * 60_000
const OTHER_SITE = 'https://other.example'
let count = 0
const head = () => ({ id: `token-test-${count++}`, until: Date.UTC(2030, 0) })

type Made = { token: string; id: string; headers: { authorization: string } }

/** A token that its person makes in the page. */
async function make(double: Double, cookie: string, scopes: readonly Scope[], more: object = {}): Promise<Made> {
  const body = { name: `Nightly ${count++}`, scopes, days: 30, ...more }
  const { status, json } = await double.call('POST', '/api/me/tokens', { cookie, body })
  if (status !== 200) throw new Error(String(json.error))
  const id = (await listed(double, cookie)).find(({ name }) => name === body.name)?.id ?? ''
  const token = String(json.token)
  return { token, id, headers: { authorization: `Bearer ${token}` } }
}
const listed = async ({ call }: Double, cookie: string) =>
  myTokens.parse((await call('GET', '/api/me/tokens', { cookie })).json).tokens
const errorOf = async (asked: ReturnType<Double['call']>) => {
  const { status, json } = await asked
  return status === 200 ? null : `${status} ${json.error}`
}
const me = ({ call }: Double, headers: Made['headers']) => errorOf(call('GET', '/api/me', { headers }))
const UNKNOWN = '401 TOKEN_UNKNOWN'

describe('[R782] a token', () => {
  it('is made in a session with a password typed just now, is shown once, and stored as a hash', async () => {
    const double = await openDouble()
    const { call, clock, signIn, store } = double
    const cookie = await signIn('ben')
    const { token, id } = await make(double, cookie, ['ask', 'read'], { name: 'Nightly', days: 7 })
    expect(token).toMatch(/^convene_[\w-]{43}$/)
    const since = clock.now
    expect(await listed(double, cookie)).toEqual([
      { id, name: 'Nightly', scopes: ['read', 'ask'], since, lastUsed: null, expiresAt: since + 7 * DAY_MS },
    ])
    expect(await store.accounts.session(token)).toBeNull()
    expect(await listed(double, await signIn('ana'))).toEqual([])
    clock.now += 6 * 60_000
    expect(
      await errorOf(call('POST', '/api/me/tokens', { cookie, body: { name: 'x', scopes: ['read'], days: 1 } })),
    ).toBe('403 CONFIRM_PASSWORD')
  })

  it('has a name, at least one known scope, and ends within 366 days', async () => {
    const double = await openDouble()
    const cookie = await double.signIn('ben')
    const refused = (more: object) =>
      errorOf(
        double.call('POST', '/api/me/tokens', { cookie, body: { name: 'x', scopes: ['read'], days: 366, ...more } }),
      )
    expect(await refused({})).toBeNull()
    for (const more of [
      { days: 367 },
      { days: 0 },
      { scopes: [] },
      { scopes: ['all'] },
      { name: ' ' },
      { name: 'x'.repeat(61) },
    ])
      expect(await refused(more), JSON.stringify(more)).toBe('400 BAD_INPUT')
  })

  it('is one of at most 50 of its person', async () => {
    const double = await openDouble()
    const [ben, ana] = [await double.signIn('ben'), await double.signIn('ana')]
    for (let n = 0; n < MOST_TOKENS; n++)
      await double.store.accounts.startSession(ID.ben, { token: { name: `${n}`, scopes: [] }, expiresAt: 9e15 })
    await expect(make(double, ben, ['read'])).rejects.toThrow('QUOTA')
    expect((await make(double, ana, ['read'])).id).not.toBe('')
    const [first] = await listed(double, ben)
    await double.call('DELETE', `/api/me/tokens/${first?.id}`, { cookie: ben })
    expect((await make(double, ben, ['read'])).id).not.toBe('')
  })
})

describe('[R781] scopes', () => {
  const CALLS: Record<Scope, readonly [method: string, path: string, body?: () => object]> = {
    read: ['GET', '/api/states?type=task'],
    answer: ['PUT', '/api/read/notices', () => ({ seq: 1 })],
    ask: ['POST', '/api/work', () => ({ ...head(), wish: 'Count', pasted: '', files: [] })],
    operate: ['POST', `/api/tasks/${ID.prices}/pause`, () => ({ ...head(), reason: 'later' })],
  }
  const SCOPES = Object.keys(CALLS) as Scope[]

  it('each opens what it names, and nothing else', async () => {
    const double = await openDouble()
    const cookie = await double.signIn('ana')
    for (const scope of SCOPES) {
      const { headers } = await make(double, cookie, [scope])
      for (const asked of SCOPES) {
        const [method, path, body] = CALLS[asked]
        const error = await errorOf(double.call(method, path, { headers, ...(body ? { body: body() } : {}) }))
        expect(error, `${scope} at ${path}`).toBe(asked === scope ? null : '403 TOKEN_SCOPE')
      }
    }
  })

  it('together do no more than their person may, and nothing of an account', async () => {
    const double = await openDouble()
    const { call, signIn } = double
    const { headers } = await make(double, await signIn('ben'), SCOPES)
    expect(await errorOf(call('GET', '/api/people', { headers }))).toBe('403 NOT_ALLOWED')
    const { json } = await call('GET', `/api/states?type=task`, { headers })
    expect(Object.keys(json).join()).not.toContain(ID.secret)
    const body = { ...head(), reason: 'later' }
    expect(await errorOf(call('POST', `/api/tasks/${ID.secret}/pause`, { headers, body }))).toBe('404 NOT_FOUND')
    for (const [method, path, body] of [
      ['POST', '/api/me/tokens', { name: 'more', scopes: ['read'], days: 1 }],
      ['GET', '/api/me/tokens'],
      ['GET', '/api/me/sessions'],
      ['PUT', '/api/me/password', { current: null, next: 'another horse entirely' }],
      ['POST', '/api/sessions/end'],
    ] as const)
      expect(await errorOf(call(method, path, { headers, ...(body ? { body } : {}) })), path).toBe('403 TOKEN_SCOPE')
  })

  it('give no access, key or command, however new the token is', async () => {
    const double = await openDouble()
    const { headers } = await make(double, await double.signIn('ana'), SCOPES)
    for (const path of ['/api/people/ben/link', '/api/people/ben/reset'])
      expect(await errorOf(double.call('POST', path, { headers, body: {} }))).toBe('403 TOKEN_SCOPE')
  })
})

describe('[R783] a token ends', () => {
  it('when it expires, or its person revokes it, and no other one with it', async () => {
    const double = await openDouble()
    const cookie = await double.signIn('ben')
    const [short, long] = [await make(double, cookie, ['read'], { days: 1 }), await make(double, cookie, ['read'])]
    double.clock.now += DAY_MS - 1
    expect([await me(double, short.headers), await me(double, long.headers)]).toEqual([null, null])
    double.clock.now += 1
    expect([await me(double, short.headers), await me(double, long.headers)]).toEqual([UNKNOWN, null])
    const again = await double.signIn('ben')
    const anas = await double.signIn('ana')
    const revoke = (cookie: string) => errorOf(double.call('DELETE', `/api/me/tokens/${long.id}`, { cookie }))
    expect(await revoke(anas)).toBe('404 NOT_FOUND')
    expect(await me(double, long.headers)).toBeNull()
    expect(await revoke(again)).toBeNull()
    expect(await me(double, long.headers)).toBe(UNKNOWN)
    expect(await revoke(again)).toBe('404 NOT_FOUND')
  })

  it('with the access of its person, for good, and when an operator signs them out everywhere', async () => {
    const double = await openDouble()
    const { engine, call, signIn } = double
    const [ben, ana] = [await signIn('ben'), await signIn('ana')]
    const first = await make(double, ben, ['read'])
    await engine.put([{ type: 'human.accessChanged', v: 1, agent: ID.ben, access: 'none' }])
    await expect.poll(() => me(double, first.headers)).toBe(UNKNOWN)
    await engine.put([{ type: 'human.accessChanged', v: 1, agent: ID.ben, access: 'participant' }])
    expect(await me(double, first.headers)).toBe(UNKNOWN)
    const second = await make(double, await signIn('ben'), ['read'])
    await call('POST', '/api/people/ben/sign-out', { cookie: ana })
    expect(await me(double, second.headers)).toBe(UNKNOWN)
  })

  it('with its person who left the team', async () => {
    const double = await openDouble()
    const { headers } = await make(double, await double.signIn('ben'), ['read'])
    await double.engine.put([{ type: 'agent.removed', v: 1, agent: ID.ben }])
    expect(await me(double, headers)).toBe(UNKNOWN)
  })

  it('not with the sessions of browsers: a new password and the end of the others leave it', async () => {
    const double = await openDouble()
    const cookie = await double.signIn('ben')
    const { headers } = await make(double, cookie, ['read'])
    double.clock.now += 8 * DAY_MS
    const again = await double.signIn('ben')
    await double.call('DELETE', '/api/me/sessions', { cookie: again })
    const body = { current: 'correct horse', next: 'another horse entirely' }
    expect((await double.call('PUT', '/api/me/password', { cookie: again, body })).status).toBe(200)
    expect(await me(double, headers)).toBeNull()
    const { json } = await double.call('GET', '/api/me/sessions', { cookie: again })
    expect(json.sessions).toHaveLength(1)
  })
})

describe('[R784] what a request shows', () => {
  it('a token counts alone: a cookie beside it does not, and neither counts as the other', async () => {
    const double = await openDouble()
    const { call, signIn, store } = double
    const [ben, ana] = [await signIn('ben'), await signIn('ana')]
    const { headers, token } = await make(double, ben, ['read'])
    const { json } = await call('GET', '/api/me', { headers, cookie: ana })
    expect(json.person).toMatchObject({ id: 'ben' })
    const wrong = { authorization: `Bearer convene_${'x'.repeat(43)}` }
    expect(await errorOf(call('GET', '/api/me', { headers: wrong, cookie: ana }))).toBe(UNKNOWN)
    const [name = '', secret = ''] = ana.split('=')
    expect(await errorOf(call('GET', '/api/me', { cookie: `${name}=${token.slice('convene_'.length)}` }))).toBe(
      '401 NOT_SIGNED_IN',
    )
    expect(await me(double, { authorization: `Bearer convene_${secret}` })).toBe(UNKNOWN)
    // What a proxy adds is none of ours.
    const added = { authorization: 'Bearer of-a-proxy' }
    expect(await errorOf(call('GET', '/api/me', { headers: added, cookie: ana }))).toBeNull()
    expect(await errorOf(call('GET', '/api/me', { headers: added }))).toBe('401 NOT_SIGNED_IN')
    expect(await store.accounts.sessionsOf(ID.ana)).toHaveLength(1)
  })

  it('pages of other sites are refused with a cookie, and a program with a token may call from anywhere', async () => {
    const double = await openDouble()
    const cookie = await double.signIn('ben')
    const { headers } = await make(double, cookie, ['read'])
    expect(await errorOf(double.call('GET', '/api/me', { cookie, headers: { origin: OTHER_SITE } }))).toBe(
      '403 FOREIGN_ORIGIN',
    )
    expect(await errorOf(double.call('GET', '/api/me', { headers: { ...headers, origin: OTHER_SITE } }))).toBeNull()
  })
})

describe('[R785] what a token did', () => {
  it('is in the audit under its name, also after its end; the log says what it may, and no text of a person', async () => {
    const double = await openDouble()
    const { call, signIn } = double
    const [ben, ana] = [await signIn('ben'), await signIn('ana')]
    const { headers, id } = await make(double, ben, ['ask'], { name: 'Nightly report' })
    await call('POST', '/api/work', { headers, body: { ...head(), wish: 'Count', pasted: '', files: [] } })
    await call('DELETE', `/api/me/tokens/${id}`, { cookie: ben })
    const { rows } = auditPage.parse((await call('GET', '/api/audit', { cookie: ana })).json)
    expect(rows.map(({ who, session }) => [who.id, session?.id, session?.token])).toContainEqual([
      ID.ben,
      id,
      'Nightly report',
    ])
    const logged = JSON.stringify(double.logged)
    expect([logged.includes('"scopes":["ask"]'), logged.includes('Nightly report')]).toEqual([true, false])
  })

  it('is counted for it alone: a program that asks too often leaves its person and their other tokens alone', async () => {
    const rule = { most: 3, windowMs: 60_000 }
    const double = await openDouble({ limits: { ...LIMITS, reads: rule } })
    const cookie = await double.signIn('ben')
    const { headers } = await make(double, cookie, ['read'])
    for (let n = 0; n < 3; n++) expect(await me(double, headers)).toBeNull()
    expect(await me(double, headers)).toBe('429 TOO_MANY')
    expect(await errorOf(double.call('GET', '/api/me', { cookie }))).toBeNull()
  })
})
