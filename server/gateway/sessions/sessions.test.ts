/** Cookies of sessions, and their end. */
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { openDouble } from '../test/gatewayDouble'
import { ID } from '../test/world'

const DAY_MS = 24 * 60 * 60_000
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
