/** The interface of an adapter: one protocol by which other systems reach us, over HTTP or web sockets. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Protocol } from '@/lib/mas/outside/peerProtocols'
import type { ConversationRecord, OutgoingRecord, PeerRecord, SentBy, UnsentReason } from '@/lib/mas/outside/records'
import type { MessageRecord } from '@/lib/mas/records'
import type { AdapterParts, Endpoint } from '@/server/otherSystems'
import type { Exchange } from './exchange'
import type { PeerKeys } from './peerKeys'
import type { Streams } from './streams'
import type { Ways } from './ways'

export interface Adapter {
  readonly protocol: Protocol
  /** Paths that it handles; one that ends in a slash includes all below it. */
  readonly paths: readonly string[]
  /** Methods and paths of its HTTP endpoints. */
  readonly endpoints: readonly Endpoint[]
  /** Answer one request. Must not throw: errors are answered in the form of the protocol. */
  answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>
  /** Take a web socket on one of its paths; left out: the protocol has none. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Deliver one message of ours; left out: the protocol only receives. Never rejects. */
  send?(sending: OutgoingMessage): Promise<SendResult>
  close?(): Promise<void>
}

/** One of our messages that is due for delivery, with its context. */
export type OutgoingMessage = {
  outgoing: OutgoingRecord
  message: MessageRecord
  conversation: ConversationRecord
  peer: PeerRecord
  /** URIs in the form that the other system knows. */
  from: string
  to: string
  signal: AbortSignal
}

/** shared: the peer's id of the conversation. closes: the peer no longer knows the conversation. */
export type SendResult = {
  verdict: 'delivered' | 'retry' | 'failed'
  by: SentBy
  status: number | null
  why: UnsentReason | null
  /** The text as sent; null: nothing was sent. */
  envelope: string | null
  shared: string | null
  closes: boolean
  /** The delay that the peer asked for. */
  retryAfterMs: number | null
}

/** Shared by all adapters. */
export type AdapterContext = AdapterParts & {
  keys: PeerKeys
  exchange: Exchange
  streams: Streams
  ways: Ways
  /** A connection for these deliveries is open now: they are sent at once, without their pause. */
  reached: (fits: (outgoing: OutgoingRecord) => boolean) => void
}
