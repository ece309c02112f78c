/** The adapter of envelopes: over HTTP and a web socket, and the registry of agents. */
import type { ServerResponse } from 'node:http'
import type { PeerId } from '@/lib/mas/ids'
import { recentMap } from '@/server/shared/recentMap'
import { type AnswerEnvelope, BROADCAST, correlationOf, type WireEnvelope } from '../../protocols/envelope/envelope'
import type { Adapter, AdapterContext } from '../adapter'
import { openConnections, type PeerConnection, type PeerConnections } from '../connections'
import { sendJson } from '../http'
import type { Refusal } from '../refusal'
import { answerRoutes, type HttpCall, retryHeaders } from '../routes'
import { SIGNATURE_HEADER } from '../signatures'
import { openPeerSockets, type PeerSocket, type SignedText } from '../socket'
import { uriOfSender } from './callers'
import { envelopeCodec, envelopeRefusal } from './codec'
import { type EnvelopeContext, MOST_STATUSES } from './handle'
import { openPresence } from './presence'
import { type EnvelopeAnswer, receiveEnvelope, refusalEnvelope } from './receive'
import { openRegistry } from './registry'
import { MAX_ENVELOPE_BYTES, MESSAGES_PATH, sendEnvelope } from './send'

const AGENTS_PATH = '/envelope/v1/agents'
const SOCKET_PATH = '/envelope/v1/ws'

export function openEnvelopeAdapter(shared: AdapterContext): Adapter {
  const context: EnvelopeContext = { ...shared, statuses: recentMap(MOST_STATUSES) }
  const { keys } = context
  const connections = openConnections<WireEnvelope>('envelope', context)
  const relay = openRelay(context, connections)
  const presence = openPresence(context)
  const sockets = openPeerSockets(context, {
    protocol: 'envelope',
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
      ...(signature === null ? {} : { [SIGNATURE_HEADER.envelope]: signature }),
      ...retryHeaders(retryAfterS),
    })
  }

  const write = (response: ServerResponse, refused: Refusal, peer: PeerId | null): void =>
    say(response, refused.status ?? 500, refusalEnvelope(context, refused), peer, refused.retryAfterS)

  async function answerMessage({ response, caller, bytes, signature }: HttpCall): Promise<null> {
    if (caller?.kind !== 'peer') throw envelopeRefusal('unauthenticated', 'A key is needed.')
    const { peer } = caller
    const { answer, refused, envelope } = await receiveEnvelope(context, { peer, bytes, signature })
    if (envelope !== null && refused === null) relay({ peer, on: null, envelope, text: bytes.toString() })
    const status = refused?.status ?? 200
    if (answer !== null) say(response, status, answer, peer, refused?.retryAfterS)
    else sendJson(response, refused === null ? 202 : status, {})
    return null
  }

  return {
    protocol: 'envelope',
    paths: ['/envelope/v1/'],
    ...answerRoutes(context, {
      ...envelopeCodec,
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

type Parts = {
  context: EnvelopeContext
  connections: PeerConnections<WireEnvelope>
  relay: ReturnType<typeof openRelay>
  presence: ReturnType<typeof openPresence>
}

/**
 * Serve a socket until it ends: each text is an envelope, and its answer is sent on the same socket. A peer that signs receives
 * nothing but answers until it has sent a signed text or a signed handshake.
 */
function serveEnvelopeSocket({ context, connections, relay, presence }: Parts, socket: PeerSocket) {
  const { peer } = socket
  // The key alone does not authorise to receive messages for the peer.
  let leave: (() => void) | null = null
  if (socket.isSigned) enter()

  function enter(): void {
    if (leave !== null) return
    const [close, forget] = [connections.open(socket), presence.greet(socket)]
    leave = () => {
      close()
      forget()
    }
  }

  async function take({ text, signature }: SignedText): Promise<void> {
    const bytes = Buffer.from(text)
    const reception = await receiveEnvelope(context, { peer, bytes, signature })
    const isAccepted = reception.refused?.code !== 'bad_signature' && reception.refused?.code !== 'too_many'
    if (isAccepted && socket.isOpen()) enter()
    learn(reception)
    if (reception.answer !== null) socket.send(JSON.stringify(reception.answer))
    const { envelope, refused } = reception
    if (envelope === null || refused !== null) return
    connections.answered(peer, correlationOf(envelope), envelope)
    relay({ peer, on: socket, envelope, text })
  }

  /** An agent that has sent an envelope on a connection can be reached there. */
  function learn({ envelope, refused }: EnvelopeAnswer): void {
    const known = socket.record()
    const uri = envelope === null || refused !== null || !known ? null : uriOfSender(known, envelope.sender_id)
    if (uri !== null) connections.name(socket, uri)
  }

  return { take, onClose: () => leave?.() }
}

/** on: the connection that it arrived on; null: HTTP. text: the envelope as received. */
type SaidToAll = { peer: PeerId; on: PeerConnection | null; envelope: WireEnvelope; text: string }

/** Remembered ids, so that a repeat is not forwarded again. */
const MOST_RELAYED = 10_000

/** out: forwards a broadcast of a peer once per id to its other connections, at all nodes; ignores other envelopes */
function openRelay(
  { nodes }: Pick<AdapterContext, 'nodes'>,
  { of }: Pick<PeerConnections<WireEnvelope>, 'of'>,
): (said: SaidToAll) => void {
  nodes?.onNote((note) => {
    if (note.is === 'peerBroadcast') for (const one of of(note.peer)) one.send(note.text)
  })
  const relayed = recentMap<string, true>(MOST_RELAYED)
  return ({ peer, on, envelope: { message_type, receiver_id, message_id, sender_id }, text }) => {
    if (message_type !== 'event' || receiver_id !== BROADCAST) return
    const key = JSON.stringify([peer, sender_id, message_id])
    if (relayed.get(key) !== undefined) return
    relayed.set(key, true)
    for (const one of of(peer)) if (one !== on) one.send(text)
    nodes?.tell({ is: 'peerBroadcast', peer, text })
  }
}
