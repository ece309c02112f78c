/** The walk over the views of the socket, and over the endpoints and sockets of the adapters. */
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { io } from 'socket.io-client'
import { request } from 'undici'
import { expect, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { type ParsedView, parseView, type ServerEvent } from '@/lib/wire/views'
import { ID } from '@/server/gateway/test/world'
import {
  type AdapterCall,
  adapterCalls,
  addressOf,
  envelopes,
  MAP_CONNECT,
  mampMessages,
  mapCalls,
  type Speaker,
} from '../../test/adapterCalls'
import { findings, type Headers, inTurn } from './walkRoutes'
import { HIDDEN, THOUGHT, type Walked } from './walkWorld'

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
  tree: (id) => [
    `tree:${id}`,
    `tree:${id}/-/${ID.reader}@1000`,
    `tree:${HIDDEN}/-/${id}@1000`,
    `tree:${HIDDEN}/${id}/${ID.reader}@1000`,
  ],
  timeline: (id) => [`timeline:${id}`, `timeline:${id}/${ID.reader}@1000`, `timeline:${HIDDEN}/${id}@1000`],
} satisfies Record<ParsedView['kind'], (id: string) => string[]>

const EVENTS = [
  'reset',
  'frame',
  'closed',
  'beat',
  'ephemeral',
  'signedOut',
  'crowded',
] as const satisfies ServerEvent[]

/** out: the kinds of views that were answered, and what was found in any frame; null: the socket was refused */
export async function look(walked: Walked, headers: Headers) {
  const views = [...new Set(Object.values(VIEWS).flatMap((viewsOf) => walked.ids.flatMap(viewsOf)))]
  const asked = views.filter((view) => parseView(view) !== null)
  const socket = io(walked.url, {
    path: '/socket.io',
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: headers,
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

/** A peer's agent, to one of ours. */
const speakerOf = (domain: string): Speaker => ({
  from: `agent://${domain}/${domain === 'west.example' ? 'stranger' : 'seller'}`,
  domain: 'ours.example',
  other: `agent://${domain === 'west.example' ? 'south' : 'west'}.example/seller`,
  agent: 'reader',
  newId: randomUUID,
})
const WEST = speakerOf('west.example')
const SOUTH = speakerOf('south.example')

/** Requests in envelopes, each answered, with each id. */
export const allEnvelopes = ({ ids }: Walked): object[] =>
  ids.flatMap((id) => envelopes(WEST, id)).filter(({ message_type }) => message_type === 'request')

/** in: isReading: only calls that begin nothing. out: what was found in any answer, and how often each endpoint answered what */
export async function converse(walked: Walked, headers: Headers, { isSouth = false, isReading = false } = {}) {
  const { found, look } = findings()
  const as = isSouth ? SOUTH : WEST
  const medias = walked.conversations.flatMap((conversation_id) =>
    walked.ids.map((message_id): AdapterCall => {
      const query = { conversation_id, message_id, at: '0' }
      return { method: 'GET', path: '/api/harmony/media', query }
    }),
  )
  const calls = [...walked.ids, ...walked.conversations].flatMap((id) => adapterCalls(as, id)).concat(medias)
  const once = new Map(calls.map((call) => [call.body === undefined ? addressOf(call) : call, call])).values()
  const chosen = [...once].filter(({ method }) => !isReading || method === 'GET')
  const statuses = new Map<string, number>()
  await inTurn(chosen, 4, async (call) => {
    const { method, path, body, headers: own = {} } = call
    const answer = await request(walked.url + addressOf(call), {
      method,
      headers: { 'content-type': 'application/json', ...headers, ...own },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const isStream = String(answer.headers['content-type']).startsWith('text/event-stream')
    const text = isStream ? await firstOf(answer.body) : await answer.body.text()
    // Paths of tasks differ by their id alone.
    const place = `${method} ${path.replace(/(\/tasks\/)[^/:]+/, '$1{id}')} ${answer.statusCode}`
    statuses.set(place, (statuses.get(place) ?? 0) + 1)
    look(`${method} ${path}`, `${addressOf(call)} ${JSON.stringify(body)}`, text)
  })
  return { found, calls: chosen.length, statuses }
}

/** What a stream of answers says at once: the rest comes when our agents answer, and here none does. */
async function firstOf(body: Readable): Promise<string> {
  let text = ''
  for await (const chunk of body.setEncoding('utf8')) {
    text += chunk
    if (text.includes('event: status') || text.startsWith('data: ')) break
  }
  return text
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

/** Messages on the socket of MAMP: one with each id as its conversation. */
export const mampFrames = ({ ids }: Walked): object[] =>
  ids.flatMap((id) => mampMessages(WEST, id).flatMap(({ body }) => (body && 'conversation_id' in body ? [body] : [])))

export const mapFrames = (ids: readonly string[]): object[] =>
  [MAP_CONNECT, ...ids.flatMap(mapCalls)].map((call, at) => ({ jsonrpc: '2.0', id: at + 1, ...call }))
