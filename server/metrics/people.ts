/** Metrics of what comes from outside: HTTP, sign-ins, sockets, other systems. */
import type { Registry } from 'prom-client'
import type { HttpMeter, SocketMeter } from '../gateway/ports'
import { metricsOf } from './metricsOf'

const HTTP_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export type PeopleSources = {
  /** Pages that are connected, and the bytes that wait to be sent to them. */
  sockets(): { open: number; bufferedBytes: number }
  subscriptions(): number
  /** Refused before it was known whose it was, since the start. */
  peerRefusals(): readonly { protocol: string; code: string; count: number }[]
}

/** Adds what is counted of HTTP requests and open pages. sources: null before the gateway is open. */
export function addPeople(registry: Registry, sources: () => PeopleSources | null): HttpMeter & SocketMeter {
  const metrics = metricsOf(registry)
  const requests = metrics.counter(
    'convene_http_requests_total',
    'HTTP requests that ended, by method and status (aborted: the connection closed before the end of the answer).',
    ['method', 'status'],
  )
  const seconds = metrics.histogram(
    'convene_http_request_seconds',
    'Time from a request to the end of its answer.',
    HTTP_BUCKETS,
  )
  const refusals = metrics.counter(
    'convene_http_refusals_total',
    'Requests to /api and /metrics that were refused, by code.',
    ['code'],
  )
  const shortages = metrics.counter(
    'convene_answers_short_total',
    'Answers and accepts that failed because the system refused a file, by code (EMFILE, ENFILE, EIO).',
    ['code'],
  )
  const signIns = metrics.counter(
    'convene_sign_ins_total',
    'Sign-ins by way (password, link, company) and outcome (done, or the code of the refusal).',
    ['way', 'outcome'],
  )
  const messages = metrics.counter(
    'convene_socket_messages_total',
    'Messages sent to pages, by event and kind of view (none: the event belongs to no view).',
    ['event', 'view'],
  )
  const bytes = metrics.counter(
    'convene_socket_sent_bytes_total',
    'Bytes of messages sent to pages, by event and kind of view.',
    ['event', 'view'],
  )
  metrics.gauge('convene_sockets', 'Pages that are connected.', () => sources()?.sockets().open ?? 0)
  metrics.gauge(
    'convene_socket_buffered_bytes',
    'Bytes that wait to be sent to pages.',
    () => sources()?.sockets().bufferedBytes ?? 0,
  )
  metrics.gauge('convene_subscriptions', 'Views that pages look at.', () => sources()?.subscriptions() ?? 0)
  metrics.counted(
    'convene_peer_refusals_total',
    'Envelopes of other systems that were refused before it was known whose they were, by protocol and code.',
    () => (sources()?.peerRefusals() ?? []).map(({ count: value, ...labels }) => ({ value, labels })),
    ['protocol', 'code'],
  )
  return {
    answered(method, status, ms) {
      requests.inc({
        method: METHODS.has(method) ? method : 'other',
        status: status === null ? 'aborted' : String(status),
      })
      seconds.observe(ms / 1_000)
    },
    refused: (code) => refusals.inc({ code }),
    short: (code) => shortages.inc({ code }),
    signedIn: (way, outcome) => signIns.inc({ way, outcome }),
    sent(event, view, size) {
      const labels = { event, view: view ?? 'none' }
      messages.inc(labels)
      bytes.inc(labels, size)
    },
  }
}
