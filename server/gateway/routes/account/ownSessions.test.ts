/** A person's own sessions: seen, ended one by one, and everything ended at once. */
import { describe, expect, it } from 'vitest'
import { mySessions } from '@/lib/wire/http'
import { openDouble, PASSWORD } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

const signInWith = async (call: Awaited<ReturnType<typeof openDouble>>['call'], agent: string) => {
  const body = { human_agent_id: 'ben', password: PASSWORD }
  return (await call('POST', '/api/bind_human_agent', { body, headers: { 'user-agent': agent } })).cookie ?? ''
}

describe('[R353] my sessions', () => {
  it('show browser, address and times, this one among them, and are mine alone', async () => {
    const { call, clock, signIn } = await openDouble()
    const began = clock.now
    const phone = await signInWith(call, 'Phone')
    clock.now += 90_000
    const desk = await signInWith(call, 'Desk')
    await signIn('ana')
    const { sessions } = mySessions.parse((await call('GET', '/api/me/sessions', { cookie: desk })).json)
    expect(sessions).toMatchObject([
      { browser: 'Desk', address: '127.0.0.1', since: clock.now, isThis: true },
      { browser: 'Phone', address: '127.0.0.1', since: began, lastSeen: began, isThis: false },
    ])
    expect(JSON.stringify(sessions)).not.toContain(phone.split('=')[1])
  })

  it('end one by one: mine at once, one of another person never', async () => {
    const { call, signIn, gateway } = await openDouble()
    const [phone, desk, anas] = [await signInWith(call, 'Phone'), await signInWith(call, 'Desk'), await signIn('ana')]
    const ended: unknown[] = []
    gateway.sessions.onEnded((one) => ended.push(one))
    const { sessions } = mySessions.parse((await call('GET', '/api/me/sessions', { cookie: desk })).json)
    const id = sessions.find(({ browser }) => browser === 'Phone')?.id ?? ''
    expect((await call('DELETE', `/api/me/sessions/${id}`, { cookie: anas })).json.error).toBe('NOT_FOUND')
    expect((await call('DELETE', `/api/me/sessions/${id}`, { cookie: desk })).json).toEqual({ ended: 1 })
    expect(ended).toEqual([{ person: ID.ben, session: id, reason: 'ended' }])
    expect((await call('GET', '/api/me', { cookie: phone })).status).toBe(401)
    expect((await call('GET', '/api/me', { cookie: desk })).status).toBe(200)
    expect((await call('DELETE', `/api/me/sessions/${id}`, { cookie: desk })).status).toBe(404)
  })
})

describe('[R353] whoever is signed out everywhere', () => {
  const linkOf = async ({ store }: Pick<Awaited<ReturnType<typeof openDouble>>, 'store'>) =>
    store.accounts.makeLink(ID.ben)
  const uses = async ({ call }: Pick<Awaited<ReturnType<typeof openDouble>>, 'call'>, token: string) =>
    (await call('POST', '/api/sessions/link', { body: { token } })).status
  const browsersOf = async ({ store }: Pick<Awaited<ReturnType<typeof openDouble>>, 'store'>) =>
    (await store.people.list(ID.ben, 'browser/')).length

  it('by an operator has no session, no link and no known browser left', async () => {
    const double = await openDouble()
    const ana = await double.signIn('ana')
    await double.signIn('ben')
    const token = await linkOf(double)
    await double.call('POST', '/api/people/ben/sign-out', { cookie: ana })
    expect([await uses(double, token), await browsersOf(double)]).toEqual([401, 0])
    expect(await double.store.people.list(ID.ben, 'session/')).toEqual([])
  })

  it('by losing access has none left when they come back', async () => {
    const double = await openDouble()
    const { engine, store } = double
    await double.signIn('ben')
    const token = await linkOf(double)
    await engine.put([{ type: 'human.accessChanged', v: 1, agent: ID.ben, access: 'none' }])
    await expect.poll(() => store.people.list(ID.ben, 'session/')).toEqual([])
    await engine.put([{ type: 'human.accessChanged', v: 1, agent: ID.ben, access: 'participant' }])
    expect([await uses(double, token), await browsersOf(double)]).toEqual([401, 0])
  })

  it.each([
    ['by themselves', 'DELETE', '/api/me/sessions', undefined],
    ['by a new password', 'PUT', '/api/me/password', { current: PASSWORD, next: 'rain lamp copper 7' }],
  ])('%s keeps this session and this browser alone', async (_, method, path, body) => {
    const double = await openDouble()
    const { call } = double
    const there = await double.signIn('ben')
    const answer = await call('POST', '/api/bind_human_agent', { body: { human_agent_id: 'ben', password: PASSWORD } })
    const here = answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    expect(await browsersOf(double)).toBe(2)
    const token = await linkOf(double)
    expect((await call(method, path, { cookie: here, body })).json).toEqual({ ended: 1 })
    expect((await call('GET', '/api/me', { cookie: there })).status).toBe(401)
    expect((await call('GET', '/api/me', { cookie: here })).status).toBe(200)
    expect([await uses(double, token), await browsersOf(double)]).toEqual([401, 1])
  })
})

describe('a link for another person', () => {
  const DAY_MS = 24 * 60 * 60_000
  it('works for 7 days where they have no password, else for 15 minutes, and says that it is of this machine', async () => {
    const { call, signIn, clock, store } = await openDouble()
    const cookie = await signIn('ana')
    const link = async () => (await call('POST', '/api/people/ben/link', { cookie })).json
    expect(await link()).toMatchObject({ expiresAt: clock.now + 15 * 60_000, onlyHere: true })
    await store.accounts.setPassword(ID.ben, null)
    expect(await link()).toMatchObject({ expiresAt: clock.now + 7 * DAY_MS })
    const { url } = (await call('POST', '/api/people/ben/reset', { cookie })).json
    clock.now += 7 * DAY_MS - 1
    const token = String(url).split('#link=')[1]
    expect((await call('POST', '/api/sessions/link', { body: { token } })).status).toBe(200)
  })

  it('leads elsewhere with PUBLIC_URL', async () => {
    const { call, signIn } = await openDouble({ publicUrl: 'https://convene.example' })
    const cookie = await signIn('ana')
    expect((await call('POST', '/api/people/ben/link', { cookie })).json).toMatchObject({ onlyHere: false })
  })
})
