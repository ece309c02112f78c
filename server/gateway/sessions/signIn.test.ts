/**
 * Limits of wrong passwords, and who may still sign in meanwhile. Addresses come from a trusted proxy; the clock is the
 * test's.
 */
import { request as requestHttp } from 'node:http'
import { describe, expect, it } from 'vitest'
import { openClients } from '../../net'
import { ACCOUNT_PAUSES, LIMITS, PAIR_PAUSES } from '../../shared/limits'
import { type CallAnswer, type Double, openDouble, PASSWORD } from '../test/gatewayDouble'
import { ID } from '../test/world'
import { KNOWN_MS, MOST_KNOWN } from './knownBrowsers'

const WRONG = 'wrong horse'
const openBehindProxy = (more: Parameters<typeof openDouble>[0] = {}) =>
  openDouble({ clients: openClients(['127.0.0.1']), ...more })

function trier({ call }: Double) {
  return (id: string, password: string, from: string, cookie?: string): Promise<CallAnswer> =>
    call('POST', '/api/bind_human_agent', {
      body: { human_agent_id: id, password },
      headers: { 'x-forwarded-for': from },
      ...(cookie === undefined ? {} : { cookie }),
    })
}
/** An address of its own for each n. */
const address = (n: number): string => `203.0.${Math.floor(n / 250)}.${1 + (n % 250)}`
const knownCookie = (answer: CallAnswer): string =>
  answer.headers
    .getSetCookie()
    .find((text) => text.startsWith('convene_known_'))
    ?.split(';')[0] ?? ''
/** Wrong tries from so many addresses. */
async function guess(trying: ReturnType<typeof trier>, id: string, times: number, first = 0): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < times; n++) statuses.push((await trying(id, WRONG, address(first + n))).status)
  return statuses
}

describe('guesses', () => {
  it('[R66] wrong tries are counted together for one network: IPv6 by its /64', async () => {
    const trying = trier(await openBehindProxy())
    for (let n = 1; n <= PAIR_PAUSES.free; n++)
      expect((await trying('ben', WRONG, `2001:db8:1:2::${n}`)).status).toBe(401)
    expect((await trying('ben', PASSWORD, '2001:db8:1:2:ffff::9')).status).toBe(429)
    expect((await trying('ben', PASSWORD, '2001:db8:1:3::1')).status).toBe(200)
  })

  it('[R66] wrong tries on many accounts are counted by address, and allowed again after the window', async () => {
    const double = await openBehindProxy()
    const trying = trier(double)
    const { most, windowMs } = LIMITS.signIns
    for (let n = 0; n < most; n++) expect((await trying(`nobody-${n}`, WRONG, '203.0.113.9')).status).toBe(401)
    const refused = await trying('ben', PASSWORD, '203.0.113.9')
    expect([refused.status, refused.headers.get('retry-after'), refused.json.error]).toEqual([429, '300', 'TOO_MANY'])
    expect((await trying('ben', PASSWORD, '203.0.113.10')).status).toBe(200)
    double.clock.now += windowMs
    expect((await trying('ben', PASSWORD, '203.0.113.9')).status).toBe(200)
  })

  it('[R66] wrong tries on one account from many addresses pause all unknown browsers, longer each time; other accounts are free', async () => {
    const double = await openBehindProxy()
    const trying = trier(double)
    for (const id of ['ben', 'nobody']) {
      expect(await guess(trying, id, ACCOUNT_PAUSES.free)).toEqual(Array(ACCOUNT_PAUSES.free).fill(401))
      const { status, headers } = await trying(id, PASSWORD, address(900))
      expect([id, status, headers.get('retry-after')]).toEqual([id, 429, '30'])
    }
    expect((await trying('ana', PASSWORD, address(0))).status).toBe(200)
    double.clock.now += 30_000
    expect(await guess(trying, 'ben', 1, 950)).toEqual([401])
    double.clock.now += 59_999
    expect((await trying('ben', PASSWORD, address(901))).status).toBe(429)
    double.clock.now += 1
    expect((await trying('ben', PASSWORD, address(902))).status).toBe(200)
    // The right password resets the count.
    expect(await guess(trying, 'ben', ACCOUNT_PAUSES.free - 1, 300)).not.toContain(429)
  })
})

describe('a browser that signed in before', () => {
  it('[R66] a known browser may sign in while unknown ones are paused, to its own account only', async () => {
    const double = await openBehindProxy()
    const trying = trier(double)
    const known = knownCookie(await trying('ben', PASSWORD, address(1)))
    expect(known).toMatch(/^convene_known_[\da-f]{12}=[\w-]{43}$/)
    for (const id of ['ben', 'dev']) await guess(trying, id, ACCOUNT_PAUSES.free, 100)
    const invented = `${known.split('=')[0]}=${'a'.repeat(43)}`
    expect((await trying('ben', PASSWORD, address(2))).status).toBe(429)
    expect((await trying('ben', PASSWORD, address(2), invented)).status).toBe(429)
    expect((await trying('dev', PASSWORD, address(2), known)).status).toBe(429)
    expect((await trying('ben', PASSWORD, address(2), known)).status).toBe(200)
    // Unknown browsers stay paused.
    expect((await trying('ben', PASSWORD, address(3))).status).toBe(429)
  })

  it('[R66] a known browser is paused by its own wrong tries only', async () => {
    const double = await openBehindProxy()
    const trying = trier(double)
    const known = knownCookie(await trying('ben', PASSWORD, address(1)))
    for (let n = 0; n < PAIR_PAUSES.free; n++) expect((await trying('ben', WRONG, address(1), known)).status).toBe(401)
    expect((await trying('ben', PASSWORD, address(1), known)).status).toBe(429)
    expect((await trying('ben', PASSWORD, address(1))).status).toBe(200)
    double.clock.now += PAIR_PAUSES.firstMs
    expect((await trying('ben', PASSWORD, address(1), known)).status).toBe(200)
  })

  it('[R66] a known browser has one cookie for its accounts; the store has its hash; beyond a limit the oldest is forgotten', async () => {
    const double = await openBehindProxy()
    const trying = trier(double)
    const known = knownCookie(await trying('ben', PASSWORD, address(1)))
    expect(knownCookie(await trying('ana', PASSWORD, address(1), known))).toBe(known)
    const rows = await double.store.people.list(ID.ben, 'browser/')
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(known.split('=')[1])
    for (let n = 0; n < MOST_KNOWN; n++) {
      double.clock.now += 10_000
      await trying('ben', PASSWORD, address(n))
    }
    expect(await double.store.people.list(ID.ben, 'browser/')).toHaveLength(MOST_KNOWN)
    await guess(trying, 'ben', ACCOUNT_PAUSES.free, 100)
    expect((await trying('ben', PASSWORD, address(2), known)).status).toBe(429)
  })

  it('[R66] a known browser is forgotten after its time, and when an operator resets the account or signs it out', async () => {
    const double = await openBehindProxy()
    const trying = trier(double)
    const mayPass = async (cookie: string): Promise<boolean> => {
      await guess(trying, 'ben', ACCOUNT_PAUSES.free, 100)
      return (await trying('ben', PASSWORD, address(2), cookie)).status === 200
    }
    const known = knownCookie(await trying('ben', PASSWORD, address(1)))
    expect(await mayPass(known)).toBe(true)
    double.clock.now += KNOWN_MS - 1
    expect(await mayPass(known)).toBe(true)
    double.clock.now += KNOWN_MS
    expect(await mayPass(known)).toBe(false)
    for (const act of ['sign-out', 'reset']) {
      double.clock.now += ACCOUNT_PAUSES.forgetMs
      const again = knownCookie(await trying('ben', PASSWORD, address(1)))
      expect(again).not.toBe('')
      const cookie = await double.signIn('ana')
      expect((await double.call('POST', `/api/people/ben/${act}`, { cookie })).status).toBe(200)
      expect(await double.store.people.list(ID.ben, 'browser/')).toEqual([])
      expect(await mayPass(again)).toBe(false)
    }
  })
})

describe('links', () => {
  const linkFor = async (double: Double, host: string, more: Record<string, string> = {}): Promise<string> => {
    const cookie = await double.signIn('ana')
    return new Promise((resolve, reject) => {
      const asks = requestHttp(
        `${double.url}/api/people/ben/link`,
        { method: 'POST', headers: { host, cookie, ...more } },
        (answer) => {
          let text = ''
          answer.on('data', (piece) => {
            text += String(piece)
          })
          answer.on('end', () => resolve(String(JSON.parse(text).url).replace(/\/login.*/, '')))
        },
      )
      asks.on('error', reject).end()
    })
  }

  it('[R67] a link names this server, never a Host that the client chose', async () => {
    const double = await openBehindProxy()
    const port = new URL(double.url).port
    expect(await linkFor(double, `localhost:${port}`)).toBe(`http://localhost:${port}`)
    expect(await linkFor(double, 'convene.localhost')).toBe('http://convene.localhost')
    for (const host of ['evil.example', 'localhost.evil.example'])
      expect([host, await linkFor(double, host)]).toEqual([host, 'undefined'])
    expect(await linkFor(double, 'localhost', { 'x-forwarded-proto': 'https' })).toBe('https://localhost')
    const other = await openDouble()
    expect(await linkFor(other, 'localhost', { 'x-forwarded-proto': 'https' })).toBe('http://localhost')
  })

  it('[R67] a link names PUBLIC_URL where it is set', async () => {
    const double = await openDouble({ publicUrl: 'https://convene.example' })
    expect(await linkFor(double, 'localhost')).toBe('https://convene.example')
  })
})
