/** Sessions that a provider began: confirmed again, ended with the person's there, and what is kept of them. */
import { describe, expect, it } from 'vitest'
import type { Scope } from '@/lib/wire/scopes'
import { openDouble } from '@/server/gateway/test/gatewayDouble'
import {
  type CompanyDouble,
  companyParts,
  openCompanyDouble,
  personCalled,
  personIn,
  signIn,
  start,
} from './test/companyDouble'
import { openForgingProvider } from './test/forgingProvider'
import { openTestBrowser } from './test/testBrowser'
import { CLIENT_ID } from './test/testProvider'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const check = ({ gateway }: Pick<CompanyDouble, 'gateway'>) => gateway.companyAccess?.checkSessions()
/** As the program does: once a minute. */
async function pass(double: Pick<CompanyDouble, 'gateway' | 'clock'>, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    double.clock.now += MINUTE_MS
    await check(double)
  }
}

describe('[R886] a session that a provider began', () => {
  it('ends within 15 minutes after the person is disabled there, with its page', async () => {
    const double = await openCompanyDouble()
    const { provider, gateway } = double
    const ended: unknown[] = []
    gateway.sessions.onEnded((one) => void ended.push(one.reason))
    await signIn(double)
    await pass(double, 14)
    expect((await personIn(double, double.browser))?.id).toBe('kim.park')
    provider.people.delete('sub-kim')
    await pass(double, 15)
    expect(await personIn(double, double.browser)).toBeNull()
    expect(ended).toEqual(['ended'])
  })

  it('goes on while the provider confirms it, for days, with each new secret', async () => {
    const double = await openCompanyDouble()
    await signIn(double)
    for (let check = 0; check < 5; check++) await pass(double, 11)
    expect((await personIn(double, double.browser))?.id).toBe('kim.park')
  })

  it('loses its access with the groups, and everything of the person with the last of them', async () => {
    const double = await openCompanyDouble()
    const { provider, browser } = double
    provider.people.set('sub-kim', { preferred_username: 'kim', groups: ['admins'] })
    await signIn(double)
    expect((await personIn(double, browser))?.access).toBe('operator')
    provider.people.set('sub-kim', { preferred_username: 'kim', groups: ['team'] })
    await pass(double, 15)
    expect((await personIn(double, browser))?.access).toBe('participant')
    provider.people.set('sub-kim', { preferred_username: 'kim', groups: [] })
    await pass(double, 15)
    expect(await personIn(double, browser)).toBeNull()
  })

  it('goes on for an hour while the provider cannot be reached, and no longer', async () => {
    const double = await openCompanyDouble()
    await signIn(double)
    await double.provider.stop()
    await pass(double, 55)
    expect((await personIn(double, double.browser))?.id).toBe('kim.park')
    await pass(double, 6)
    expect(await personIn(double, double.browser)).toBeNull()
  })

  it('ends after 15 minutes where the provider gave nothing to ask it again with, unless it reports sign-outs', async () => {
    const forging = await openForgingProvider(CLIENT_ID, { hasNoRefresh: true })
    for (const reportsSignOut of [false, true]) {
      const company = companyParts({ providers: { forge: { issuer: forging.issuer, reportsSignOut } } })
      const double = await openDouble({ company })
      const browser = openTestBrowser()
      await browser.visit(start(double, '', 'forge'))
      await pass(double, 13)
      expect((await personIn(double, browser))?.name).toBe('Forged')
      await pass(double, 2)
      expect((await personIn(double, browser))?.name ?? null).toBe(reportsSignOut ? 'Forged' : null)
    }
  })

  it('of a provider that is not configured any more ends', async () => {
    const double = await openCompanyDouble()
    await signIn(double)
    const forging = await openForgingProvider(CLIENT_ID)
    const company = companyParts({ providers: { forge: { issuer: forging.issuer } } })
    const { engine, store } = double
    const later = await openDouble({ company, engine, store, passwords: false, now: () => double.clock.now })
    double.clock.now += 11 * MINUTE_MS
    await check(later)
    expect(await personIn(double, double.browser)).toBeNull()
  })

  it('sessions by a password or a link are not asked about', async () => {
    const double = await openCompanyDouble()
    const cookie = await double.signIn('ben')
    await double.provider.stop()
    await pass(double, 70)
    expect((await double.call('GET', '/api/me', { cookie })).status).toBe(200)
  })

  it('keeps its secret sealed, for that session alone', async () => {
    const seen: string[] = []
    const seal = (id: string, secret: string): string => {
      seen.push(secret)
      return JSON.stringify([id, 'sealed'])
    }
    const double = await openCompanyDouble({}, { seal })
    await signIn(double)
    const person = personCalled(double, 'kim.park')?.id ?? ''
    const rows = JSON.stringify([
      ...(await double.store.people.list(person, '')),
      ...(await double.store.people.list('system:sign-in', '')),
    ])
    expect(seen).toHaveLength(1)
    expect(rows).toContain('sealed')
    for (const secret of seen) expect(rows).not.toContain(secret)
  })
})

describe('[R887] a sign-out that the provider reports', () => {
  it('ends the session that it began, and not those of others or of another way', async () => {
    const double = await openCompanyDouble()
    const { provider, browser } = double
    await signIn(double)
    const person = personCalled(double, 'kim.park')
    const [session] = person ? await double.gateway.sessions.companySessions(person.id) : []
    const other = openTestBrowser()
    await signIn(double, other)
    const ben = await double.signIn('ben')
    await provider.reportSignOut('sub-kim', session?.company.session ?? '')
    expect(await personIn(double, browser)).toBeNull()
    expect((await personIn(double, other))?.id).toBe('kim.park')
    expect((await double.call('GET', '/api/me', { cookie: ben })).status).toBe(200)
  })

  const opened = async () => {
    const forging = await openForgingProvider(CLIENT_ID, { claims: { sid: 'session-1' } })
    const double = await openDouble({ company: companyParts({ providers: { forge: { issuer: forging.issuer } } }) })
    const browser = openTestBrowser()
    await browser.visit(start(double, '', 'forge'))
    const post = async (token: string) => {
      const body = new URLSearchParams({ logout_token: token })
      const answer = await fetch(`${start(double, '/sign-out', 'forge')}`, { method: 'POST', body })
      const json: { ended?: number; error?: string } = await answer.json()
      return json.ended ?? json.error
    }
    return { forging, double, browser, post }
  }

  it('by subject ends all sessions of the person from there, by session that one alone', async () => {
    const { forging, double, browser, post } = await opened()
    expect(await post(await forging.logoutToken({ sub: undefined, sid: 'session-2' }))).toBe(0)
    expect(await post(await forging.logoutToken({ sub: 'another' }))).toBe(0)
    expect((await personIn(double, browser))?.name).toBe('Forged')
    expect(await post(await forging.logoutToken({ sub: undefined, sid: 'session-1' }))).toBe(1)
    expect(await personIn(double, browser)).toBeNull()
    await browser.visit(start(double, '', 'forge'))
    expect(await post(await forging.logoutToken())).toBe(1)
    expect(await personIn(double, browser)).toBeNull()
  })

  it('is refused unless the provider signed it, for this client, lately, and as a sign-out', async () => {
    const { forging, double, browser, post } = await opened()
    const old = Math.floor(Date.now() / 1_000) - 600
    const tokens = [
      forging.logoutToken({}, true),
      forging.logoutToken({ aud: 'another' }),
      forging.logoutToken({ iss: 'https://another.example' }),
      forging.logoutToken({ iat: old, exp: old + 3_600 }),
      forging.logoutToken({ nonce: 'as in an ID token' }),
      forging.logoutToken({ events: {} }),
      forging.logoutToken({ sub: undefined }),
      Promise.resolve('not.a.token'),
    ]
    for (const token of tokens) expect(await post(await token)).toBe('SIGN_IN_UNFIT')
    const empty = await fetch(start(double, '/sign-out', 'forge'), { method: 'POST', body: new URLSearchParams() })
    expect(empty.status).toBe(400)
    expect((await personIn(double, browser))?.name).toBe('Forged')
  })

  it('ends no session that began after it', async () => {
    const { forging, double, browser, post } = await opened()
    const token = await forging.logoutToken()
    expect(await post(token)).toBe(1)
    double.clock.now = Date.now() + 2 * MINUTE_MS
    await browser.visit(start(double, '', 'forge'))
    expect(await post(token)).toBe(0)
    expect((await personIn(double, browser))?.name).toBe('Forged')
  })
})

describe('[R891] a personal access token of somebody who comes by a provider', () => {
  it('acts for 14 days after the provider confirmed them last, and again after a new sign-in', async () => {
    const double = await openCompanyDouble()
    const { clock, call, store } = double
    await signIn(double)
    const person = personCalled(double, 'kim.park')?.id ?? ''
    const scopes: Scope[] = ['read']
    const token = async (of: string) => {
      const secret = await store.accounts.startSession(of, { token: { name: 'x', scopes }, expiresAt: 9e15 })
      return { authorization: `Bearer convene_${secret}` }
    }
    const [kims, bens] = [await token(person), await token(personCalled(double, 'ben')?.id ?? '')]
    const status = async (headers: Record<string, string>) => (await call('GET', '/api/me', { headers })).status
    clock.now += 14 * DAY_MS - 1
    expect([await status(kims), await status(bens)]).toEqual([200, 200])
    clock.now += 1
    expect([await status(kims), await status(bens)]).toEqual([401, 200])
    await signIn(double, openTestBrowser())
    expect(await status(kims)).toBe(200)
  })
})
