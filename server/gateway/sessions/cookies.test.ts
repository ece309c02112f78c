/** The cookies of an installation: their names, their attributes, and how they are found in a header. */
import { describe, expect, it } from 'vitest'
import { memoryStore } from '@/test/memoryStore'
import { openDouble } from '../test/gatewayDouble'
import { ID } from '../test/world'
import { openCookies } from './cookies'

const TOKEN = 'a'.repeat(43)
const now = () => 0
const bytes = (n: number) => (length: number) => new Uint8Array(length).fill(n)
const cookiesOf = (publicUrl: string | null = null, store = memoryStore({ now })) =>
  openCookies({ store, publicUrl, random: bytes(7) })

describe('a cookie', () => {
  it('a cookie is found by its whole name among others, with spaces around it', async () => {
    const cookies = cookiesOf()
    const name = await cookies.nameOf('session')
    for (const header of [`${name}=${TOKEN}`, `a=b; ${name}=${TOKEN}; c=d`, ` ${name} = ${TOKEN} `])
      expect(await cookies.tokenIn(header, 'session')).toBe(TOKEN)
    for (const header of [undefined, '', name, `x${name}=${TOKEN}`, `${name}x=${TOKEN}`, `a=${name}=${TOKEN}`])
      expect([header, await cookies.tokenIn(header, 'session')]).toEqual([header, null])
  })

  it('a pair without a value does not hide the cookie after it', async () => {
    const cookies = cookiesOf()
    const name = await cookies.nameOf('session')
    expect(await cookies.tokenIn(`lonely; ${name}=${TOKEN}`, 'session')).toBe(TOKEN)
    expect(await cookies.tokenIn(`=${TOKEN}; ${name}=${TOKEN}`, 'session')).toBe(TOKEN)
  })

  it('a token has 20 to 100 of the characters of a token, anything else is none', async () => {
    const cookies = cookiesOf()
    const name = await cookies.nameOf('known')
    for (const good of ['x'.repeat(20), 'x'.repeat(100), `${'x'.repeat(20)}_-`])
      expect(await cookies.tokenIn(`${name}=${good}`, 'known')).toBe(good)
    for (const bad of ['x'.repeat(19), 'x'.repeat(101), `${'x'.repeat(20)}.`])
      expect(await cookies.tokenIn(`${name}=${bad}`, 'known')).toBeNull()
  })

  it('a cookie is Secure and bound to its host exactly when PUBLIC_URL is https', async () => {
    const secure = async (publicUrl: string | null) => {
      const text = await cookiesOf(publicUrl).text('session', TOKEN, 1_999)
      return [text.endsWith('; Secure'), text.startsWith('__Host-')]
    }
    expect(await secure('https://a.example:8443')).toEqual([true, true])
    expect(await secure('http://a.example')).toEqual([false, false])
    expect(await secure(null)).toEqual([false, false])
    expect(await cookiesOf().text('session', TOKEN, 1_999)).toContain('Max-Age=1;')
  })
})

describe('two installations on one host', () => {
  it('[R385] they stay signed in side by side: a browser that sends both the cookies of each has a session at both', async () => {
    const [north, south] = [await openDouble(), await openDouble()]
    const jar = new Map<string, string>()
    for (const { call } of [north, south]) {
      const { headers } = await call('POST', '/api/bind_human_agent', {
        body: { human_agent_id: 'ben', password: 'correct horse' },
        cookie: [...jar.values()].join('; '),
      })
      for (const set of headers.getSetCookie()) jar.set(set.split('=')[0] ?? '', set.split(';')[0] ?? '')
    }
    const cookie = [...jar.values()].join('; ')
    for (const { call } of [north, south]) {
      const { status, json } = await call('GET', '/api/me', { cookie })
      expect([status, json.person]).toEqual([200, expect.objectContaining({ agent_id: ID.ben })])
    }
    expect((await north.call('POST', '/api/sessions/end', { cookie })).status).toBe(200)
    expect((await north.call('GET', '/api/me', { cookie })).status).toBe(401)
    expect((await south.call('GET', '/api/me', { cookie })).status).toBe(200)
  })

  it('[R385] the names of one installation are the same after a restart and at each of its nodes', async () => {
    const store = memoryStore({ now })
    const nodes = [1, 2].map((n) => openCookies({ store, publicUrl: null, random: bytes(n) }))
    const [first, second] = await Promise.all(nodes.map((node) => node.nameOf('session')))
    expect(first).toBe(second)
    expect(await openCookies({ store, publicUrl: null, random: bytes(9) }).nameOf('session')).toBe(first)
    expect(await cookiesOf().nameOf('session')).not.toBe(first)
  })

  it('[R385] a store that cannot be read once is asked again for the names', async () => {
    const { people } = memoryStore({ now })
    let isBroken = true
    const get: typeof people.get = (...key) => (isBroken ? Promise.reject(new Error('broken')) : people.get(...key))
    const cookies = openCookies({ store: { people: { ...people, get } }, publicUrl: null, random: bytes(3) })
    await expect(cookies.nameOf('session')).rejects.toThrow('broken')
    isBroken = false
    expect(await cookies.nameOf('session')).toBe('convene_session_030303030303')
  })
})
