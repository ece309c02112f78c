/** Limits of requests by person, and by address without one. */
import { describe, expect, it } from 'vitest'
import { openClients } from '../../net'
import { type DoubleCallOptions, openDouble } from '../test/gatewayDouble'
import { ID } from '../test/world'

const rule = (most: number) => ({ most, windowMs: 60_000 })
const limits = { commands: rule(3), reads: rule(4), costlyReads: rule(2), strangers: rule(5) }
const settings = { body: { theme: 'dark' } }

type Ask = [name: string, most: number, method: string, path: string, options?: DoubleCallOptions]

describe('a person', () => {
  it.each<Ask>([
    ['commands', limits.commands.most, 'PUT', '/api/me/settings', settings],
    ['reads', limits.reads.most, 'GET', '/api/me'],
    ['costly reads', limits.costlyReads.most, 'GET', '/api/search?q=price'],
  ])(
    '[R66] a person over the limit of %s must wait, in another session too; other people and other kinds of requests need not',
    async (_, most, method, path, options) => {
      const { call, clock, signIn } = await openDouble({ limits })
      const [ana, ben] = [await signIn('ana'), await signIn('ben')]
      const ask = (cookie: string) => call(method, path, { ...options, cookie })
      for (let n = 0; n < most; n++) expect((await ask(ben)).status).toBe(200)
      const { status, headers, json } = await ask(ben)
      expect([status, headers.get('retry-after'), json.error, json.status_code]).toEqual([429, '60', 'TOO_MANY', 429])
      expect((await ask(await signIn('ben'))).status).toBe(429)
      expect((await ask(ana)).status).toBe(200)
      if (method === 'GET')
        expect((await call('PUT', '/api/me/settings', { ...settings, cookie: ben })).status).toBe(200)
      else expect((await call('GET', '/api/me', { cookie: ben })).status).toBe(200)
      clock.now += 60_000
      expect((await ask(ben)).status).toBe(200)
    },
  )
})

it.each([
  '/api/direct/reader/left',
  '/api/files',
  '/api/me/data',
  '/api/files/about?path=a.md',
  '/api/states?type=task',
  '/api/tasks/archived',
  `/api/tasks/${ID.prices}/steps`,
  `/api/tasks/${ID.prices}/export?as=markdown`,
])('[R66] %s counts as a costly read', async (path) => {
  const { signIn, url } = await openDouble({ limits: { ...limits, costlyReads: rule(1) } })
  const headers = { cookie: await signIn('ben') }
  const status = async (at: string) => (await fetch(url + at, { headers })).status
  expect(await status(path)).not.toBe(429)
  expect([await status('/api/search?q=price'), await status('/api/me')]).toEqual([429, 200])
})

describe('an address without a session', () => {
  it('[R66] an address over its limit must wait, with an invented cookie too; other addresses and sessions need not', async () => {
    const { call, clock, signIn } = await openDouble({ limits, clients: openClients(['127.0.0.1']) })
    const ben = await signIn('ben')
    const ask = (from: string, path = '/api/me', cookie?: string) =>
      call('GET', path, { headers: { 'x-forwarded-for': from }, ...(cookie === undefined ? {} : { cookie }) })
    const invented = `${ben.split('=')[0]}=${'x'.repeat(43)}`
    for (let n = 0; n < limits.strangers.most; n++)
      expect((await ask('203.0.113.9', '/api/me', n % 2 === 0 ? undefined : invented)).status).toBe(401)
    const { status, headers } = await ask('203.0.113.9')
    expect([status, headers.get('retry-after')]).toEqual([429, '60'])
    expect((await ask('203.0.113.9', '/api/openapi.json')).status).toBe(429)
    expect((await ask('203.0.113.9', '/api/health')).status).toBe(200)
    expect((await ask('203.0.113.10')).status).toBe(401)
    expect((await ask('203.0.113.9', '/api/me', ben)).status).toBe(200)
    clock.now += 60_000
    expect((await ask('203.0.113.9', '/api/openapi.json')).status).toBe(200)
  })
})
