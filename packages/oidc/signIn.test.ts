/** Sign-in by a true provider (oidc-provider on loopback) and by one that forges. */
import { describe, expect, it } from 'vitest'
import { peopleAnswer } from '@/lib/wire/http'
import { openDouble, PASSWORD } from '@/server/gateway/test/gatewayDouble'
import { ID } from '@/server/gateway/test/world'
import { companyParts, openCompanyDouble, personCalled, personIn, problem, signIn, start } from './test/companyDouble'
import { openForgingProvider } from './test/forgingProvider'
import { openTestBrowser } from './test/testBrowser'
import { CLIENT_ID, openTestProvider } from './test/testProvider'

const MINUTE_MS = 60_000

describe('[R880] a sign-in by a provider', () => {
  it('goes there with a challenge, a state and a nonce, makes a person of the team, and comes back to the page', async () => {
    const double = await openCompanyDouble({ groups: { team: 'reviewers', admins: 'admins' } })
    const { browser, provider, engine } = double
    const { url, way } = await browser.visit(start(double, '?back=/task/base%3Ftab%3Dchat'))
    expect(url).toBe(`${double.url}/task/base?tab=chat`)
    const asked = new URL(way[1] ?? '')
    expect([asked.origin, asked.pathname]).toEqual([provider.issuer, '/auth'])
    const { code_challenge_method, response_type, response_mode, scope, ...sent } = Object.fromEntries(
      asked.searchParams,
    )
    expect({ code_challenge_method, response_type, response_mode, scope }).toEqual({
      code_challenge_method: 'S256',
      response_type: 'code',
      response_mode: 'query',
      scope: 'openid profile email offline_access',
    })
    expect([sent.state, sent.nonce, sent.code_challenge].every((one) => (one ?? '').length >= 43)).toBe(true)
    const person = personCalled(double, 'kim.park')
    expect(person).toMatchObject({ kind: 'human', name: 'Kim Park', access: 'participant', groups: ['reviewers'] })
    expect(engine.world().tasks[ID.base]?.group ?? []).toContain(person?.id)
    expect(await personIn(double, browser)).toMatchObject({ id: 'kim.park', name: 'Kim Park' })
    expect(engine.world().setup.human['kim.park']?.changes[0]?.by).toBe(person?.id)
  })

  it('finds the same person again, in another browser too, and writes nothing where nothing has changed', async () => {
    const double = await openCompanyDouble()
    await signIn(double)
    const before = double.engine.world().seq
    const other = openTestBrowser()
    await signIn(double, other)
    expect((await personIn(double, other))?.agent_id).toBe(personCalled(double, 'kim.park')?.id)
    expect(double.engine.world().seq).toBe(before)
  })

  it('gives two people of one user name two ids, and takes the id of nobody who is or was in the team', async () => {
    const double = await openCompanyDouble()
    const { provider, browser } = double
    for (const [subject, name] of [
      ['one', 'Ben'],
      ['two', 'Ben'],
      ['three', ''],
    ] as const) {
      provider.people.set(subject, { preferred_username: name, groups: ['team'] })
      provider.next.subject = subject
      browser.forget(provider.issuer)
      await signIn(double)
    }
    expect(personCalled(double, 'ben')?.id).toBe(ID.ben)
    expect(['ben-2', 'ben-3', 'three'].map((id) => personCalled(double, id)?.access)).toEqual([
      'participant',
      'participant',
      'participant',
    ])
  })
})

describe('[R881] the answer of a provider', () => {
  it('is taken once, in the browser that began it, within 10 minutes', async () => {
    const double = await openCompanyDouble()
    const { browser, clock } = double
    const answered = async () => (await browser.visit(start(double), start(double, '/answer'))).url
    const stale = problem(double, 'SIGN_IN_STALE')

    const stolen = await answered()
    expect((await openTestBrowser().visit(stolen)).url).toBe(stale)
    const thief = openTestBrowser()
    await thief.visit(start(double), start(double, '/answer'))
    expect((await thief.visit(stolen)).url).toBe(stale)
    expect((await browser.visit(stolen)).url).toBe(`${double.url}/`)
    expect((await browser.visit(stolen)).url).toBe(stale)

    const late = await answered()
    clock.now += 10 * MINUTE_MS
    expect((await browser.visit(late)).url).toBe(stale)
    expect((await browser.visit(start(double, '/answer?code=x&state=unknown'))).url).toBe(stale)
  })

  it('signs in once where it arrives twice at the same time', async () => {
    const double = await openCompanyDouble()
    const answer = (await double.browser.visit(start(double), start(double, '/answer'))).url
    const both = await Promise.all([double.browser.visit(answer), double.browser.visit(answer)])
    expect(both.map(({ url }) => url).sort()).toEqual([`${double.url}/`, problem(double, 'SIGN_IN_STALE')])
  })

  it('is taken by any node: nothing of it is in the memory of the one that began it', async () => {
    const double = await openCompanyDouble()
    const { browser, engine, store, provider } = double
    const answer = new URL((await browser.visit(start(double), start(double, '/answer'))).url)
    const company = companyParts({ providers: { acme: { issuer: provider.issuer } } })
    const other = await openDouble({ company, engine, store, passwords: false })
    const { status, headers } = await fetch(other.url + answer.pathname + answer.search, {
      redirect: 'manual',
      headers: { cookie: browser.cookiesOf(double.url) },
    })
    expect([status, headers.get('location')]).toEqual([303, '/'])
    expect(personCalled(double, 'kim.park')).toBeDefined()
  })
})

describe('[R882] an answer that is not the one that was asked for', () => {
  const refusedBy = async (forged: Parameters<typeof openForgingProvider>[1], outside?: () => number) => {
    const forging = await openForgingProvider(CLIENT_ID, forged)
    const company = companyParts({ providers: { forge: { issuer: forging.issuer } }, outside })
    const double = await openDouble({ company })
    const browser = openTestBrowser()
    const { url } = await browser.visit(start(double, '', 'forge'))
    const person = await personIn(double, browser)
    return person === null ? new URL(url).searchParams.get('problem') : person.name
  }

  it('signs in with what a provider should say', async () => {
    expect(await refusedBy({})).toBe('Forged')
  })

  it('is refused: for another client, of another issuer, with another nonce or none, without a subject', async () => {
    for (const claims of [
      { aud: 'another' },
      { aud: ['another', CLIENT_ID], azp: 'another' },
      { iss: 'https://another.example' },
      { nonce: 'another' },
      { nonce: undefined },
      { sub: undefined },
    ])
      expect([claims, await refusedBy({ claims })]).toEqual([claims, 'SIGN_IN_UNFIT'])
  })

  it('is refused with a signature of a key that the provider does not name', async () => {
    expect(await refusedBy({ isForeignKey: true })).toBe('SIGN_IN_UNFIT')
  })

  it('is refused when it has expired, and a clock may differ by less than a minute', async () => {
    expect(await refusedBy({}, () => Date.now() + 100_000)).toBe('Forged')
    expect(await refusedBy({}, () => Date.now() + 10 * MINUTE_MS)).toBe('SIGN_IN_UNFIT')
    expect(await refusedBy({}, () => Date.now() - 10 * MINUTE_MS)).toBe('Forged')
    const exp = Math.floor(Date.now() / 1_000) - 600
    expect(await refusedBy({ claims: { exp, iat: exp - 60 } })).toBe('SIGN_IN_UNFIT')
  })

  it('is refused from another provider than the one that was asked (mix-up)', async () => {
    const double = await openCompanyDouble()
    const other = await openTestProvider(double, 'acme')
    const { browser } = double
    const answer = new URL((await browser.visit(start(double), start(double, '/answer'))).url)
    expect(answer.searchParams.get('iss')).toBe(double.provider.issuer)
    answer.searchParams.set('iss', other.issuer)
    expect((await browser.visit(answer.href)).url).toBe(problem(double, 'SIGN_IN_UNFIT'))

    const without = new URL((await browser.visit(start(double), start(double, '/answer'))).url)
    without.searchParams.delete('iss')
    expect((await browser.visit(without.href)).url).toBe(problem(double, 'SIGN_IN_UNFIT'))
    expect(await personIn(double, browser)).toBeNull()
  })

  it('is refused at the address of another configured provider', async () => {
    const second = await openForgingProvider(CLIENT_ID)
    const double = await openCompanyDouble({}, { more: { forge: { issuer: second.issuer } } })
    const answer = new URL((await double.browser.visit(start(double), start(double, '/answer'))).url)
    const crossed = `${start(double, '/answer', 'forge')}${answer.search}`
    expect((await double.browser.visit(crossed)).url).toBe(problem(double, 'SIGN_IN_STALE', 'forge'))
  })

  it('says that the person refused at the provider', async () => {
    const double = await openCompanyDouble()
    double.provider.next.subject = null
    expect((await double.browser.visit(start(double))).url).toBe(problem(double, 'PROVIDER_REFUSED'))
  })
})

describe('[R883] after the sign-in', () => {
  it('the browser goes to a path of the console, and to no other site', async () => {
    const double = await openCompanyDouble()
    for (const [back, to] of [
      ['/inbox?task=a#b', '/inbox?task=a#b'],
      ['https://evil.example/', '/'],
      ['//evil.example/', '/'],
      ['/\\evil.example', '/'],
      ['/\t/evil.example', '/'],
      ['/a/../..//evil.example', '/'],
      ['/.//evil.example', '/'],
      ['javascript:alert(1)', '/'],
      ['/login', '/'],
      ['/api/people', '/'],
    ] as const) {
      const { way } = await double.browser.visit(start(double, `?back=${encodeURIComponent(back)}`))
      expect([back, way.at(-1)]).toEqual([back, double.url + to])
    }
  })
})

describe('[R884] access and groups', () => {
  it('follow the groups of the provider, the highest first, and leave other groups alone', async () => {
    const double = await openCompanyDouble({ groups: { team: 'reviewers', night: 'watch' } })
    const { provider } = double
    const set = (groups: unknown) => provider.people.set('sub-kim', { preferred_username: 'kim', groups })
    const kim = () => {
      const person = personCalled(double, 'kim')
      return [person?.access, person?.groups]
    }
    set(['team'])
    await signIn(double)
    expect(kim()).toEqual(['participant', ['reviewers']])
    set(['admins', 'night', 'team'])
    await signIn(double)
    expect(kim()).toEqual(['operator', ['reviewers', 'watch']])
    set('team')
    await signIn(double)
    expect(kim()).toEqual(['participant', ['reviewers']])
  })

  it('of somebody in no group that may enter are none: they are told so, and lose what they had', async () => {
    const double = await openCompanyDouble()
    const { provider, browser, store } = double
    const before = await signIn(double)
    const kim = personCalled(double, 'kim.park')?.id ?? ''
    provider.people.set('sub-kim', { groups: ['elsewhere'] })
    const other = openTestBrowser()
    expect((await other.visit(start(double))).url).toBe(problem(double, 'NOT_ADMITTED'))
    expect((await double.call('GET', '/api/me', { cookie: before })).status).toBe(401)
    expect(await store.accounts.sessionsOf(kim)).toEqual([])

    provider.people.set('stranger', { preferred_username: 'stranger', groups: { team: true } })
    provider.next.subject = 'stranger'
    browser.forget(provider.issuer)
    expect((await browser.visit(start(double))).url).toBe(problem(double, 'NOT_ADMITTED'))
    expect(personCalled(double, 'stranger')).toBeUndefined()
  })

  it('of everyone may be configured, and groups in a claim of another name', async () => {
    const double = await openCompanyDouble({
      groupsClaim: 'realm.roles',
      everyone: 'participant',
      access: { root: 'developer' },
    })
    double.provider.people.set('sub-kim', { preferred_username: 'kim', groups: { no: 1 } })
    await signIn(double)
    expect(personCalled(double, 'kim')?.access).toBe('participant')
  })

  it('the last operator stays one, and signs in', async () => {
    const double = await openCompanyDouble({}, { personOfAddress: () => ID.ana })
    const { provider, engine } = double
    await double.browser.visit(start(double))
    expect(personCalled(double, 'kim.park')?.access).toBe('participant')
    expect(engine.world().agents[ID.ana]?.access).toBe('operator')
    const joined = await openCompanyDouble({ joinByEmail: true }, { personOfAddress: () => ID.ana })
    await signIn(joined)
    expect(joined.engine.world().agents[ID.ana]?.access).toBe('operator')
    expect(provider.issuer).not.toBe(joined.provider.issuer)
  })

  it('somebody whom an operator removed does not come back by signing in', async () => {
    const double = await openCompanyDouble()
    await signIn(double)
    const person = personCalled(double, 'kim.park')
    const seen = double.engine.world().setup.human['kim.park']?.changes.at(-1)?.seq ?? 0
    const command = { type: 'leaveTeam', id: 'kim.park', seen, handTo: null, reason: 'Left.' } as const
    expect((await double.engine.commit({ id: 'leave', by: ID.ana, command })).ok).toBe(true)
    expect((await double.browser.visit(start(double))).url).toBe(problem(double, 'NOT_ADMITTED'))
    expect(person && double.engine.world().agents[person.id]?.removed).toBe(true)
    expect(await personIn(double, double.browser)).toBeNull()
  })
})

describe('[R885] a person of the configuration', () => {
  const byAddress = (address: string) => (address === 'kim@acme.example' ? ID.ben : null)
  const claims = { preferred_username: 'kim', email: 'Kim@ACME.example', groups: ['team'] }

  it('is joined by an address that the provider verified, where the configuration says so', async () => {
    const double = await openCompanyDouble({ joinByEmail: true }, { personOfAddress: byAddress })
    double.provider.people.set('sub-kim', { ...claims, email_verified: true })
    await signIn(double)
    expect((await personIn(double, double.browser))?.agent_id).toBe(ID.ben)
    // The subject counts from then on, whatever its address is.
    double.provider.people.set('sub-kim', { groups: ['team'] })
    await signIn(double)
    expect((await personIn(double, double.browser))?.agent_id).toBe(ID.ben)
    // Another subject with the same address is another person.
    double.provider.people.set('thief', { ...claims, preferred_username: 'thief', email_verified: true })
    double.provider.next.subject = 'thief'
    const other = openTestBrowser()
    await signIn(double, other)
    expect((await personIn(double, other))?.id).toBe('thief')
  })

  it('is not joined by one that is not verified, nor where the configuration does not say so', async () => {
    for (const [settings, isVerified] of [
      [{ joinByEmail: true }, false],
      [{ joinByEmail: true }, 'true'],
      [{}, true],
    ] as const) {
      const double = await openCompanyDouble(settings, { personOfAddress: byAddress })
      double.provider.people.set('sub-kim', { ...claims, email_verified: isVerified })
      await signIn(double)
      expect((await personIn(double, double.browser))?.id).toBe('kim')
    }
  })
})

describe('[R888] a provider that is away', () => {
  it('is named, and others and passwords still sign in', async () => {
    const second = await openForgingProvider(CLIENT_ID)
    const double = await openCompanyDouble({}, { more: { forge: { issuer: second.issuer } } })
    const { browser, provider } = double
    await provider.stop()
    expect((await browser.visit(start(double))).url).toBe(problem(double, 'PROVIDER_UNREACHABLE'))
    expect((await browser.visit(start(double, '', 'forge'))).url).toBe(`${double.url}/`)
    expect(await double.signIn('ben')).not.toBe('')
    await provider.start()
    await signIn(double, openTestBrowser())
  })

  it('in the middle of a sign-in is named too', async () => {
    const double = await openCompanyDouble()
    const answer = (await double.browser.visit(start(double), start(double, '/answer'))).url
    await double.provider.stop()
    expect((await double.browser.visit(answer)).url).toBe(problem(double, 'PROVIDER_UNREACHABLE'))
  })

  it('one that is not configured is not found', async () => {
    const double = await openCompanyDouble()
    expect((await double.call('GET', '/api/sign-in/other')).json.error).toBe('NOT_FOUND')
    expect((await double.call('GET', '/api/sign-in/other/answer?state=a')).json.error).toBe('NOT_FOUND')
  })
})

describe('[R889] passwords', () => {
  it('may be off: nobody signs in by one, sets one, or confirms by one; the link of the terminal stays', async () => {
    const double = await openCompanyDouble({}, { passwords: false })
    const { call } = double
    const ways = await call('GET', '/api/sign-in')
    expect(ways.json).toEqual({ passwords: false, providers: [{ id: 'acme', name: 'ACME' }] })
    const body = { human_agent_id: 'ana', password: 'correct horse' }
    expect((await call('POST', '/api/bind_human_agent', { body })).json.error).toBe('PASSWORDS_OFF')
    const cookie = await signIn(double)
    const put = await call('PUT', '/api/me/password', { cookie, body: { current: null, next: 'four words of mine' } })
    expect(put.json.error).toBe('PASSWORDS_OFF')
    const confirm = await call('POST', '/api/sessions/confirm', { cookie, body: { password: 'x' } })
    expect(confirm.json.error).toBe('PASSWORDS_OFF')
    expect((await call('GET', '/api/me', { cookie })).json).toMatchObject({
      hasPassword: false,
      passwords: false,
      provider: { id: 'acme', name: 'ACME' },
    })
    const link = await double.gateway.firstLink()
    expect(link?.name).toBe('Ana')
    const token = new URL(link?.url ?? '').hash.replace('#link=', '')
    expect((await call('POST', '/api/sessions/link', { body: { token } })).status).toBe(200)
  })

  it('of somebody for whom a provider vouches do not count: the provider may disable them', async () => {
    const double = await openCompanyDouble({ joinByEmail: true }, { personOfAddress: () => ID.ben })
    const { call, browser } = double
    const before = await double.signIn('ben')
    await signIn(double)
    expect((await personIn(double, browser))?.agent_id).toBe(ID.ben)
    const body = { human_agent_id: 'ben', password: PASSWORD }
    expect((await call('POST', '/api/bind_human_agent', { body })).json.error).toBe('SIGN_IN_FAILED')
    const next = 'four words of nobody else'
    const put = await call('PUT', '/api/me/password', { cookie: before, body: { current: PASSWORD, next } })
    expect(put.json.error).toBe('PASSWORDS_OFF')
    expect((await call('GET', '/api/me', { cookie: before })).json).toMatchObject({
      hasPassword: false,
      passwords: false,
    })
    expect(await double.signIn('ana')).not.toBe('')
  })

  it('are on unless the configuration says otherwise, and without the package', async () => {
    const { call } = await openDouble()
    expect((await call('GET', '/api/sign-in')).json).toEqual({ passwords: true, providers: [] })
    expect((await call('GET', '/api/sign-in/acme')).status).toBe(404)
  })
})

describe('[R890] who signed in by a provider', () => {
  it('is shown to operators with its name, and to nobody else', async () => {
    const double = await openCompanyDouble()
    const own = await signIn(double)
    const { json } = await double.call('GET', '/api/people', { cookie: await double.signIn('ana') })
    const { people } = peopleAnswer.parse(json)
    expect(people.map(({ id, providers }) => [id, providers])).toContainEqual(['kim.park', ['ACME']])
    expect(people.find(({ id }) => id === 'ana')?.providers).toEqual([])
    expect((await double.call('GET', '/api/people', { cookie: own })).status).toBe(403)
  })

  it('confirms what gives access by signing in there again, and not by a sign-in of before', async () => {
    const double = await openCompanyDouble()
    const { provider, clock, browser } = double
    provider.people.set('sub-kim', { preferred_username: 'kim', groups: ['admins'] })
    const before = await signIn(double)
    clock.now += 6 * MINUTE_MS
    const make = (cookie: string) =>
      double.call('POST', '/api/me/tokens', { cookie, body: { name: 'x', scopes: ['read'], days: 1 } })
    expect((await make(before)).json).toMatchObject({ error: 'CONFIRM_PASSWORD', details: { hasPassword: false } })
    const { way, url } = await browser.visit(start(double, '?again=1&back=/settings'))
    expect(url).toBe(`${double.url}/settings`)
    const asked = new URL(way[1] ?? '').searchParams
    expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '0'])
    expect((await make(browser.cookiesOf(double.url))).status).toBe(200)
    // The session of before ended: this browser shows the new one.
    expect((await double.call('GET', '/api/me', { cookie: before })).status).toBe(401)
  })

  it('a provider that does not ask again is refused then', async () => {
    const auth_time = Math.floor(Date.now() / 1_000) - 3_600
    const forging = await openForgingProvider(CLIENT_ID, { claims: { auth_time } })
    const double = await openDouble({ company: companyParts({ providers: { forge: { issuer: forging.issuer } } }) })
    const browser = openTestBrowser()
    expect((await browser.visit(start(double, '', 'forge'))).url).toBe(`${double.url}/`)
    expect((await browser.visit(start(double, '?again=1', 'forge'))).url).toBe(
      problem(double, 'SIGN_IN_UNFIT', 'forge'),
    )
  })

  it('signs out of the provider too', async () => {
    const double = await openCompanyDouble()
    const cookie = await signIn(double)
    const { json } = await double.call('POST', '/api/sessions/end', { cookie, body: {} })
    const next = new URL(String(json.next))
    expect(next.origin + next.pathname).toBe(`${double.provider.issuer}/session/end`)
    expect(Object.fromEntries(next.searchParams)).toEqual({
      client_id: CLIENT_ID,
      post_logout_redirect_uri: `${double.url}/login`,
    })
    expect((await double.call('GET', '/api/me', { cookie })).status).toBe(401)
    const local = await double.call('POST', '/api/sessions/end', { cookie: await double.signIn('ben'), body: {} })
    expect(local.json).toEqual({ ended: 1 })
  })
})
