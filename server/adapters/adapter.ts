/** The interface of an adapter: one protocol by which other systems reach us, over HTTP or web sockets. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AgentId, PeerId, TaskId } from '@/lib/mas/ids'
import type { Protocol } from '@/lib/mas/outside/peerProtocols'
import type { ConversationRecord, OutgoingRecord, PeerRecord, SentBy, UnsentReason } from '@/lib/mas/outside/records'
import type { MessageRecord, StepRecord, World } from '@/lib/mas/records'
import type { CardDevice, CardOwner } from '@/lib/protocols/mamp/card'
import type { Engine } from '../engine/port'
import type { RestoredTasks } from '../engine/snapshots/restoredTasks'
import type { OutgoingFiles } from '../files'
import type { Clients } from '../net'
import type { Nodes } from '../nodes'
import type { Schedule } from '../shared/later'
import type { LimitName, LimitRule } from '../shared/limits'
import type { Store } from '../store'
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

export type Endpoint = { method: 'GET' | 'POST'; path: string }

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

type LogLine = (data: object, message: string) => void
type AdapterLog = { info: LogLine; warn: LogLine; error: LogLine }

/** A signed-in person who calls an adapter, and what they may read of a task; null: nothing. */
export type TaskReader = {
  person: AgentId
  sightOf(world: World, task: TaskId): TaskScope | null
}
export type TaskScope = {
  message(message: MessageRecord): boolean
  step(step: StepRecord): boolean
}

/** Our identity towards other systems. */
export type Ourselves = {
  /** The domain in the URIs of our agents. */
  domain: string
  /** Our public address, without a trailing slash. */
  address: string
  name: string
  /** As shown on our cards. */
  owner: CardOwner
  device: CardDevice
  allowedAgents: readonly string[]
  public: boolean
  requireAuth: boolean
  /** Other systems may report and request checkpoints. */
  trajectory: boolean
  /** Actions that peers may call by name, beside the built-in ones. */
  actions: readonly NamedAction[]
}

/** agent: its configured id. asks: the question, with parameters in braces. parameters: their JSON schema. */
export type NamedAction = {
  name: string
  agent: string
  description: string
  asks: string
  parameters: Record<string, unknown>
}

/** The keys of one configured peer, read from the environment. */
export type PeerSecrets = {
  id: PeerId
  /** The key that the peer shows us; null: none. */
  key: string | null
  /** The key that we show the peer. */
  sendKey: string | null
  /** Shared: both sides sign with it. */
  signingKey: string | null
}

export type AdapterParts = {
  engine: Engine
  /** Left out: there are no other nodes. */
  nodes?: Nodes
  bodies: Pick<Store['bodies'], 'get' | 'put'>
  /** The log of what is exchanged. */
  envelopes: Pick<Store['envelopes'], 'add'>
  past: Pick<RestoredTasks, 'archived' | 'task' | 'whole'>
  /** Saves files of a message in the workspace. out: their paths, in order */
  saveFiles: (files: { name: string; bytes: Uint8Array }[]) => Promise<string[]>
  /** Reads workspace files that a step sends. */
  outgoing: OutgoingFiles
  /** Identifies the client of a request. */
  clients: Clients
  /** Rate limits. */
  limits: Record<LimitName, LimitRule>
  /** The signed-in person of a request; null: none. */
  visitorOf: (request: IncomingMessage) => Promise<TaskReader | null>
  ourselves: () => Ourselves
  secrets: readonly PeerSecrets[]
  /** The value of a variable that an operator named for a peer; null: not set. */
  secret: (name: string) => string | null
  /** Epoch ms. */
  now: () => number
  /** The time that other systems have, for what both sign; epoch ms. */
  outside: () => number
  newId: () => string
  /** Call once after so many ms. out: cancels it */
  schedule: Schedule
  log: AdapterLog
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
