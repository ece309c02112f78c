/**
 * One web socket of a peer: every text on it is an envelope, and every answer goes back on it.
 *
 * A peer that signs puts its signature and a line break before each envelope, and gets ours the same way: there are no
 * headers between texts. Before its first signed text, or a signed handshake, nothing is sent to it but answers.
 */

import type { WebSocket } from 'ws'
import type { PeerId } from '@/lib/mas/ids'
import type { PeerRecord } from '@/lib/mas/outsideRecords'
import { serveSocket } from '../socket'
import { uriOfSender } from './callers'
import type { EnvelopeConnection, EnvelopeConnections } from './connections'
import type { EnvelopeContext } from './handle'
import { type EnvelopeAnswer, receiveEnvelope } from './receive'

const SIGNED = /^((?:t=\d{1,15},)?sha256=[0-9a-f]{64})\n/

type HeldSocket = {
  context: EnvelopeContext
  connections: EnvelopeConnections
  socket: WebSocket
  peer: PeerId
  /** Its handshake was accepted as signed. */
  isSigned: boolean
  /** The peer as it is now; undefined: it has no rights any more. */
  record: () => PeerRecord | undefined
}

/** Serve it until it ends. */
export function holdSocket({ context, connections, socket, peer, isSigned, record }: HeldSocket): void {
  const connection: EnvelopeConnection = {
    peer,
    agents: new Set(),
    send(text) {
      if (socket.readyState !== socket.OPEN) return false
      const signature = context.keys.sign(peer, text)
      socket.send(signature === null ? text : `${signature}\n${text}`)
      return true
    },
  }
  // The key alone is not enough to receive messages for the peer.
  let leave = isSigned ? connections.open(connection) : null

  async function take(frame: string): Promise<void> {
    const signature = SIGNED.exec(frame)?.[1] ?? null
    const text = signature === null ? frame : frame.slice(signature.length + 1)
    const bytes = Buffer.from(text)
    const reception = await receiveEnvelope(context, { peer, bytes, signature })
    const isAccepted = reception.refused?.code !== 'bad_signature' && reception.refused?.code !== 'too_many'
    if (isAccepted && socket.readyState === socket.OPEN) leave ??= connections.open(connection)
    learn(reception)
    if (reception.answer !== null) connection.send(JSON.stringify(reception.answer))
    const { envelope, refused } = reception
    if (envelope === null || refused !== null) return
    connections.came(envelope)
    connections.relay({ peer, on: connection, envelope, text })
  }

  /** An agent that has sent an envelope on a connection is reached there. */
  function learn({ envelope, refused }: EnvelopeAnswer): void {
    const known = record()
    const uri = envelope === null || refused !== null || !known ? null : uriOfSender(known, envelope.sender_id)
    if (uri !== null) connection.agents.add(uri)
  }

  serveSocket(context, socket, { take, onClose: () => leave?.(), peer: () => peer })
}
