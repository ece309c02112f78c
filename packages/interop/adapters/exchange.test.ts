/** What is kept of envelopes: all that came and went of a peer that is known, with its verdict and itself. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { event } from '@/lib/mas/events'
import { TAKEN_KEPT } from '@/lib/mas/outside/reduce'
import { memoryData, memoryStore } from '@/test/memoryStore'
import { batchItem } from '@/test/storeContract/harness'
import { KEY, type LoggedEnvelope, mampMessage, openSystem, PEER, type System } from '../test/adapterSystem'
import { KEPT_EXCHANGE_BYTES } from './exchange'

const ALL_FACES = {
  ...PEER,
  may: ['mamp' as const, 'envelope' as const, 'harmony' as const, 'map' as const],
  actions: ['*'],
}
const bearer = { authorization: `Bearer ${KEY}` }
const JSON_BODY = { ...bearer, 'content-type': 'application/json' }

/** The envelope of a line, as text. */
async function textOf(system: System, line: LoggedEnvelope | undefined): Promise<string | null> {
  const kept = line?.body ? await system.store.bodies.get(line.body) : null
  return kept ? Buffer.from(kept.bytes).toString() : null
}
const lineWith = (system: System, verdict: string): LoggedEnvelope | undefined =>
  system.exchange().find((line) => line.verdict === verdict)

/** Another system that takes everything. */
async function taker(): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = []
  const http = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    bodies.push(body)
    const { message_id } = JSON.parse(body)
    response.end(JSON.stringify({ conversation_id: 'conv-theirs', message_id, status: 'received' }))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void http.close())
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, bodies }
}

it('every MAMP message in and out is kept with its verdict and itself, also one that was refused', async () => {
  const other = await taker()
  const system = await openSystem({ peers: [{ ...PEER, baseUrl: other.url, allowPrivate: true }] })
  const message = mampMessage()
  await system.post(message)
  await system.until(() => lineWith(system, 'delivered') !== undefined)
  const [said] = other.bodies
  await system.post({ ...message, message_id: 'msg-2', from: 'agent://stranger.example/x' })
  await system.post('{"protocol": ')
  expect(system.exchange().map(({ direction, verdict }) => [direction, verdict])).toEqual([
    ['in', 'taken'],
    ['out', 'delivered'],
    ['in', 'agent_not_allowed'],
    ['in', 'invalid_json'],
  ])
  expect(await textOf(system, lineWith(system, 'taken'))).toBe(JSON.stringify(message))
  expect(await textOf(system, lineWith(system, 'delivered'))).toBe(said)
  expect(await textOf(system, lineWith(system, 'agent_not_allowed'))).toContain('stranger.example')
  expect(await textOf(system, lineWith(system, 'invalid_json'))).toBe('{"protocol": ')
})

it('of a long envelope the beginning is kept, and how long it was', async () => {
  const system = await openSystem()
  const data = Buffer.alloc(KEPT_EXCHANGE_BYTES).toString('base64')
  const file = { type: 'file' as const, name: 'big.bin', source: { type: 'base64' as const, data } }
  const message = mampMessage({ content: [file] })
  await system.post(message)
  const line = lineWith(system, 'taken')
  expect(line?.bytes).toBe(JSON.stringify(message).length)
  expect(await textOf(system, line)).toBe(JSON.stringify(message).slice(0, KEPT_EXCHANGE_BYTES))
})

it('what an envelope request was answered is an envelope of ours, and kept like any other', async () => {
  const system = await openSystem({ peers: [ALL_FACES] })
  const ask = async (action: string) => {
    const body = JSON.stringify({
      protocol_version: '1.0',
      message_id: `m-${action}`,
      timestamp: '2026-11-21T10:00:00Z',
      sender_id: 'planner',
      receiver_id: 'reader',
      message_type: 'request',
      payload: { action, parameters: {} },
    })
    return {
      body,
      answer: await (
        await fetch(`${system.url}/envelope/v1/messages`, { method: 'POST', headers: JSON_BODY, body })
      ).text(),
    }
  }
  const [good, bad] = [await ask('get_status'), await ask('dance')]
  await vi.waitFor(() => expect(system.exchange()).toHaveLength(4))
  const outs = system.exchange().filter(({ direction }) => direction === 'out')
  expect(outs.map(({ verdict }) => verdict)).toEqual(['answered', 'unknown_action'])
  expect(await Promise.all(outs.map((line) => textOf(system, line)))).toEqual([good.answer, bad.answer])
  expect(await textOf(system, system.exchange()[0])).toBe(good.body)
})

it('a Harmony list that was taken or refused is kept', async () => {
  const system = await openSystem({ peers: [ALL_FACES] })
  const bring = (messages: unknown) =>
    system.call('/api/harmony/import', { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ messages }) })
  expect((await bring([{ role: 'user', content: 'Which is cheaper?' }])).status).toBe(200)
  expect((await bring([{ role: 'nobody' }])).status).toBe(422)
  expect(await textOf(system, lineWith(system, 'taken'))).toContain('Which is cheaper?')
  expect(await textOf(system, lineWith(system, 'invalid_list'))).toContain('nobody')
})

it('a MAP call that was refused is kept, but never one that may hold a key', async () => {
  const system = await openSystem({ peers: [ALL_FACES] })
  const socket = new WebSocket(`${system.url.replace('http', 'ws')}/map`, { headers: bearer })
  onTestFinished(() => socket.terminate())
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const calls = [
    { jsonrpc: '2.0', id: 1, method: 'trajectory/list' },
    { jsonrpc: '2.0', id: 2, method: 'map/connect', params: { protocolVersion: 9, auth: { credential: 'secret' } } },
  ].map((call) => JSON.stringify(call))
  for (const call of calls) socket.send(call)
  await vi.waitFor(() => expect(system.exchange()).toHaveLength(2))
  const kept = await Promise.all(system.exchange().map((line) => textOf(system, line)))
  expect(new Set(kept)).toEqual(new Set([calls[0], null]))
})

it('a peer that may not use a protocol is refused, and that is kept', async () => {
  const system = await openSystem({ peers: [{ ...PEER, may: ['harmony'] }] })
  expect((await system.post(mampMessage())).status).toBe(403)
  expect(system.exchange().map(({ verdict }) => verdict)).toEqual(['agent_not_allowed'])
})

it('what nobody’s key brings is counted and nowhere kept', async () => {
  const system = await openSystem()
  await system.post(mampMessage(), { authorization: 'Bearer nobody' })
  expect(system.adapters.refused()).toMatchObject([{ code: 'unauthorized', count: 1 }])
  expect(system.exchange()).toEqual([])
})

it('[R601] a refused envelope is in no decision: the journal has nothing of it but that its peer was seen', async () => {
  const data = memoryData()
  const system = await openSystem({ data })
  const [from, commands] = [(await system.store.journal.head()).seq, data.outcomes.size]
  for (const text of ['{"protocol": ', '{"protocol":1', '{']) await system.post(text)
  expect(system.exchange()).toHaveLength(3)
  const types = (await system.store.journal.read(from, 100)).map(({ event }) => event.type)
  expect(types).toEqual(['peer.seen'])
  expect(data.outcomes.size).toBe(commands + 1)
})

it('[R40] M-02 a repeat has no second effect after a thousand other envelopes, and a restart', async () => {
  const data = memoryData()
  const system = await openSystem({ data })
  const first = await system.post(mampMessage())
  await system.engine.stop()
  const { journal } = memoryStore({ data, now: system.parts.now })
  const { epoch, seq } = await journal.take('others')
  const noise = Array.from({ length: TAKEN_KEPT + 1 }, (_, n) => ({
    ...event('envelope.taken', {
      ...{ peer: PEER.id, protocol: 'mamp', theirs: `noise-${n}`, ours: null, callback: null },
      ...{ conversation: null, task: null, outsider: null, message: null },
    }),
  }))
  expect((await journal.append(epoch, seq, [batchItem('noise', noise)])).r).toBe('OK')
  const later = await openSystem({ data, prefix: 'later' })
  expect(later.world().taken[PEER.id]).toHaveLength(TAKEN_KEPT)
  expect((await later.post(mampMessage({ content: 'changed' }))).json).toMatchObject({ error: 'id_taken' })
  expect((await later.post(mampMessage())).json).toEqual(first.json)
  expect(later.heard()).toHaveLength(1)
})
