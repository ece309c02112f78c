/** Hostile messages on the sockets: of a page, of MAP and of envelopes. What is counted was taken by the server. */
import { randomBytes } from 'node:crypto'
import { io } from 'socket.io-client'
import { WebSocket } from 'ws'
import type { ClientEvent } from '@/lib/wire/views'
import { envelopeOf, envelopes, MAP_CONNECT, mapCalls } from '@/packages/interop/test/adapterCalls'
import type { TestServer } from '../../e2e/fixtures/server'
import { hostileId, PEER_KEY, speakerOf } from './hostileHttp'
import { broken, ODD_TEXTS, oddSegment, oddValue, overwritten, type Random } from './hostileValues'
import { pick } from './scenario'

const PAGES = 4
const OF_A_PAGE = 500
/** The server takes 200 messages of a page in 4 s and drops what is above it; the last one is asked again until it is answered. */
const ASK_AGAIN_MS = 250
const ANSWER_WITHIN_MS = 60_000

const NOBODY = '00000000-0000-4000-8000-000000000000'
const EVENTS = ['draft', 'beat', 'frame', '__proto__', 'errors', 'nothing']

/** A view's name that is one, nearly one, or none. ids: of records that are there */
function hostileView(random: Random, ids: readonly string[]): string {
  const id = pick(random, [...ids, NOBODY, pick(random, ODD_TEXTS)])
  const kind = pick(random, ['task', 'agent', 'step', 'direct', 'tree', pick(random, ODD_TEXTS)])
  const rest = ['', '', '', '/all', '@1000', '/all@0', `/-/${id}@7`, `/${id}/${id}@999999999999999`, '@1e9', '//']
  const name = pick(random, ['me', 'overview', 'agents', 'waits', 'direct', '', ...Array(8).fill('')])
  return name === '' ? `${kind}:${id}${pick(random, [...rest, pick(random, ODD_TEXTS)])}` : name
}

/** A message of a page that fits its schema: what is odd in it comes further. */
const MESSAGES: Record<ClientEvent, (random: Random, ids: readonly string[]) => object> = {
  subscribe: (random, ids) => ({
    sub: `s${Math.floor(random() * 30)}`,
    asked: Math.floor(random() * 1_000),
    view: hostileView(random, ids).slice(0, 250),
    ...(random() < 0.3 ? { cursor: pick(random, ODD_TEXTS).slice(0, 200) } : {}),
  }),
  unsubscribe: (random) => ({
    sub: random() < 0.7 ? `s${Math.floor(random() * 30)}` : pick(random, ODD_TEXTS).slice(0, 60),
  }),
  drafting: (random, ids) => ({
    request: pick(random, [`task:${pick(random, ids)}`, `direct:${pick(random, ids)}`, pick(random, ODD_TEXTS)]).slice(
      0,
      60,
    ),
    on: random() < 0.5,
  }),
  follow: (random, ids) => ({
    steps: Array.from({ length: Math.floor(random() * 100) }, () =>
      pick(random, [...ids, pick(random, ODD_TEXTS)]).slice(0, 60),
    ),
  }),
  presence: (random) => ({
    isActive: random() < 0.5,
    quiet: pick(random, [null, { until: null }, { until: pick(random, [0, -1, 1e308, Date.now() + 1_000]) }]),
  }),
}
const CLIENT_EVENTS = Object.keys(MESSAGES) as ClientEvent[]

/** out: name and arguments of one event */
function hostileEvent(random: Random, ids: readonly string[]): [string, ...unknown[]] {
  const dice = random()
  if (dice < 0.1) return [pick(random, EVENTS), oddValue(random), oddValue(random, 1)]
  const event = random() < 0.5 ? 'subscribe' : pick(random, CLIENT_EVENTS)
  const message = MESSAGES[event](random, ids)
  if (dice < 0.15) return [event, oddValue(random), oddValue(random, 1)]
  return [event, dice < 0.4 ? overwritten(random, message) : message]
}

/** Send so many on the socket of the console. faults: a page whose last message is not answered, unless the server closed it */
export async function overPages(
  server: TestServer,
  count: number,
  { random, cookie, ids }: { random: Random; cookie: string; ids: readonly string[] },
): Promise<void> {
  let left = count
  const page = async (): Promise<void> => {
    while (left > 0 && server.exitCode() === null) {
      const batch = Math.min(OF_A_PAGE, left)
      left -= batch
      left +=
        batch -
        (await onePage(
          server.url,
          cookie,
          Array.from({ length: batch }, () => hostileEvent(random, ids)),
        ))
    }
  }
  await Promise.all(Array.from({ length: PAGES }, page))
}

/** out: how many were taken: all when the last was answered, one when the server closed the page */
function onePage(url: string, cookie: string, events: readonly [string, ...unknown[]][]): Promise<number> {
  const socket = io(url, { transports: ['websocket'], extraHeaders: { cookie }, forceNew: true, reconnection: false })
  let asked = 0
  let again: NodeJS.Timeout | null = null
  return new Promise<number>((resolve, reject) => {
    const limit = setTimeout(() => {
      socket.off('disconnect')
      end(() =>
        reject(
          new Error(`a page had no answer within ${ANSWER_WITHIN_MS} ms: ${JSON.stringify(events).slice(0, 3_000)}`),
        ),
      )
    }, ANSWER_WITHIN_MS)
    const end = (then: () => void): void => {
      clearTimeout(limit)
      if (again) clearInterval(again)
      socket.close()
      then()
    }
    socket.on('connect_error', () => end(() => resolve(1)))
    socket.on('disconnect', () => end(() => resolve(1)))
    socket.on('reset', ({ sub }: { sub: string }) => {
      if (sub !== 'last') return
      socket.off('disconnect')
      end(() => resolve(events.length))
    })
    socket.on('connect', () => {
      for (const [event, ...rest] of events) socket.emit(event, ...rest)
      // A page holds 100 places at most.
      const last = (): void => {
        asked += 1
        socket.emit('subscribe', { sub: 'last', asked, view: 'me' })
      }
      last()
      again = setInterval(last, ASK_AGAIN_MS)
    })
  })
}

/** What is said on the socket of an adapter, and what asks whether all before it was taken: the answer to it holds `name`. */
type Line = {
  path: string
  first: (random: Random) => string[]
  frame: (random: Random) => object
  ping: (name: string) => object
}

const mapLine: Line = {
  path: '/map',
  first: (random) => [
    JSON.stringify({
      jsonrpc: '2.0',
      id: 'first',
      ...(random() < 0.8 ? MAP_CONNECT : (overwritten(random, MAP_CONNECT) as object)),
    }),
  ],
  frame: (random) => ({
    jsonrpc: '2.0',
    id: Math.floor(random() * 1_000),
    ...pick(random, mapCalls(hostileId(random))),
  }),
  ping: (name) => ({ jsonrpc: '2.0', id: name, method: 'map/agents/list', params: {} }),
}

const envelopeLine = (domain: string): Line => ({
  path: '/envelope/v1/ws',
  first: () => [],
  frame: (random) => pick(random, envelopes(speakerOf(random, domain), hostileId(random))),
  ping: (name) =>
    envelopeOf(
      { from: 'agent://south.example/seller', other: '', domain, agent: 'manager', newId: () => name },
      { action: 'get_status', parameters: {} },
    ),
})

/** Fewer than a socket may leave unanswered. */
const AT_ONCE = 40
const OF_A_LINE = 400

/** Send so many on the sockets of the adapters, half on each. */
export async function overAdapterSockets(
  server: TestServer,
  count: number,
  { random, domain }: { random: Random; domain: string },
): Promise<void> {
  const talk = async (line: Line, own: number): Promise<void> => {
    for (let left = own; left > 0 && server.exitCode() === null; )
      left -= await oneLine(server.url, line, Math.min(OF_A_LINE, left), random)
  }
  const half = Math.floor(count / 2)
  await Promise.all([talk(mapLine, half), talk(envelopeLine(domain), count - half)])
}

/** One frame as it is sent: mostly a valid one with some fields overwritten. */
function frameOf(random: Random, frame: object): string | Buffer {
  const dice = random()
  if (dice < 0.002) return randomBytes(20)
  if (dice < 0.05) return pick(random, ODD_TEXTS)
  return broken(random, JSON.stringify(dice < 0.2 ? frame : overwritten(random, frame)))
}

/** out: how many were taken until the server closed it: those whose ping was answered, and the one after which it closed */
async function oneLine(url: string, line: Line, most: number, random: Random): Promise<number> {
  const key = random() < 0.95 ? PEER_KEY : oddSegment(random)
  const socket = new WebSocket(url.replace('http', 'ws') + line.path, { headers: { authorization: `Bearer ${key}` } })
  let came: (text: string) => void = () => {}
  const isOver = new Promise<false>((resolve) => {
    socket.on('error', () => {})
    socket.on('close', () => resolve(false))
  })
  socket.on('message', (data) => came(String(data)))
  try {
    const isOpen = new Promise<true>((resolve) => socket.once('open', () => resolve(true)))
    if (!(await Promise.race([isOpen, isOver]))) return 1
    for (const text of line.first(random)) socket.send(text)
    for (let taken = 0; taken < most; ) {
      const batch = Math.min(AT_ONCE, most - taken)
      const name = `ping-${randomBytes(8).toString('hex')}`
      const isTaken = new Promise<true>((resolve) => {
        came = (text) => {
          if (text.includes(name)) resolve(true)
        }
      })
      for (let n = 0; n < batch; n++) socket.send(frameOf(random, line.frame(random)))
      socket.send(JSON.stringify(line.ping(name)))
      const isLate = new Promise<never>((_, reject) =>
        setTimeout(
          () => reject(new Error(`${line.path}: no answer within ${ANSWER_WITHIN_MS} ms`)),
          ANSWER_WITHIN_MS,
        ).unref(),
      )
      if (!(await Promise.race([isTaken, isOver, isLate]))) return taken + 1
      taken += batch
    }
    return most
  } finally {
    socket.terminate()
  }
}
