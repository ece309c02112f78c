/** Cookies of sessions, their renewal and end. */
import { describe, expect, it } from 'vitest'
import { openDouble } from '../test/gatewayDouble'
import { ID } from '../test/world'
import { COOKIE, cookieIn, cookieText, SESSION_MS, sessionTokenOf } from './sessions'

const TOKEN = 'a'.repeat(43)

describe('a cookie', () => {
  it('a cookie is found by its whole name among others, with spaces around it', () => {
    for (const header of [`${COOKIE}=${TOKEN}`, `a=b; ${COOKIE}=${TOKEN}; c=d`, ` ${COOKIE} = ${TOKEN} `]) {
      expect(sessionTokenOf(header)).toBe(TOKEN)
    }
    for (const header of [undefined, '', COOKIE, `x${COOKIE}=${TOKEN}`, `${COOKIE}x=${TOKEN}`, `a=${COOKIE}=${TOKEN}`])
      expect([header, sessionTokenOf(header)]).toEqual([header, null])
  })

  it('a pair without a value does not hide the cookie after it', () => {
    expect(sessionTokenOf(`lonely; ${COOKIE}=${TOKEN}`)).toBe(TOKEN)
    expect(sessionTokenOf(`=${TOKEN}; ${COOKIE}=${TOKEN}`)).toBe(TOKEN)
  })

  it('a token has 20 to 100 of the characters of a token, anything else is none', () => {
    for (const good of ['x'.repeat(20), 'x'.repeat(100), `${'x'.repeat(20)}_-`])
      expect(cookieIn(`n=${good}`, 'n')).toBe(good)
    for (const bad of ['x'.repeat(19), 'x'.repeat(101), `${'x'.repeat(20)}.`])
      expect(cookieIn(`n=${bad}`, 'n')).toBeNull()
  })

  it('a cookie is Secure exactly when PUBLIC_URL is https', () => {
    const secure = (publicUrl: string | null) => cookieText('n', TOKEN, 1_999, publicUrl).endsWith('; Secure')
    expect([secure('https://a.example'), secure('http://a.example'), secure(null)]).toEqual([true, false, false])
    expect(cookieText('n', TOKEN, 1_999, null)).toContain('Max-Age=1;')
  })
})

describe('a session', () => {
  const headersOf = (cookie: string) => ({ cookie: cookie.split(';')[0] })

  it('a session is renewed when less than half of its time is left, and not before', async () => {
    const { gateway, clock } = await openDouble()
    const { sessions } = gateway
    const cookie = await sessions.begin(ID.ben, 'browser')
    const caller = await sessions.callerOf(headersOf(cookie))
    if (caller === null) throw new Error('Ben is not signed in')
    clock.now += SESSION_MS / 2 - 1
    expect(await sessions.renew(caller)).toBeNull()
    clock.now += 1
    expect(await sessions.renew(caller)).toContain(`${COOKIE}=`)
  })

  it('ending a renewed session ends the one before it too, and is announced once', async () => {
    const { gateway, clock, store } = await openDouble()
    const { sessions } = gateway
    const old = await sessions.begin(ID.ben, 'browser')
    const before = await sessions.callerOf(headersOf(old))
    if (before === null) throw new Error('Ben is not signed in')
    clock.now += SESSION_MS / 2
    const renewed = await sessions.renew(before)
    const now = await sessions.callerOf(headersOf(renewed ?? ''))
    if (now === null) throw new Error('the new session is none')
    expect(now.session.agent).toBe('browser')
    const said: unknown[] = []
    sessions.onEnded((ended) => said.push(ended))
    expect(await sessions.end(now)).toContain('Max-Age=0')
    expect(said).toEqual([{ person: ID.ben, session: now.session.id, reason: 'ended' }])
    expect(await sessions.callerOf(headersOf(old))).toBeNull()
    expect(await store.accounts.sessionsOf(ID.ben)).toEqual([])
  })

  it('all sessions of a person end but the one that is kept; those of other people stay', async () => {
    const { gateway } = await openDouble()
    const { sessions } = gateway
    const [here, there, anas] = [
      await sessions.begin(ID.ben, 'here'),
      await sessions.begin(ID.ben, 'there'),
      await sessions.begin(ID.ana, 'ana'),
    ]
    const mine = await sessions.callerOf(headersOf(here))
    const said: unknown[] = []
    const stop = sessions.onEnded(({ person, session }) => said.push([person, session === null]))
    expect(await sessions.endAll(ID.ben, mine?.session.id)).toBe(1)
    expect(said).toEqual([[ID.ben, false]])
    expect(await sessions.callerOf(headersOf(there))).toBeNull()
    expect(await sessions.endAll(ID.ben)).toBe(1)
    expect(said).toEqual([
      [ID.ben, false],
      [ID.ben, true],
    ])
    expect(await sessions.callerOf(headersOf(here))).toBeNull()
    expect((await sessions.callerOf(headersOf(anas)))?.person.id).toBe(ID.ana)
    stop()
    await sessions.endAll(ID.ana)
    expect(said).toHaveLength(2)
  })

  it('an agent that is no person has no session, and a change to another access ends none', async () => {
    const { gateway, engine } = await openDouble()
    const { sessions } = gateway
    expect(await sessions.callerOf(headersOf(await sessions.begin(ID.reader, undefined)))).toBeNull()
    expect(await sessions.callerOf(headersOf(await sessions.begin('nobody' as typeof ID.ben, undefined)))).toBeNull()
    const bens = await sessions.begin(ID.ben, undefined)
    const said: unknown[] = []
    sessions.onEnded((ended) => said.push(ended))
    await engine.put([{ type: 'human.accessChanged', v: 1, agent: ID.ben, access: 'developer' }])
    await engine.put([{ type: 'human.accessChanged', v: 1, agent: ID.ana, access: 'none' }])
    await expect.poll(() => said).toEqual([{ person: ID.ana, session: null, reason: 'access' }])
    expect((await sessions.callerOf(headersOf(bens)))?.person.access).toBe('developer')
  })
})
