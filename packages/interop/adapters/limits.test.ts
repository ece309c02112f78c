/** How often other systems may call: per peer by its key, per client where the key is nobody's. */
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { asId, type PeerId } from '@/lib/mas/ids'
import { openClients } from '@/server/net'
import { LIMITS } from '@/server/shared/limits'
import { TEAM } from '@/test/worldHistories'
import { KEY, mampMessage, openSystem, PEER, type System } from '../test/adapterSystem'

const FACES = { may: ['mamp' as const, 'envelope' as const, 'harmony' as const, 'map' as const], actions: ['*'] }
const OTHER = {
  ...PEER,
  ...FACES,
  id: asId<PeerId>('00000000-0000-4000-8000-00000000beef'),
  uri: 'agent://third.example/*',
}
const OTHER_KEY = 'key-of-a-third-system'
const START = Date.UTC(2026, 10, 21, 10)

async function openLimited() {
  const clock = { at: START }
  const secret = (id: PeerId, key: string) => ({ id, key, sendKey: null, signingKey: null })
  const system = await openSystem({
    now: () => clock.at,
    clients: openClients(['127.0.0.1']),
    peers: [{ ...PEER, ...FACES }, OTHER],
    secrets: [secret(PEER.id, KEY), secret(OTHER.id, OTHER_KEY)],
    visitorOf: async ({ headers }) =>
      headers.cookie === undefined
        ? null
        : { person: TEAM[headers.cookie === 'ana' ? 'ana' : 'ben'].id, sightOf: () => null },
  })
  return { system, clock }
}
const from = (address: string, more: Record<string, string> = {}) => ({ 'x-forwarded-for': address, ...more })
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const agents = (system: System, headers: Record<string, string>) => system.call('/envelope/v1/agents', { headers })
const upgradeStatus = (system: System, path: string, headers: Record<string, string>): Promise<string> =>
  new Promise((resolve) => {
    const socket = new WebSocket(system.url.replace('http', 'ws') + path, { headers })
    socket.on('error', (error) => resolve(error.message))
    socket.on('open', () => {
      socket.terminate()
      resolve('open')
    })
  })

it('[R66] a peer calls so often at all adapters together; then it waits, and another peer does not', async () => {
  const { system, clock } = await openLimited()
  for (let n = 0; n < LIMITS.envelopes.most; n++) expect((await agents(system, bearer(KEY))).status).toBe(200)
  const registry = await agents(system, bearer(KEY))
  const mamp = await system.post(mampMessage())
  const harmony = await system.call('/api/harmony/export?conversation_id=x', { headers: bearer(KEY) })
  const envelope = await system.call('/envelope/v1/messages', {
    method: 'POST',
    headers: { ...bearer(KEY), 'content-type': 'application/json' },
    body: JSON.stringify({
      protocol_version: '1.0',
      message_id: 'm-1',
      timestamp: '2026-11-21T10:00:00Z',
      sender_id: 'planner',
      receiver_id: 'reader',
      message_type: 'request',
      payload: { action: 'get_status', parameters: {} },
    }),
  })
  for (const { status, headers } of [registry, mamp, harmony, envelope])
    expect([status, headers.get('retry-after')]).toEqual([429, '60'])
  // Lines would push out all others.
  expect(system.exchange()).toEqual([])
  expect(system.adapters.refused().map(({ protocol, count }) => [protocol, count])).toEqual([
    ['envelope', 2],
    ['mamp', 1],
    ['harmony', 1],
  ])
  expect((await agents(system, bearer(OTHER_KEY))).status).toBe(200)
  clock.at += 60_000
  expect((await agents(system, bearer(KEY))).status).toBe(200)
})

it('[R66] keys that are nobody’s are held off by address at all adapters, sockets too; good keys and others are not', async () => {
  const { system, clock } = await openLimited()
  const guess = from('203.0.113.9', bearer('guess'))
  for (let n = 0; n < LIMITS.refusedKeys.most; n++) expect((await agents(system, guess)).status).toBe(401)
  const refused = [
    await agents(system, guess),
    await system.post(mampMessage(), guess),
    await system.call('/api/harmony/export?conversation_id=x', { headers: guess }),
  ]
  for (const { status, headers } of refused) expect([status, headers.get('retry-after')]).toEqual([429, '60'])
  for (const path of ['/envelope/v1/messages', '/map'])
    expect(await upgradeStatus(system, path, guess)).toContain('429')
  expect((await agents(system, from('203.0.113.9', bearer(KEY)))).status).toBe(200)
  expect((await agents(system, from('203.0.113.10', bearer('guess')))).status).toBe(401)
  expect(await upgradeStatus(system, '/map', from('203.0.113.10', bearer('guess')))).toContain('401')
  clock.at += 60_000
  expect((await agents(system, guess)).status).toBe(401)
})

it('[R66] a person of ours reads so often at an adapter; another person is not held up', async () => {
  const { system } = await openLimited()
  const read = (cookie: string) => system.call('/api/harmony/export?task_id=x', { headers: { cookie } })
  for (let n = 0; n < LIMITS.costlyReads.most; n++) expect((await read('ana')).status).toBe(404)
  expect((await read('ana')).status).toBe(429)
  expect((await read('ben')).status).toBe(404)
})
