/** The interface of an adapter: one protocol by which other systems reach us, over HTTP or a web socket. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AgentId, PeerId, TaskId } from '@/lib/mas/ids'
import type {
  ConversationRecord,
  DeliveryRecord,
  PeerRecord,
  Protocol,
  SentBy,
  SignatureForm,
  UnsentReason,
} from '@/lib/mas/outsideRecords'
import type { MessageRecord, StepRecord, World } from '@/lib/mas/records'
import type { CardDevice, CardOwner } from '@/lib/protocols/mamp'
import type { Engine } from '../engine/port'
import type { RestoredTasks } from '../engine/restoredTasks'
import type { OutgoingFiles } from '../files'
import type { Clients } from '../net'
import type { LimitName, LimitRule } from '../shared/limits'
import type { Store } from '../store'
import type { Exchange } from './exchange'
import type { PeerKeys } from './peerKeys'
import type { Streams } from './streams'

export interface Adapter {
  readonly protocol: Protocol
  /** Paths that it answers; one that ends in a slash includes all below it. */
  readonly paths: readonly string[]
  /** What it answers over HTTP, each with the methods that do something. */
  readonly endpoints: readonly Endpoint[]
  /** Answer one request. Must not throw: whatever goes wrong is an answer of the protocol. */
  answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>
  /** A web socket on one of its paths; left out: it has none. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Send one message of ours; left out: this protocol only receives. Never rejects. */
  send?(sending: OutgoingMessage): Promise<SendResult>
  close?(): Promise<void>
}

export type Endpoint = { method: 'GET' | 'POST'; path: string }

/** A message of ours that is due, with all that belongs to it. */
export type OutgoingMessage = {
  delivery: DeliveryRecord
  message: MessageRecord
  conversation: ConversationRecord
  peer: PeerRecord
  /** The URIs as the other system knows them. */
  from: string
  to: string
  signal: AbortSignal
}

/** shared: the id that the peer gave the conversation. closes: the peer does not know the conversation any more. */
export type SendResult = {
  verdict: 'delivered' | 'retry' | 'failed'
  by: SentBy
  status: number | null
  why: UnsentReason | null
  /** As it was sent; null: nothing was. */
  envelope: string | null
  shared: string | null
  closes: boolean
  /** The pause that the peer asked for. */
  retryAfterMs: number | null
}

type LogLine = (data: object, message: string) => void
type AdapterLog = { info: LogLine; warn: LogLine; error: LogLine }

/** A person who calls an adapter, and what of a task they may read; null: nothing. */
export type TaskReader = {
  person: AgentId
  sightOf(world: World, task: TaskId): TaskScope | null
}
export type TaskScope = {
  message(message: MessageRecord): boolean
  step(step: StepRecord): boolean
}

/** Who we are to other systems. */
export type Ourselves = {
  /** The part between agent:// and the agent's own. */
  domain: string
  /** Where we are reached, without a slash at the end. */
  address: string
  name: string
  /** As they stand on our cards. */
  owner: CardOwner
  device: CardDevice
  allowedAgents: readonly string[]
  public: boolean
  requireAuth: boolean
  /** Other systems may report and ask for checkpoints. */
  trajectory: boolean
  /** What peers may ask for by name, beside what every agent answers. */
  actions: readonly NamedAction[]
}

/** agent: its configured id. asks: what it is asked, with parameters in braces. parameters: their JSON schema. */
export type NamedAction = {
  name: string
  agent: string
  description: string
  asks: string
  parameters: Record<string, unknown>
}

/** The keys of one peer of the configuration, as the environment has them. */
export type PeerSecrets = {
  id: PeerId
  /** Theirs to us; null: it shows none. */
  key: string | null
  /** Ours to them. */
  sendKey: string | null
  /** Both sign with it. */
  signingKey: string | null
  /** Left out: v2. */
  signature?: SignatureForm
}

export type AdapterParts = {
  engine: Engine
  bodies: Pick<Store['bodies'], 'get' | 'put'>
  /** What left the world. */
  past: Pick<RestoredTasks, 'archived' | 'task' | 'whole'>
  /** Put files of a message into the workspace; out: their paths, in order. Left out: they stay in the message alone. */
  saveFiles?: (files: { name: string; bytes: Uint8Array }[]) => Promise<string[]>
  /** Reads files of the workspace that a step sends along; left out: none are sent. */
  outgoing?: OutgoingFiles
  /** Which client a request comes from; left out: the direct connection. */
  clients?: Clients
  /** How often a peer may call; left out: LIMITS. */
  limits?: Record<LimitName, LimitRule>
  /** The person who is signed in; null: none. Left out: people cannot call. */
  visitorOf?: (request: IncomingMessage) => Promise<TaskReader | null>
  ourselves: () => Ourselves
  secrets: readonly PeerSecrets[]
  /** The value of a variable that an operator named for a peer; null: it is not set. Left out: none is. */
  secret?: (name: string) => string | null
  /** Epoch ms. */
  now: () => number
  newId: () => string
  /** Call once after that many ms. out: stop it. */
  schedule: (run: () => void, ms: number) => () => void
  log: AdapterLog
}

/** What all adapters share. */
export type AdapterContext = AdapterParts & {
  keys: PeerKeys
  exchange: Exchange
  streams: Streams
  /** There is a connection for these deliveries now: they are sent at once, whatever the pause after their last try. */
  reached: (fits: (delivery: DeliveryRecord) => boolean) => void
}
