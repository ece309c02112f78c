/** Signatures of peers: fixed vectors, the window on both sides, and each protocol that demands them. */
import { expect, it } from 'vitest'
import { asId, type PeerId } from '@/lib/mas/ids'
import type { PeerConfig } from '@/lib/mas/outside/records'
import { handClock } from '@/test/handClock'
import { mampMessage, openSystem, PEER, type System } from '../test/adapterSystem'
import { SIGNATURE_WINDOW_MS, signatureProblem, signBody } from './signatures'

const T = 1_700_000_000_000
const MINUTE = 60_000
const BODY = '{"a":"日本"}'
const KEY = 'both know this'
// printf '%s.%s' 1700000000000 '{"a":"日本"}' | openssl dgst -sha256 -hmac 'both know this', and the body alone
const SIGNED = 't=1700000000000,sha256=abedafb55b5697cb9e0d35994152ff4896227a12c616de771523757c7bf41dd0'
const BODY_ALONE = 'sha256=086fb56e9ce48652f00d9d880a7d8be0b3ddfa072711300fdedb0ebb3ba49fda'
const EMPTY = 't=1700000000000,sha256=dc1fc9366f6b5a96fdc823cadfd4294a8ac2eca5f4829aac8fe757d15b957212'

it('[R77] a signature is what openssl makes of the time, a dot and the body', () => {
  expect(signBody(KEY, BODY, T)).toBe(SIGNED)
  expect(signBody(KEY, new Uint8Array(), T)).toBe(EMPTY)
  expect(signatureProblem(KEY, Buffer.from(BODY), SIGNED, T)).toBeNull()
  expect(signatureProblem(KEY, BODY, SIGNED.replace(',', ', ').toUpperCase().replace('T=', 't='), T)).toBeNull()
})

it.each([
  ['none', undefined],
  ['an empty one', ''],
  ['one of the body alone', BODY_ALONE],
  ['another time than was signed', SIGNED.replace('t=1700000000000', 't=1700000000001')],
  ['a digit that was changed', SIGNED.replace(/0$/, '1')],
  ['a digit too few', SIGNED.slice(0, -1)],
  ['a digit too many', `${SIGNED}0`],
  ['no time', SIGNED.replace('1700000000000', '')],
  ['a negative time', SIGNED.replace('t=', 't=-')],
  ['two at once', `${SIGNED},${SIGNED}`],
])('[R77] %s is not accepted', (_, signature) => {
  expect(signatureProblem(KEY, BODY, signature, T)).not.toBeNull()
})

it('[R77] the body counts to its last byte, and so does the key', () => {
  expect(signatureProblem(KEY, `${BODY} `, SIGNED, T)).not.toBeNull()
  expect(signatureProblem('both know that', BODY, SIGNED, T)).not.toBeNull()
})

it('[R77] five minutes before and after its time it is good, a millisecond more and it is not', () => {
  expect(SIGNATURE_WINDOW_MS).toBe(5 * MINUTE)
  for (const side of [-1, 1]) {
    expect(signatureProblem(KEY, BODY, SIGNED, T + side * 5 * MINUTE)).toBeNull()
    expect(signatureProblem(KEY, BODY, SIGNED, T + side * (5 * MINUTE + 1))).toMatch(/five minutes/)
  }
})

// The three protocols

const SIGNER: PeerConfig = {
  ...PEER,
  id: asId<PeerId>('00000000-0000-4000-8000-00000000beef'),
  uri: 'agent://signs.example/*',
  may: ['mamp', 'envelope', 'harmony'],
  actions: ['*'],
}
const PLAIN: PeerConfig = { ...SIGNER, id: PEER.id, uri: 'agent://other.example/*' }
const FROM = 'agent://signs.example/a'

const packet = (step: string) => ({
  protocol: 'harmony_handoff_v1',
  meta: { source_agent: FROM, target_agent: 'reader', timestamp: '2026-03-04T10:00:00Z' },
  context: {
    primary_objective: 'Count the list.',
    status: 'open',
    completed_steps: [],
    next_immediate_step: step,
    constraints: [],
    artifacts: {},
  },
})
const envelope = (question: string) => ({
  protocol_version: '1.0',
  message_id: 'm-1',
  timestamp: '2026-11-21T10:00:00Z',
  message_type: 'request',
  sender_id: FROM,
  receiver_id: 'reader',
  payload: { action: 'ask', parameters: { question } },
})

/** The same id with whatever it says, as each protocol has it. */
const CALLS = [
  ['x-mamp-signature', '/mamp/v1/messages', (text: string) => mampMessage({ from: FROM, content: text }), {}],
  ['x-envelope-signature', '/envelope/v1/messages', envelope, {}],
  ['x-harmony-signature', '/api/harmony/handoff', packet, { 'idempotency-key': 'one' }],
  [
    'x-harmony-signature',
    '/api/harmony/import',
    (text: string) => ({ messages: [{ role: 'user', content: text }] }),
    { 'idempotency-key': 'one' },
  ],
] as const

async function open() {
  const clock = handClock(T)
  const system = await openSystem({
    now: clock.now,
    peers: [SIGNER, PLAIN],
    secrets: [
      { id: SIGNER.id, key: 'shown', sendKey: null, signingKey: KEY },
      { id: PLAIN.id, key: 'plain', sendKey: null, signingKey: null },
    ],
  })
  return { system, clock }
}

async function send(system: System, path: string, body: string, headers: Record<string, string>, key = 'shown') {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` }, body }
  const answer = await fetch(system.url + path, { ...init, headers: { ...init.headers, ...headers } })
  const said: { error?: string; payload?: { code?: string; result?: unknown }; conversation_id?: string } =
    await answer.json()
  return { status: answer.status, code: said.error ?? said.payload?.code, said: said.payload?.result ?? said }
}

it.each(CALLS)(
  '[R77] %s at %s is demanded of a peer that has a signing key, and good for five minutes',
  async (header, path, say, more) => {
    const { system, clock } = await open()
    const body = JSON.stringify(say('How many?'))
    const signed = { ...more, [header]: signBody(KEY, body, T) }
    const refused = [401, 'bad_signature']
    const before = system.messages().length
    const tried = async (headers: Record<string, string>, text = body) => {
      const { status, code } = await send(system, path, text, headers)
      return [status, code]
    }
    expect(await tried(more)).toEqual(refused)
    expect(await tried(signed, body.replace('How many', 'Delete all'))).toEqual(refused)
    expect(await tried({ ...more, [header]: signBody(KEY, body, T - 5 * MINUTE - 1) })).toEqual(refused)
    expect(await tried({ ...more, [header]: signBody(KEY, body, T + 5 * MINUTE + 1) })).toEqual(refused)
    expect(system.messages()).toHaveLength(before)
    expect(await tried({ ...more, [header]: signBody(KEY, body, T + 5 * MINUTE) })).toEqual([200, undefined])
    clock.pass(5 * MINUTE)
    expect(await tried(signed)).toEqual([200, undefined])
    clock.pass(1)
    expect(await tried(signed)).toEqual(refused)
  },
)

it.each(CALLS)(
  '[R40] %s at %s: the same id with the same content gets the first answer again, with other content 409',
  async (header, path, say, more) => {
    const { system } = await open()
    const post = (text: string) => {
      const body = JSON.stringify(say(text))
      return send(system, path, body, { ...more, [header]: signBody(KEY, body, T) })
    }
    const first = await post('How many?')
    expect(first.status).toBe(200)
    const messages = system.messages().length
    expect(await post('How many?')).toEqual(first)
    expect(await post('Delete all.')).toMatchObject({ status: 409, code: 'id_taken' })
    expect(await post('How many?')).toEqual(first)
    expect(system.messages().filter(({ text }) => text.includes('Delete all'))).toEqual([])
    expect(system.heard().length).toBeLessThanOrEqual(messages)
  },
)

it('[R77] reading is signed too, over an empty body; a peer without a signing key signs nothing and may not pretend to', async () => {
  const { system } = await open()
  const body = JSON.stringify(packet('count'))
  const { said } = await send(system, '/api/harmony/handoff', body, { 'x-harmony-signature': signBody(KEY, body, T) })
  const { conversation_id: conversation } = said as { conversation_id: string }
  const read = async (path: string, headers: Record<string, string>, key = 'shown') =>
    (await fetch(system.url + path, { headers: { authorization: `Bearer ${key}`, ...headers } })).status
  const harmony = `/api/harmony/export?conversation_id=${conversation}`
  expect(await read(harmony, {})).toBe(401)
  expect(await read(harmony, { 'x-harmony-signature': EMPTY })).toBe(200)
  expect(await read('/envelope/v1/agents', {})).toBe(401)
  expect(await read('/envelope/v1/agents', { 'x-envelope-signature': EMPTY })).toBe(200)
  expect(await read('/envelope/v1/agents', {}, 'plain')).toBe(200)
  expect(await read('/envelope/v1/agents', { 'x-envelope-signature': EMPTY }, 'plain')).toBe(401)
})
