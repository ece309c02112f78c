/** The steps that every call of another system goes through, in their order, whatever protocol carries it. */
import { expect, it } from 'vitest'
import { asId, type PeerId } from '@/lib/mas/ids'
import { KEY, openSystem, PEER } from '../test/adapterSystem'
import { signBody } from './signatures'

const NO_RIGHTS = { ...PEER, id: asId<PeerId>('00000000-0000-4000-8000-0000000000aa'), may: [] }
const SIGNING = 'both-know-it'

const CALLS = [
  [
    'mamp',
    '/mamp/v1/messages',
    {
      protocol: 'mamp/1.0',
      message_id: 'm',
      from: 'agent://other.example/planner',
      to: 'agent://ours.example/reader',
      content: 'How many?',
      metadata: { timestamp: '2026-11-21T10:00:00Z' },
    },
    ['unauthorized', 'not_json', 'bad_signature', 'invalid_json', 'agent_not_allowed'],
  ],
  [
    'envelope',
    '/envelope/v1/messages',
    {
      protocol_version: '1.0',
      message_id: 'm',
      timestamp: '2026-11-21T10:00:00Z',
      sender_id: 'planner',
      receiver_id: 'reader',
      message_type: 'request',
      payload: { action: 'get_status', parameters: {} },
    },
    ['unauthenticated', 'invalid_json', 'bad_signature', 'invalid_json', 'forbidden'],
  ],
  [
    'harmony',
    '/api/harmony/import',
    { messages: [{ role: 'user', content: 'How many?' }] },
    ['unauthorized', 'not_json', 'bad_signature', 'bad_request', 'not_allowed'],
  ],
] as const

it.each(CALLS)(
  '[R77] a call of %s is refused for the first thing that is wrong: key, type of the body, signature, form, rights',
  async (protocol, path, said, codes) => {
    const system = await openSystem({
      peers: [NO_RIGHTS],
      secrets: [{ id: NO_RIGHTS.id, key: 'shown', sendKey: null, signingKey: SIGNING }],
    })
    const good = JSON.stringify(said)
    const signature = (body: string) => ({ [`x-${protocol}-signature`]: signBody(SIGNING, body, system.parts.now()) })
    const tries = [
      { key: 'nobody', type: 'text/plain', body: '{', headers: {} },
      { key: 'shown', type: 'text/plain', body: '{', headers: {} },
      { key: 'shown', type: 'application/json', body: '{', headers: {} },
      { key: 'shown', type: 'application/json', body: '{', headers: signature('{') },
      { key: 'shown', type: 'application/json', body: good, headers: signature(good) },
    ]
    const answers: unknown[] = []
    for (const { key, type, body, headers } of tries) {
      const all = { authorization: `Bearer ${key}`, 'content-type': type, ...headers }
      const answer = await fetch(system.url + path, { method: 'POST', headers: all, body })
      const told: { error?: string; payload?: { code?: string } } = await answer.json()
      answers.push([answer.status, told.error ?? told.payload?.code])
    }
    expect(answers).toEqual([401, 415, 401, 400, 403].map((status, at) => [status, codes[at]]))
    const kept = system.exchange().filter(({ direction }) => direction === 'in')
    expect(kept.map(({ verdict }) => verdict)).toEqual(codes.slice(1))
    expect(system.adapters.refused()).toEqual([{ protocol, code: codes[0], count: 1 }])
    expect(system.conversations()).toEqual([])
  },
)

it.each([
  ['/mamp/v1/messages', 'DELETE', 405, 'POST'],
  ['/mamp/v1/card', 'POST', 405, 'GET'],
  ['/envelope/v1/agents', 'PUT', 405, 'GET, POST'],
  ['/api/harmony/export', 'POST', 405, 'GET'],
  ['/mamp/v1/elsewhere', 'GET', 404, null],
  ['/envelope/v1/elsewhere', 'GET', 404, null],
  ['/api/harmony/elsewhere', 'GET', 404, null],
])('%s is not answered by %s: %i says so', async (path, method, status, allow) => {
  const system = await openSystem()
  const answer = await system.call(path, { method, headers: { authorization: `Bearer ${KEY}` } })
  expect([answer.status, answer.headers.get('allow')]).toEqual([status, allow])
})

it('by envelopes a stranger does not even learn which paths there are', async () => {
  const system = await openSystem()
  for (const path of ['/envelope/v1/elsewhere', '/envelope/v1/messages'])
    expect((await system.call(path)).status).toBe(401)
})
