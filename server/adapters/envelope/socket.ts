/**
 * One web socket of a peer: each text is an envelope, and its answer is sent on the same socket.
 *
 * A peer that signs receives nothing but answers until it has sent a signed text or a signed handshake.
 */
import type { WireEnvelope } from '@/lib/protocols/envelope/envelope'
import { correlationOf } from '@/lib/protocols/envelope/envelope'
import type { PeerConnection, PeerConnections } from '../connections'
import type { PeerSocket, SignedText } from '../socket'
import { uriOfSender } from './callers'
import type { EnvelopeContext } from './handle'
import type { openPresence } from './presence'
import { type EnvelopeAnswer, receiveEnvelope } from './receive'
import type { openRelay } from './relay'

type Parts = {
  context: EnvelopeContext
  connections: PeerConnections<WireEnvelope>
  relay: ReturnType<typeof openRelay>
  presence: ReturnType<typeof openPresence>
}

/** Serve it until it ends. */
export function serveEnvelopeSocket({ context, connections, relay, presence }: Parts, socket: PeerSocket) {
  const { peer } = socket
  const connection: PeerConnection = { peer, agents: new Set(), send: socket.send, deliver: socket.deliver }
  // The key alone does not authorise to receive messages for the peer.
  let leave: (() => void) | null = null
  if (socket.isSigned) enter()

  function enter(): void {
    if (leave !== null) return
    const [close, forget] = [connections.open(connection), presence.greet(connection)]
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
    connections.answered(correlationOf(envelope), envelope)
    relay({ peer, on: connection, envelope, text })
  }

  /** An agent that has sent an envelope on a connection can be reached there. */
  function learn({ envelope, refused }: EnvelopeAnswer): void {
    const known = socket.record()
    const uri = envelope === null || refused !== null || !known ? null : uriOfSender(known, envelope.sender_id)
    if (uri !== null) connections.name(connection, uri)
  }

  return { take, onClose: () => leave?.() }
}
