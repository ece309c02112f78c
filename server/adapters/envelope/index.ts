/** The adapter of the A2A envelope: over HTTP and a web socket, and the registry of agents. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { PeerId } from '@/lib/mas/ids'
import type { PeerRecord } from '@/lib/mas/outsideRecords'
import { selectPeers } from '@/lib/mas/selectors/outside'
import type { AnswerEnvelope } from '@/lib/protocols/envelope/envelope'
import { refuseUpgrade } from '../../shared/http'
import { recentMap } from '../../shared/recentMap'
import type { Adapter, AdapterContext } from '../adapter'
import { sendJson, signatureIn } from '../http'
import type { Refusal } from '../refusal'
import { answerRoutes, type HttpCall, retryHeaders } from '../routes'
import { SIGNATURE_HEADER } from '../signatures'
import { refuseUnknownKey } from '../socket'
import { A2A, a2aRefusal } from './codec'
import { openEnvelopeConnections } from './connections'
import { type EnvelopeContext, MOST_STATUSES } from './handle'
import { receiveEnvelope, refusalEnvelope } from './receive'
import { openRegistry } from './registry'
import { MAX_ENVELOPE_BYTES, MESSAGES_PATH, sendEnvelope } from './send'
import { holdSocket } from './socket'

const AGENTS_PATH = '/a2a/v1/agents'
const MOST_SOCKETS = 200
const NO_BODY = Buffer.alloc(0)

export function openEnvelopeAdapter(shared: AdapterContext): Adapter {
  const context: EnvelopeContext = { ...shared, statuses: recentMap(MOST_STATUSES) }
  const { engine, keys } = context
  const connections = openEnvelopeConnections(context.schedule)
  const answerAgents = openRegistry(context, connections)
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_ENVELOPE_BYTES })

  const known = (peer: PeerId): PeerRecord | undefined =>
    selectPeers(engine.world()).find(({ id, may }) => id === peer && may.includes('a2a'))

  /** What goes back is signed like what comes in. */
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
    if (envelope !== null && refused === null) connections.relay({ peer, on: null, envelope, text: bytes.toString() })
    const status = refused?.status ?? 200
    if (answer !== null) say(response, status, answer, peer, refused?.retryAfterS)
    else sendJson(response, refused === null ? 202 : status, {})
    return null
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const peer = keys.holder(request.headers.authorization)
    if (peer === null) void refuseUnknownKey(context, 'a2a', request, socket)
    else if (known(peer) === undefined) refuseUpgrade(socket, '403 Forbidden')
    else if (sockets.clients.size >= MOST_SOCKETS) refuseUpgrade(socket, '503 Service Unavailable')
    else {
      const isSigned = keys.signatureProblem(peer, NO_BODY, signatureIn(request, 'a2a')) === null
      sockets.handleUpgrade(request, socket, head, (webSocket) =>
        holdSocket({ context, connections, socket: webSocket, peer, isSigned, record: () => known(peer) }),
      )
    }
  }

  return {
    protocol: 'a2a',
    paths: ['/a2a/v1/'],
    answer: answerRoutes(context, {
      ...A2A,
      isKeyFirst: true,
      write,
      routes: [
        { path: MESSAGES_PATH, method: 'POST', limit: MAX_ENVELOPE_BYTES, answer: answerMessage },
        { path: AGENTS_PATH, method: 'GET', answer: answerAgents },
        { path: AGENTS_PATH, method: 'POST', limit: MAX_ENVELOPE_BYTES, isAnyType: true, answer: answerAgents },
      ],
    }),
    upgrade,
    send: (sending) => sendEnvelope(context, connections, sending),
    async close() {
      for (const client of sockets.clients) client.terminate()
      sockets.close()
    },
  }
}
