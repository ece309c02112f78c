/** The HTTP server with its limits on connections, and the connections that became sockets (upgrades). */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Fault } from '@/lib/faults'
import { chooseLocale } from '@/lib/i18n/locale'
import { type Clients, openClients, openSlots } from '../net'
import { refuseUpgrade } from '../shared/http'
import { refusalAnswerOf } from './refusals'

export type ConnectionLimits = {
  /** Until the headers of a request are complete, ms. */
  headersMs: number
  /** Until the whole request is there, ms: 25 MiB at 100 KB/s. */
  requestMs: number
  /** Without one more byte of a body that is not complete, or of an answer that is not read, ms. */
  idleMs: number
  /** How often `headersMs` and `requestMs` are checked, ms. */
  checkMs: number
  /** Open connections, sockets included. More are closed at once. */
  most: number
  /** Of them, those of one client address (IPv6: /64) that showed no session and no key. More are closed at once, or answered 429 behind a proxy. */
  mostOfStranger: number
}
export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 20_000,
  requestMs: 300_000,
  idleMs: 30_000,
  checkMs: 5_000,
  most: 10_000,
  // One office behind one address: pages that are signed in do not count.
  mostOfStranger: 256,
}

/** out: true when the upgrade has an owner, which answers it; false: it is answered 404. */
export type TakeUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean

export type HttpConnections = {
  readonly http: Server
  /** Asked before a request is answered. out: false: it is answered 429 already */
  admit(request: IncomingMessage, response: ServerResponse): boolean
  /** From now on this function decides about upgrades. Until then they are answered 503. */
  takeUpgrades(take: TakeUpgrade): void
  /** Open connections that were upgraded. */
  upgraded(): number
  /** Open connections, and requests through proxies, of those who showed no session and no key. */
  strangers(): number
  /** Close every connection, upgraded ones too, without waiting for the other side. */
  destroyAll(): void
}

/** Until a client of too many connections tries again, s. */
const PAUSE_S = 5

/** A server that does not listen yet and answers nothing but refused upgrades. */
export function openHttpConnections(
  limits: ConnectionLimits = CONNECTION_LIMITS,
  clients: Clients = openClients([]),
): HttpConnections {
  const http = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkMs,
  })
  http.maxConnections = limits.most
  const upgraded = new Set<Duplex>()
  let takes: TakeUpgrade | null = null
  const slots = openSlots(limits.mostOfStranger)

  http.on('connection', (socket: Socket) => {
    const key = clients.keyOfConnection(socket)
    if (key === null) return
    if (slots.take(key, socket)) socket.once('close', () => slots.free(socket))
    else socket.destroy()
  })

  // First listener: those who own an upgrade add their own listeners later and find refused sockets closed.
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
    // Node took its own listener off; without one a reset connection would end the process.
    socket.on('error', () => undefined)
    // A proxy's connection took no slot: its client takes one for the upgrade.
    if (clients.isFromProxy(request)) {
      if (!slots.take(clients.keyOf(request), socket)) return refuseUpgrade(socket, '429 Too Many Requests', PAUSE_S)
      socket.once('close', () => slots.free(socket))
    }
    if (takes === null) refuseUpgrade(socket, '503 Service Unavailable')
    else if (!takes(request, socket, head)) refuseUpgrade(socket, '404 Not Found')
  })
  http.on('request', (request, response) => closeWhenStuck(request, response, limits.idleMs))

  return {
    http,
    takeUpgrades(take) {
      takes = take
    },
    admit(request, response) {
      if (!clients.isFromProxy(request)) return true
      if (slots.take(clients.keyOf(request), request)) {
        response.once('close', () => slots.free(request))
        return true
      }
      const locale = chooseLocale(request.headers.cookie ?? '', [])
      const fault = new Fault('TOO_MANY', { seconds: PAUSE_S })
      const { status, headers, body } = refusalAnswerOf(fault, locale === 'zh' ? 'zh' : 'en')
      response.writeHead(status, { ...headers, 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
      response.end(JSON.stringify(body))
      return false
    },
    upgraded: () => upgraded.size,
    strangers: slots.held,
    destroyAll() {
      http.closeAllConnections()
      for (const socket of upgraded) socket.destroy()
    },
  }
}

/**
 * Close the connection of a request that does not move: its body stops coming, or its answer is not read. An answer that is
 * still being made may take its time, and bytes that wait here to be read are not the sender's fault.
 */
function closeWhenStuck(request: IncomingMessage, response: ServerResponse, idleMs: number): void {
  const { socket } = request
  response.on('timeout', () => {
    const stopsSending = !request.complete && request.readableLength === 0
    const stopsReading = socket.writableLength > 0
    if (stopsSending || stopsReading) socket.destroy()
    else socket.setTimeout(idleMs)
  })
  // After the answer Node sets the time for the next request on this connection.
  socket.setTimeout(idleMs)
}
