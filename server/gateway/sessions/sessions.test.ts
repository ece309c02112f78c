/** Cookies of sessions, and their end. */
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { openDouble } from '../test/gatewayDouble'
import { ID } from '../test/world'
import { COOKIE, cookieIn, cookieText, sessionTokenOf } from './cookies'

const DAY_MS = 24 * 60 * 60_000
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

  it('[R353] a session ends 14 days after the sign-in, however much it is used, and after 7 days without use', async () => {
    const { gateway, clock } = await openDouble()
    const { sessions } = gateway
    const [used, idle] = [headersOf(await sessions.begin(ID.ben, 'a')), headersOf(await sessions.begin(ID.ben, 'b'))]
    const began = clock.now
    for (const days of [6, 12]) {
      clock.now = began + days * DAY_MS
      expect((await sessions.callerOf(used))?.person.id).toBe(ID.ben)
    }
    expect(await sessions.callerOf(idle)).toBeNull()
    expect((await sessions.list(ID.ben)).map(({ agent }) => agent)).toEqual(['a'])
    clock.now = began + 14 * DAY_MS - 1
    expect(await sessions.callerOf(used)).not.toBeNull()
    clock.now += 1
    expect(await sessions.callerOf(used)).toBeNull()
  })

  it('[R353] a session that nobody used for 7 days is over, and one used a moment before is not', async () => {
    const { gateway, clock } = await openDouble()
    const { sessions } = gateway
    const headers = headersOf(await sessions.begin(ID.ben, 'a'))
    clock.now += 7 * DAY_MS - 1
    expect(await sessions.callerOf(headers)).not.toBeNull()
    clock.now += 7 * DAY_MS
    expect(await sessions.callerOf(headers)).toBeNull()
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
    // Only its cookies are looked at.
    const request = { headers: {} } as IncomingMessage
    expect(await sessions.endAll(ID.ben, { session: mine?.session.id ?? '', request })).toBe(1)
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
