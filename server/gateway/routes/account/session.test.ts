/** Signing in and out over HTTP: refusals, cookies, limits, links, Origin. */
import { describe, expect, it } from 'vitest'
import { openDouble, PASSWORD } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

const bind = (human_agent_id: string, password = PASSWORD) => ({ body: { human_agent_id, password } })

describe('bind_human_agent', () => {
  it('signing in takes a uuid, a configured id or a prefixed StateID, and answers with the uuid', async () => {
    const { call } = await openDouble()
    for (const id of [ID.ben, 'ben', `HumanAgent_${ID.ben}`]) {
      const { status, json, headers } = await call('POST', '/api/bind_human_agent', bind(id))
      expect([status, json]).toEqual([200, { success: true, human_agent_id: ID.ben, message: 'Signed in as Ben.' }])
      expect(headers.getSetCookie()[0]).toMatch(
        /^convene_session_[\da-f]{12}=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/,
      )
    }
  })

  it('signing in is refused alike for an unknown id, a wrong password, an agent, and a person without access', async () => {
    const { call, store } = await openDouble()
    const hash = await store.accounts.passwordHash(ID.ben)
    await store.accounts.setPassword(ID.gone, hash)
    await store.accounts.setPassword(ID.reader, hash)
    const tries = [
      bind('nobody'),
      bind('ben', 'wrong horse'),
      bind('reader'),
      bind('gone'),
      bind('constructor'),
      bind(''),
    ]
    for (const attempt of tries) {
      const { status, json, cookie } = await call('POST', '/api/bind_human_agent', attempt)
      expect([status, cookie]).toEqual([401, null])
      expect(json).toEqual({
        success: false,
        error: 'SIGN_IN_FAILED',
        message: 'Incorrect ID or password.',
        status_code: 401,
      })
    }
  })

  it('an account is paused after five wrong tries, unknown ones too, and then accepts the right password', async () => {
    const { call, clock } = await openDouble()
    for (const id of ['ben', 'nobody']) {
      for (let n = 0; n < 5; n++)
        expect((await call('POST', '/api/bind_human_agent', bind(id, 'wrong horse'))).status).toBe(401)
      const { status, json, headers } = await call('POST', '/api/bind_human_agent', bind(id))
      expect([status, headers.get('retry-after'), json.error, json.success]).toEqual([429, '60', 'TOO_MANY', false])
    }
    expect((await call('POST', '/api/bind_human_agent', bind('ana'))).status).toBe(200)
    clock.now += 59_000
    expect((await call('POST', '/api/bind_human_agent', bind('ben'))).status).toBe(429)
    clock.now += 1_000
    expect((await call('POST', '/api/bind_human_agent', bind('ben'))).status).toBe(200)
  })

  it('concurrent tries are limited like consecutive ones', async () => {
    const { call } = await openDouble()
    const tries = await Promise.all(
      Array.from({ length: 12 }, () => call('POST', '/api/bind_human_agent', bind('ben', 'wrong horse'))),
    )
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(7)
  })

  it('the cookie is Secure when PUBLIC_URL is https', async () => {
    const { call } = await openDouble({ publicUrl: 'https://convene.example' })
    const { headers } = await call('POST', '/api/bind_human_agent', bind('ben'))
    expect(headers.get('set-cookie')).toContain('; Secure')
    expect(headers.get('strict-transport-security')).toContain('max-age=')
  })
})

describe('sessions', () => {
  it('a request without a cookie, with a broken one, or after signing out has no session', async () => {
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ben')
    expect((await call('GET', '/api/me', { cookie })).status).toBe(200)
    const ended = await call('POST', '/api/sessions/end', { cookie })
    const [name] = cookie.split('=')
    expect([ended.status, ended.cookie]).toEqual([200, `${name}=`])
    for (const no of [null, cookie, `${name}=`, `${name}=x;;=`, `${name}=${'a'.repeat(43)}`]) {
      const { status, json } = await call('GET', '/api/me', { cookie: no })
      expect([status, json.error]).toEqual([401, 'NOT_SIGNED_IN'])
    }
  })

  it('[R353] a visit makes no new session: the one of the sign-in ends 14 days after it', async () => {
    const { call, clock, signIn, store } = await openDouble()
    const cookie = await signIn('ben')
    const day = 24 * 60 * 60_000
    for (const days of [6, 6]) {
      clock.now += days * day
      const { status, headers } = await call('GET', '/api/me', { cookie })
      expect([status, headers.getSetCookie()]).toEqual([200, []])
    }
    expect(await store.accounts.sessionsOf(ID.ben)).toHaveLength(1)
    clock.now += 2 * day
    expect((await call('GET', '/api/me', { cookie })).status).toBe(401)
  })

  it('a person without access gets 403 everywhere, and one who loses access loses the session', async () => {
    const { call, engine, gateway, signIn, store } = await openDouble()
    const token = await store.accounts.startSession(ID.gone, { expiresAt: Date.UTC(2027, 0) })
    const cookie = `${await gateway.cookies.nameOf('session')}=${token}`
    for (const path of ['/api/me', '/api/states?type=task', '/api/people', '/api/files']) {
      const { status, json } = await call('GET', path, { cookie })
      expect([path, status, json.error]).toEqual([path, 403, 'NOT_ALLOWED'])
    }
    const bens = await signIn('ben')
    const ended: unknown[] = []
    gateway.sessions.onEnded((what) => ended.push(what))
    await engine.put([{ type: 'human.accessChanged', v: 1, agent: ID.ben, access: 'none' }])
    await expect.poll(() => ended).toEqual([{ person: ID.ben, session: null, reason: 'access' }])
    expect((await call('GET', '/api/me', { cookie: bens })).status).toBe(401)
  })

  it('the store holds the hash of a session’s token only', async () => {
    const { signIn, store } = await openDouble()
    const token = (await signIn('ben')).split('=')[1] ?? ''
    expect(JSON.stringify(await store.accounts.sessionsOf(ID.ben))).not.toContain(token)
  })
})

describe('links', () => {
  it('the first operator gets a link while no operator has a password; it works once', async () => {
    const { call, gateway, url } = await openDouble({ passwords: false })
    const first = await gateway.firstLink()
    expect(first?.name).toBe('Ana')
    expect(first?.url.startsWith(`${url}/login#link=`)).toBe(true)
    const token = first?.url.split('#link=')[1]
    const { status, json, cookie } = await call('POST', '/api/sessions/link', { body: { token } })
    expect([status, json.hasPassword]).toEqual([200, false])
    expect((await call('GET', '/api/me', { cookie })).json.person).toMatchObject({ agent_id: ID.ana, id: 'ana' })
    const again = await call('POST', '/api/sessions/link', { body: { token } })
    expect([again.status, again.json.error]).toEqual([401, 'LINK_USED'])
    expect(
      (await call('PUT', '/api/me/password', { cookie, body: { current: null, next: 'my own words' } })).status,
    ).toBe(200)
    expect(await gateway.firstLink()).toBeNull()
    expect((await call('POST', '/api/bind_human_agent', bind('ana', 'my own words'))).status).toBe(200)
  })

  it('a link expires after 15 minutes', async () => {
    const { call, clock, gateway } = await openDouble({ passwords: false })
    const token = (await gateway.firstLink())?.url.split('#link=')[1]
    clock.now += 15 * 60_000
    expect((await call('POST', '/api/sessions/link', { body: { token } })).json.error).toBe('LINK_USED')
  })

  it('operators make links, reset passwords and sign people out; nobody else may', async () => {
    const { call, signIn } = await openDouble()
    const [ana, ben, dev] = [await signIn('ana'), await signIn('ben'), await signIn('dev')]
    for (const cookie of [ben, dev]) {
      expect((await call('GET', '/api/people', { cookie })).status).toBe(403)
      expect((await call('POST', '/api/people/ana/link', { cookie })).status).toBe(403)
    }
    const { people } = (await call('GET', '/api/people', { cookie: ana })).json
    expect(people).toMatchObject([
      { id: 'ana', hasPassword: true, sessions: 1 },
      { id: 'ben', hasPassword: true, sessions: 1 },
      { id: 'dev' },
      { id: 'gone', hasPassword: false, sessions: 0, lastSeen: null },
    ])
    const made = await call('POST', '/api/people/ben/link', { cookie: ana })
    const token = String(made.json.url).split('#link=')[1]
    expect((await call('POST', '/api/sessions/link', { body: { token } })).status).toBe(200)
    expect((await call('POST', '/api/people/ben/sign-out', { cookie: ana })).json).toEqual({ ended: 2 })
    expect((await call('GET', '/api/me', { cookie: ben })).status).toBe(401)
    expect((await call('POST', '/api/people/ben/reset', { cookie: ana })).status).toBe(200)
    expect((await call('POST', '/api/bind_human_agent', bind('ben'))).status).toBe(401)
    for (const id of ['nobody', 'reader']) {
      expect((await call('POST', `/api/people/${id}/link`, { cookie: ana })).json.error).toBe('NOT_FOUND')
    }
  })
})

describe('my account', () => {
  it('a new password needs the present one, has a least length, and ends my other sessions', async () => {
    const { call, signIn } = await openDouble()
    const [here, there] = [await signIn('ben'), await signIn('ben')]
    const put = (current: string | null, next: string) =>
      call('PUT', '/api/me/password', { cookie: here, body: { current, next } })
    expect((await put(null, 'long enough 7')).json.error).toBe('WRONG_PASSWORD')
    expect((await put('wrong horse', 'long enough 7')).status).toBe(403)
    expect((await put(PASSWORD, 'short')).json.error).toBe('WEAK_PASSWORD')
    expect((await put(PASSWORD, 'password1234')).json.error).toBe('WEAK_PASSWORD')
    expect((await put(PASSWORD, 'Ben Ben Ben 1')).json.error).toBe('WEAK_PASSWORD')
    expect((await put(PASSWORD, 'long enough 7')).json).toEqual({ ended: 1 })
    expect((await call('GET', '/api/me', { cookie: here })).status).toBe(200)
    expect((await call('GET', '/api/me', { cookie: there })).status).toBe(401)
  })

  it('settings are merged, also from two pages at once', async () => {
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ben')
    await Promise.all([
      call('PUT', '/api/me/settings', { cookie, body: { theme: 'dark' } }),
      call('PUT', '/api/me/settings', { cookie, body: { language: 'zh' } }),
    ])
    expect((await call('GET', '/api/me', { cookie })).json.settings).toEqual({ theme: 'dark', language: 'zh' })
    expect((await call('PUT', '/api/me/settings', { cookie, body: { theme: 'green' } })).status).toBe(400)
  })

  it('[R224] changed settings are told to the person’s pages, and refused ones are not', async () => {
    const { call, signIn, engine } = await openDouble()
    const told: unknown[] = []
    engine.onEphemeral((note) => void told.push(note))
    const cookie = await signIn('ben')
    await call('PUT', '/api/me/settings', { cookie, body: { theme: 'green' } })
    await call('PUT', '/api/me/settings', { cookie, body: { sound: false } })
    expect(told).toEqual([{ kind: 'settings', person: ID.ben }])
  })

  it('settings that lose against another page five times are left as that page has them', async () => {
    const { call, signIn, store } = await openDouble()
    const cookie = await signIn('ben')
    let puts = 0
    store.people.put = async (_, key) => {
      puts += 1
      return { ok: false, current: { key, value: { theme: 'light' }, version: 7, at: 0 } }
    }
    const { json } = await call('PUT', '/api/me/settings', { cookie, body: { theme: 'dark' } })
    expect([puts, json]).toEqual([5, {}])
  })

  it('passwords of the configuration win at each start', async () => {
    const { call, gateway } = await openDouble()
    await gateway.applyPasswords([{ id: ID.ben, password: 'from the environment', hash: null }])
    expect((await call('POST', '/api/bind_human_agent', bind('ben'))).status).toBe(401)
    expect((await call('POST', '/api/bind_human_agent', bind('ben', 'from the environment'))).status).toBe(200)
  })

  it('passwords of the configuration are written only where they differ', async () => {
    const { gateway, store } = await openDouble()
    const hashOf = () => store.accounts.passwordHash(ID.ben)
    const apply = (password: string | null, hash: string | null) =>
      gateway.applyPasswords([{ id: ID.ben, password, hash }])
    const first = await hashOf()
    await apply(PASSWORD, null)
    expect(await hashOf()).toBe(first)
    await apply(null, null)
    expect(await hashOf()).toBe(first)
    await apply('another one', null)
    const second = await hashOf()
    expect(second).not.toBe(first)
    await apply(null, first)
    expect(await hashOf()).toBe(first)
    await apply(null, second)
    await apply('another one', first)
    expect(await hashOf()).toBe(second)
    // An account without a password.
    await gateway.applyPasswords([{ id: ID.gone, password: 'the first one', hash: null }])
    expect(await store.accounts.passwordHash(ID.gone)).not.toBeNull()
  })
})

describe('the Origin of a request', () => {
  const foreign = ['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://127.0.0.1.evil.example']
  it('a foreign Origin is refused with a valid cookie, whatever the method', async () => {
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ben')
    for (const origin of foreign) {
      for (const [method, path] of [
        ['GET', '/api/me'],
        ['POST', '/api/sessions/end'],
        ['GET', '/api/states?type=task'],
      ] as const) {
        const { status, json } = await call(method, path, { cookie, headers: { origin } })
        expect([origin, status, json.error]).toEqual([origin, 403, 'FOREIGN_ORIGIN'])
      }
    }
    expect((await call('GET', '/api/me', { cookie })).status).toBe(200)
  })

  it('our own Origin is the requested host, or PUBLIC_URL', async () => {
    const { call, url } = await openDouble({ publicUrl: 'https://convene.example/' })
    for (const origin of [url, 'https://convene.example']) {
      expect((await call('POST', '/api/bind_human_agent', { ...bind('ben'), headers: { origin } })).status).toBe(200)
    }
  })
})
