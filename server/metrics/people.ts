/** Metrics of what comes from outside: HTTP, sign-ins, sockets, other systems. */

import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { HttpMeter, SocketMeter } from '../gateway/ports'

const HTTP_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export type PeopleSources = {
  /** Pages that are connected, and the bytes that wait to be sent to them. */
  sockets(): { open: number; bufferedBytes: number }
  subscriptions(): number
  /** Refused before it was known whose it was, since the start. */
  peerRefusals(): readonly { protocol: string; code: string; count: number }[]
}

export type PeopleMeter = HttpMeter & SocketMeter

export function addPeople(registry: Registry, sources: () => PeopleSources | null): PeopleMeter {
  const registers = [registry]
  const requests = new Counter({
    name: 'convene_http_requests_total',
    help: 'HTTP requests that ended, by method and status (aborted: the connection closed before the end of the answer).',
    labelNames: ['method', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'convene_http_request_seconds',
    help: 'Time from a request to the end of its answer.',
    buckets: HTTP_BUCKETS,
    registers,
  })
  const refusals = new Counter({
    name: 'convene_http_refusals_total',
    help: 'Requests to /api and /metrics that were refused, by code.',
    labelNames: ['code'],
    registers,
  })
  const signIns = new Counter({
    name: 'convene_sign_ins_total',
    help: 'Sign-ins by way (password, link) and outcome (done, or the code of the refusal).',
    labelNames: ['way', 'outcome'],
    registers,
  })
  const messages = new Counter({
    name: 'convene_socket_messages_total',
    help: 'Messages sent to pages, by event and kind of view (none: the event belongs to no view).',
    labelNames: ['event', 'view'],
    registers,
  })
  const bytes = new Counter({
    name: 'convene_socket_sent_bytes_total',
    help: 'Bytes of messages sent to pages, by event and kind of view.',
    labelNames: ['event', 'view'],
    registers,
  })
  new Gauge({
    name: 'convene_sockets',
    help: 'Pages that are connected.',
    registers,
    collect() {
      this.set(sources()?.sockets().open ?? 0)
    },
  })
  new Gauge({
    name: 'convene_socket_buffered_bytes',
    help: 'Bytes that wait to be sent to pages.',
    registers,
    collect() {
      this.set(sources()?.sockets().bufferedBytes ?? 0)
    },
  })
  new Gauge({
    name: 'convene_subscriptions',
    help: 'Views that pages look at.',
    registers,
    collect() {
      this.set(sources()?.subscriptions() ?? 0)
    },
  })
  new Counter({
    name: 'convene_peer_refusals_total',
    help: 'Envelopes of other systems that were refused before it was known whose they were, by protocol and code.',
    labelNames: ['protocol', 'code'],
    registers,
    collect() {
      this.reset()
      for (const { protocol, code, count } of sources()?.peerRefusals() ?? []) this.inc({ protocol, code }, count)
    },
  })
  return {
    answered(method, status, ms) {
      requests.inc({
        method: METHODS.has(method) ? method : 'other',
        status: status === null ? 'aborted' : String(status),
      })
      seconds.observe(ms / 1_000)
    },
    refused: (code) => refusals.inc({ code }),
    signedIn: (way, outcome) => signIns.inc({ way, outcome }),
    sent(event, view, size) {
      const labels = { event, view: view ?? 'none' }
      messages.inc(labels)
      bytes.inc(labels, size)
    },
  }
}
