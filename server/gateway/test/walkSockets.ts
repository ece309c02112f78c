/** The walk over the views of the socket, and over the endpoints and sockets of the adapters. */
import { randomUUID } from 'node:crypto'
import { io } from 'socket.io-client'
import { expect, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { PROTOCOLS, type Protocol } from '@/lib/mas/outsideRecords'
import { METHODS } from '@/lib/protocols/map/trajectory'
import { type ParsedView, parseView, type ServerEvent } from '@/lib/wire/views'
import { findings, type Headers, inTurn } from './walkRoutes'
import { HIDDEN, THOUGHT, type Walked } from './walkWorld'
import { ID } from './world'

/** Every view of each kind. */
export const VIEWS = {
  task: (id) => [`task:${id}`],
  agent: (id) => [`agent:${id}`],
  step: (id) => [`step:${id}`],
  me: () => ['me'],
  overview: () => ['overview'],
  agents: () => ['agents'],
  waits: () => ['waits'],
  direct: () => ['direct'],
  talk: (id) => [`direct:${id}`, `direct:${id}/all`, `direct:${id}@1000`, `direct:${id}/all@1000`],
  tree: (id) => [
    `tree:${id}`,
    `tree:${id}/-/${ID.reader}@1000`,
    `tree:${HIDDEN}/-/${id}@1000`,
    `tree:${HIDDEN}/${id}/${ID.reader}@1000`,
  ],
} satisfies Record<ParsedView['kind'], (id: string) => string[]>

const EVENTS = ['reset', 'frame', 'closed', 'beat', 'ephemeral', 'signedOut'] as const satisfies ServerEvent[]

/** out: the kinds of views that were answered, and what was found in any frame; null: the socket was refused */
export async function look(walked: Walked, headers: Headers) {
  const views = [...new Set(Object.values(VIEWS).flatMap((viewsOf) => walked.ids.flatMap(viewsOf)))]
  const asked = views.filter((view) => parseView(view) !== null)
  const socket = io(walked.url, {
    ...{ path: '/socket.io', transports: ['websocket'], reconnection: false, forceNew: true, extraHeaders: headers },
  })
  onTestFinished(() => void socket.disconnect())
  const isIn = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('connect_error', () => resolve(false))
  })
  if (!isIn) return null
  const { found, look: lookAt } = findings()
  const answered = new Set<string>()
  for (const event of EVENTS) {
    socket.on(event, (frame: { sub?: string }) => {
      const view = asked[Number(frame.sub)] ?? ''
      lookAt(`${event} ${parseView(view)?.kind ?? ''}`, view, JSON.stringify(frame))
      if ((event === 'reset' || event === 'closed') && frame.sub !== undefined) answered.add(frame.sub)
    })
  }
  // A page may have 100 subscriptions: each is ended again.
  for (let at = 0; at < asked.length; at += 50) {
    const some = asked.slice(at, at + 50).map((view, n) => ({ sub: `${at + n}`, asked: 1, view }))
    for (const one of some) socket.emit('subscribe', one)
    await expect.poll(() => some.every(({ sub }) => answered.has(sub)), { timeout: 5_000, interval: 2 }).toBe(true)
    for (const { sub } of some) socket.emit('unsubscribe', { sub })
  }
  // The text of a step, and a subscription that stays: a page with the right to it gets it at once.
  socket.emit('follow', { steps: [THOUGHT] })
  socket.emit('subscribe', { sub: 'last', asked: 1, view: 'me' })
  await expect.poll(() => answered.has('last'), { timeout: 5_000, interval: 2 }).toBe(true)
  walked.streamed()
  socket.emit('subscribe', { sub: 'after', asked: 1, view: 'me' })
  await expect.poll(() => answered.has('after'), { timeout: 5_000, interval: 2 }).toBe(true)
  socket.disconnect()
  return { found, views: asked.length, kinds: new Set(asked.map((view) => parseView(view)?.kind)) }
}
// What a peer may say

const from = 'agent://west.example/stranger'
export const asks = (payload: object, more: object = {}) => ({
  ...{ protocol_version: '1.0', message_id: randomUUID(), timestamp: '2026-11-21T10:00:00Z', message_type: 'request' },
  ...{ sender_id: from, receiver_id: 'reader', payload, ...more },
})
type Said = { method: 'GET' | 'POST'; path: string; body?: unknown }
const said = (path: string, body: unknown): Said => ({ method: 'POST', path, body })

const mampSays = (more: object, metadata: object = {}) => ({
  ...{ protocol: 'mamp/1.0', message_id: randomUUID(), from, to: 'agent://ours.example/reader', content: 'a walk' },
  ...{ metadata: { timestamp: '2026-03-04T10:00:00Z', ...metadata }, ...more },
})

/** What a peer may say with an id over MAMP. */
const mampMessages = (id: string): object[] => [
  mampSays({ conversation_id: id }),
  mampSays({ to: `agent://ours.example/${encodeURIComponent(id)}` }),
  mampSays({ message_id: id }),
  mampSays({}, { in_reply_to: id }),
  mampSays({ from: 'agent://south.example/seller', conversation_id: id }),
]

/** Every endpoint of each adapter over HTTP, with an id wherever one is accepted. */
const ENDPOINTS: Record<Protocol, (id: string) => Said[]> = {
  mamp: (id) => [
    { method: 'GET', path: '/mamp/v1/card' },
    ...mampMessages(id).map((message) => said('/mamp/v1/messages', message)),
  ],
  a2a: (id) => {
    const at = (body: object) => said('/a2a/v1/messages', body)
    const answer = { message_type: 'response', metadata: { correlation_id: id } }
    return [
      { method: 'GET', path: `/a2a/v1/agents?capability=${encodeURIComponent(id)}` },
      { method: 'GET', path: '/a2a/v1/agents' },
      said('/a2a/v1/agents', { agent_id: id }),
      at(asks({ action: 'get_status', parameters: {} }, { receiver_id: id })),
      at(asks({ action: 'ask', parameters: { question: 'a walk', conversation_id: id } })),
      at(asks({ action: 'start_task', parameters: { goal: 'a walk', conversation_id: id } })),
      at(asks({ status: 'success', result: { text: 'a walk' } }, answer)),
      at(asks({ code: 'x', message: 'a walk' }, { ...answer, message_type: 'error' })),
      at(
        asks({ event_name: 'message', event_data: { text: 'a walk', conversation_id: id } }, { message_type: 'event' }),
      ),
    ]
  },
  harmony: (id) => {
    const name = encodeURIComponent(id)
    const packet = {
      protocol: 'harmony_handoff_v1',
      meta: { source_agent: from, target_agent: id, timestamp: '2026-03-04T10:00:00Z' },
      context: {
        ...{ primary_objective: 'a walk', status: 'open', completed_steps: [], next_immediate_step: 'walk' },
        ...{ constraints: [], artifacts: {} },
      },
    }
    return [
      { method: 'GET', path: `/api/harmony/export?conversation_id=${name}` },
      { method: 'GET', path: `/api/harmony/export?task_id=${name}` },
      { method: 'GET', path: `/api/harmony/media?conversation_id=${name}&message_id=${name}&at=0` },
      { method: 'GET', path: `/api/harmony/media?task_id=${HIDDEN}&message_id=${name}&at=0` },
      { method: 'GET', path: `/api/harmony/media?task_id=${name}&part=${name}%230` },
      { method: 'GET', path: `/api/harmony/media?task_id=${HIDDEN}&part=${name}%230` },
      said('/api/harmony/import', { messages: [{ role: 'user', content: `a walk ${id}` }] }),
      said('/api/harmony/handoff', packet),
    ]
  },
  map: (id) => [
    { method: 'GET', path: '/map' },
    { method: 'GET', path: `/map/content?checkpoint=${encodeURIComponent(id)}&artifact=metadata` },
  ],
}

export async function converse(walked: Walked, headers: Headers) {
  const { found, look } = findings()
  const calls = PROTOCOLS.flatMap((protocol) => walked.ids.flatMap((id) => ENDPOINTS[protocol](id)))
  const once = [...new Map(calls.map((call) => [call.body === undefined ? call.path : call, call])).values()]
  const statuses = new Map<string, number>()
  await inTurn(once, 4, async ({ method, path, body }) => {
    const answer = await fetch(walked.url + path, {
      ...{ method, headers: { 'content-type': 'application/json', ...headers } },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const place = `${method} ${path.replace(/\?.*/, '')} ${answer.status}`
    statuses.set(place, (statuses.get(place) ?? 0) + 1)
    look(`${method} ${path.replace(/\?.*/, '')}`, `${path} ${JSON.stringify(body)}`, text)
  })
  return { found, calls: once.length, statuses }
}

/** Frames over the sockets of the adapters. out: what was found in any of them; null: the socket was refused */
export async function listen(
  walked: Walked,
  path: string,
  headers: Headers,
  frames: readonly object[],
  answersTo: number,
) {
  const socket = new WebSocket(walked.url.replace('http', 'ws') + path, { headers })
  onTestFinished(() => socket.terminate())
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true)).once('error', () => resolve(false))
  })
  if (!isOpen) return null
  const came: string[] = []
  socket.on('message', (data) => came.push(String(data)))
  // Fewer at a time than the limit of a socket.
  for (let at = 0; at < frames.length; at += 20) {
    for (const frame of frames.slice(at, at + 20)) socket.send(JSON.stringify(frame))
    const due = Math.min(answersTo, at + 20)
    await expect.poll(() => came.length, { timeout: 5_000, interval: 2 }).toBeGreaterThanOrEqual(due)
  }
  socket.close()
  const { found, look } = findings()
  for (const text of came) look(path, text, text)
  return found
}

/** The kinds of messages are walked over HTTP. */
export const mampFrames = (ids: readonly string[]): object[] => ids.map((id) => mampSays({ conversation_id: id }))

export const mapFrames = (ids: readonly string[]): object[] => {
  const calls: [string, object][] = [
    ['map/connect', { protocolVersion: 1, participantType: 'agent', participantId: 'stranger', name: 'a walk' }],
    ['map/agents/list', {}],
    ['map/subscribe', { filter: {} }],
    ...METHODS.flatMap((method) =>
      ids.map((id): [string, object] => [
        method,
        {
          checkpointId: id,
          filter: { agentId: id, sessionId: id },
          checkpoint: { id, agentId: 'stranger', label: 'a walk', sessionId: id },
        },
      ]),
    ),
    ['trajectory/list', {}],
    ...ids.map((id): [string, object] => ['map/agents/get', { agentId: id }]),
  ]
  return calls.map(([method, params], at) => ({ jsonrpc: '2.0', id: at + 1, method, params }))
}
