/** Listens from the beginning of a start: probes are answered `starting`, other requests wait for the gateway. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Health, Ready } from '@/lib/wire'
import { type Clients, openClients } from '../../net'
import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  type HttpConnections,
  isProbe,
  openHttpConnections,
} from './connections'
import { listen } from './listen'

/** Upgrades are answered 503 until the gateway handles them. */
export type EarlyServer = HttpConnections & {
  readonly port: number
  /** Set the handler of all requests; waiting ones are passed to it first. */
  handOver(later: (request: IncomingMessage, response: ServerResponse) => void): void
}

/** Requests that may wait for the gateway. More are answered 503. */
export const MOST_EARLY_REQUESTS = 1_000
const EARLY_HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', 'Retry-After': '1' }

/**
 * Listen before anything else is opened.
 *
 * in      what health says during a start, when the journal is not known
 * out     /api/health and /api/ready answer 503 with `starting`; every other request waits for the gateway
 * faults  CannotListenError with what to do
 */
export async function openEarlyServer(
  host: string,
  port: number,
  about: Pick<Health, 'node' | 'version' | 'rehearsal'>,
  limits: ConnectionLimits = CONNECTION_LIMITS,
  clients: Clients = openClients([]),
): Promise<EarlyServer> {
  const waiting = new Map<IncomingMessage, ServerResponse>()
  const starting: Health = { status: 'starting', ...about, journal: '', seq: 0 }
  const notReady: Ready = { ready: false, reasons: ['starting'] }
  const connections = openHttpConnections(limits, clients)
  const { http } = connections
  let answer = (request: IncomingMessage, response: ServerResponse): void => {
    const path = request.url?.split('?')[0] ?? '/'
    // The socket client of a page retries by itself.
    const mayWait = !isProbe(request) && !path.startsWith('/socket.io/') && waiting.size < MOST_EARLY_REQUESTS
    if (mayWait) {
      waiting.set(request, response)
      response.once('close', () => waiting.delete(request))
    } else {
      const body = path === '/api/ready' ? notReady : starting
      response.writeHead(503, EARLY_HEADERS).end(JSON.stringify(body))
    }
  }
  // One listener that stays: Socket.IO wraps the listeners that it finds.
  http.on('request', (request, response) => {
    if (connections.admit(request, response)) answer(request, response)
  })
  return {
    ...connections,
    port: await listen(http, host, port),
    handOver(later) {
      answer = later
      for (const [request, response] of waiting) later(request, response)
      waiting.clear()
    },
  }
}
