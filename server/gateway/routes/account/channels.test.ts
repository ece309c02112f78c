/** A person's own channels over HTTP: the list, browsers, tests, reports of shown alerts. */
import { describe, expect, it } from 'vitest'
import type { NotifyPort } from '../../ports'
import { openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

const NONE = { state: 'none', to: null } as const
const SUBSCRIPTION = {
  endpoint: 'https://push.example/abc',
  keys: { p256dh: 'p', auth: 'a' },
  name: 'Firefox on Linux',
}

function deskDouble(): NotifyPort & { said: string[] } {
  const said: string[] = []
  return {
    ladder: { againMs: 1, untilMs: 2, openMs: 3, openAgainMs: 4 },
    said,
    channelsOf: (person) => {
      said.push(`channels of ${person}`)
      const times = { ownMs: 1, noPageMs: 1, againMs: 1, untilMs: 1, raiseAgainMs: 1 }
      return { pushKey: 'k', browsers: [], email: NONE, webhook: { state: 'ready', to: 'chat.example' }, times }
    },
    subscribe: async (person, { endpoint }) => {
      said.push(`${person} by ${endpoint}`)
      return { id: 'b1' }
    },
    unsubscribe: async (person, id) => void said.push(`${person} without ${id}`),
    test: async (_, channel, browser) => ({ ok: false, words: `${channel} ${browser}: the line is down`, hint: null }),
    settingsChanged: (person) => void said.push(`settings of ${person}`),
  }
}

describe('my channels', () => {
  it('my channels are read, added, tested and removed in my own session', async () => {
    const notify = deskDouble()
    const { call, signIn, clock } = await openDouble({ notify })
    const ana = await signIn('ana')
    expect((await call('GET', '/api/me/channels', { cookie: ana })).json).toMatchObject({ webhook: { state: 'ready' } })
    expect((await call('POST', '/api/me/browsers', { cookie: ana, body: SUBSCRIPTION })).json).toEqual({ id: 'b1' })
    expect((await call('DELETE', '/api/me/browsers/b1', { cookie: ana })).status).toBe(200)
    const test = { cookie: ana, body: { channel: 'push', browser: 'b1' } }
    expect((await call('POST', '/api/me/channels/test', test)).json).toMatchObject({
      ok: false,
      words: 'push b1: the line is down',
    })
    expect((await call('POST', '/api/me/channels/test', test)).status).toBe(429)
    clock.now += 3_000
    expect((await call('POST', '/api/me/channels/test', test)).status).toBe(200)
    await call('PUT', '/api/me/settings', { cookie: ana, body: { sound: false } })
    expect(notify.said).toEqual([
      `channels of ${ID.ana}`,
      `${ID.ana} by ${SUBSCRIPTION.endpoint}`,
      `${ID.ana} without b1`,
      `settings of ${ID.ana}`,
    ])
  })

  it('my channels are refused without a session, and an invalid subscription is refused', async () => {
    const { call, signIn } = await openDouble({ notify: deskDouble() })
    expect((await call('GET', '/api/me/channels', {})).status).toBe(401)
    const body = { ...SUBSCRIPTION, endpoint: 'not an address' }
    expect((await call('POST', '/api/me/browsers', { cookie: await signIn('ana'), body })).status).toBe(400)
  })

  it('an alert that my page reports is my command; an item that does not alert changes nothing', async () => {
    const { call, signIn, engine, clock } = await openDouble({ notify: deskDouble() })
    const body = {
      id: '00000000-0000-4000-8000-000000000014',
      until: clock.now + 30_000,
      items: ['nothing'],
      channel: 'page',
    }
    expect((await call('POST', '/api/me/told', { cookie: await signIn('ana'), body })).status).toBe(200)
    expect(engine.envelopes.at(-1)).toMatchObject({ by: ID.ana, command: { type: 'noteTold', items: ['nothing'] } })
  })
})

it('where there are no notices outside the page there are no channels', async () => {
  const { call, signIn } = await openDouble()
  const cookie = await signIn('ben')
  const { status, json } = await call('GET', '/api/me/channels', { cookie })
  expect([status, json.error]).toEqual([404, 'NOT_FOUND'])
})
