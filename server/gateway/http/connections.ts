/** The HTTP server, its limits on connections, and the connections that were upgraded to sockets. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Fault } from '@/lib/faults'
import { type Clients, openSlots } from '../../net'
import { refuseUpgrade } from '../../shared/http'
import { readerLanguage } from './readerLanguage'
import { refusalAnswerOf } from './refusals'

export type ConnectionLimits = {
  /** Until the headers of a request are complete, ms. */
  headersMs: number
  /** Until the whole request has arrived, ms: 25 MiB at 100 KB/s. */
  requestMs: number
  /** Without progress of an incomplete body, or of an answer that the client does not read, ms. */
  idleMs: number
  /** How often `headersMs` and `requestMs` are checked, ms. */
  checkMs: number
  /** Open connections, sockets included. More are closed at once. */
  most: number
  /** Of them, those of one client address without a session or key; more are closed, behind a proxy answered 429. */
  mostOfStranger: number
}
export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 20_000,
  requestMs: 300_000,
  idleMs: 30_000,
  checkMs: 5_000,
  most: 10_000,
  // Many people may share one address (NAT); signed-in pages do not count.
  mostOfStranger: 256,
}

/** out: true: the upgrade has a handler, which answers it; false: it is answered 404 */
export type TakeUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean

/** Connections of one address beyond its limit that may still ask whether the server is well; a further one ends the oldest. */
const PROBES_OF_ADDRESS = 4
/** They have this long to ask, ms. */
const PROBE_MS = 2_000

/** A supervisor asks whether the server is alive or ready. */
export const isProbe = ({ method, url }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && /^\/api\/(health|ready)(\?|$)/.test(url ?? '')

/** Retry-After for a client with too many connections, s. */
const PAUSE_S = 5

/** A server that does not listen yet and answers refused upgrades only. */
export function openHttpConnections(limits: ConnectionLimits, clients: Clients) {
  const http = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkMs,
  })
  http.maxConnections = limits.most
  const upgraded = new Set<Duplex>()
  let takes: TakeUpgrade | null = null
  const slots = openSlots(limits.mostOfStranger)
  const probes = openProbes()

  http.on('connection', (socket: Socket) => {
    const key = clients.keyOfConnection(socket)
    if (key === null) return
    if (slots.take(key, socket)) socket.once('close', () => slots.free(socket))
    else probes.add(key, socket)
  })

  // First listener: handlers of upgrades add their listeners later and find refused sockets closed.
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
    // Node has removed its own error listener; without one a reset connection would end the process.
    socket.on('error', () => undefined)
    // A proxy's connection is not counted: its client is, for the upgrade.
    if (clients.isFromProxy(request)) {
      if (!slots.take(clients.keyOf(request), socket)) return refuseUpgrade(socket, '429 Too Many Requests', PAUSE_S)
      socket.once('close', () => slots.free(socket))
    }
    if (probes.has(request.socket)) socket.destroy()
    else if (takes === null) refuseUpgrade(socket, '503 Service Unavailable')
    else if (!takes(request, socket, head)) refuseUpgrade(socket, '404 Not Found')
  })
  http.on('request', (request, response) => closeWhenStuck(request, response, limits.idleMs))

  return {
    http,
    /** Set the function that decides about upgrades. Until then they are answered 503. */
    takeUpgrades(take: TakeUpgrade): void {
      takes = take
    },
    /** Call it before a request is answered. out: false: it has been answered 429 */
    admit(request: IncomingMessage, response: ServerResponse): boolean {
      if (probes.has(request.socket)) {
        response.shouldKeepAlive = false
        if (!isProbe(request)) request.socket.destroy()
        return isProbe(request)
      }
      if (!clients.isFromProxy(request) || isProbe(request)) return true
      if (slots.take(clients.keyOf(request), request)) {
        response.once('close', () => slots.free(request))
        return true
      }
      const fault = new Fault('TOO_MANY', { seconds: PAUSE_S })
      const { status, headers, body } = refusalAnswerOf(fault, readerLanguage(request.headers))
      response.writeHead(status, { ...headers, 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
      response.end(JSON.stringify(body))
      return false
    },
    /** Open connections, and requests through proxies, of clients without a session or key. */
    strangers: slots.held,
    /** Close every connection, upgraded ones too, without waiting for the other side. */
    destroyAll(): void {
      http.closeAllConnections()
      for (const socket of upgraded) socket.destroy()
    },
  }
}

/** Connections of addresses that hold as many as they may: each may ask one probe. A flood does not make the server look dead. */
function openProbes() {
  const byKey = new Map<string, Set<Socket>>()
  const all = new WeakSet<object>()
  return {
    add(key: string, socket: Socket): void {
      const own = byKey.get(key) ?? new Set<Socket>()
      byKey.set(key, own.add(socket))
      all.add(socket)
      const timer = setTimeout(() => socket.destroy(), PROBE_MS)
      socket.once('close', () => {
        clearTimeout(timer)
        own.delete(socket)
        if (own.size === 0 && byKey.get(key) === own) byKey.delete(key)
      })
      const [oldest] = own
      if (own.size > PROBES_OF_ADDRESS) oldest?.destroy()
    },
    has: (socket: object): boolean => all.has(socket),
  }
}

export type HttpConnections = ReturnType<typeof openHttpConnections>

/** Closes the connection of a stalled request or unread answer. Time that the server takes does not count. */
function closeWhenStuck(request: IncomingMessage, response: ServerResponse, idleMs: number): void {
  const { socket } = request
  response.on('timeout', () => {
    const stopsSending = !request.complete && request.readableLength === 0
    const stopsReading = socket.writableLength > 0
    if (stopsSending || stopsReading) socket.destroy()
    else socket.setTimeout(idleMs)
  })
  // After the answer Node sets the timeout for the next request on this connection.
  socket.setTimeout(idleMs)
}
