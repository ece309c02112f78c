/** The adapter of the A2A envelope: over HTTP and a web socket, and the registry of agents. */
import type { ServerResponse } from 'node:http'
import type { PeerId } from '@/lib/mas/ids'
import type { AnswerEnvelope, WireEnvelope } from '@/lib/protocols/envelope/envelope'
import { recentMap } from '../../shared/recentMap'
import type { Adapter, AdapterContext } from '../adapter'
import { openConnections } from '../connections'
import { sendJson } from '../http'
import type { Refusal } from '../refusal'
import { answerRoutes, type HttpCall, retryHeaders } from '../routes'
import { SIGNATURE_HEADER } from '../signatures'
import { openPeerSockets } from '../socket'
import { A2A, a2aRefusal } from './codec'
import { type EnvelopeContext, MOST_STATUSES } from './handle'
import { openPresence } from './presence'
import { receiveEnvelope, refusalEnvelope } from './receive'
import { openRegistry } from './registry'
import { openRelay } from './relay'
import { MAX_ENVELOPE_BYTES, MESSAGES_PATH, sendEnvelope } from './send'
import { serveEnvelopeSocket } from './socket'

const AGENTS_PATH = '/a2a/v1/agents'
const SOCKET_PATH = '/a2a/v1/ws'

export function openEnvelopeAdapter(shared: AdapterContext): Adapter {
  const context: EnvelopeContext = { ...shared, statuses: recentMap(MOST_STATUSES) }
  const { keys } = context
  const connections = openConnections<WireEnvelope>('a2a', context)
  const relay = openRelay(context, connections)
  const presence = openPresence(context)
  const sockets = openPeerSockets(context, {
    protocol: 'a2a',
    path: SOCKET_PATH,
    maxBytes: MAX_ENVELOPE_BYTES,
    hold: (socket) => serveEnvelopeSocket({ context, connections, relay, presence }, socket),
  })
  const answerAgents = openRegistry(context)

  /** Responses are signed as requests are. */
  function say(
    response: ServerResponse,
    status: number,
    envelope: AnswerEnvelope,
    peer: PeerId | null,
    retryAfterS: number | null = null,
  ): void {
    const signature = peer === null ? null : keys.sign(peer, JSON.stringify(envelope))
    sendJson(response, status, envelope, {
      ...(signature === null ? {} : { [SIGNATURE_HEADER.a2a]: signature }),
      ...retryHeaders(retryAfterS),
    })
  }

  const write = (response: ServerResponse, refused: Refusal, peer: PeerId | null): void =>
    say(response, refused.status ?? 500, refusalEnvelope(context, refused), peer, refused.retryAfterS)

  async function answerMessage({ response, caller, bytes, signature }: HttpCall): Promise<null> {
    if (caller?.kind !== 'peer') throw a2aRefusal('unauthenticated', 'A key is needed.')
    const { peer } = caller
    const { answer, refused, envelope } = await receiveEnvelope(context, { peer, bytes, signature })
    if (envelope !== null && refused === null) relay({ peer, on: null, envelope, text: bytes.toString() })
    const status = refused?.status ?? 200
    if (answer !== null) say(response, status, answer, peer, refused?.retryAfterS)
    else sendJson(response, refused === null ? 202 : status, {})
    return null
  }

  return {
    protocol: 'a2a',
    paths: ['/a2a/v1/'],
    ...answerRoutes(context, {
      ...A2A,
      isKeyFirst: true,
      write,
      routes: [
        { path: MESSAGES_PATH, method: 'POST', limit: MAX_ENVELOPE_BYTES, answer: answerMessage },
        { path: AGENTS_PATH, method: 'GET', answer: answerAgents },
        { path: AGENTS_PATH, method: 'POST', limit: MAX_ENVELOPE_BYTES, isAnyType: true, answer: answerAgents },
      ],
    }),
    upgrade: sockets.upgrade,
    send: (sending) => sendEnvelope(context, connections, sending),
    close() {
      presence.stop()
      return sockets.close()
    },
  }
}
