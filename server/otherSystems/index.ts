/** What the core needs of the protocols by which other systems reach this team, and what it gives to them. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AgentId, PeerId, TaskId } from '@/lib/mas/ids'
import type { CheckpointRecord } from '@/lib/mas/outside/checkpointRecords'
import { selectPeers } from '@/lib/mas/outside/outside'
import type { Protocol } from '@/lib/mas/outside/peerProtocols'
import type { MessageRecord, StepRecord, World } from '@/lib/mas/records'
import type { Engine } from '../engine/port'
import type { RestoredTasks } from '../engine/snapshots/restoredTasks'
import type { OutgoingFiles } from '../files'
import type { Clients } from '../net'
import type { Nodes } from '../nodes'
import type { Schedule } from '../shared/later'
import type { LimitName, LimitRule } from '../shared/limits'
import { extensionPoint, isHere, missingPackage, PackageMissingError } from '../shared/packages'
import type { Store } from '../store'
import type { PeerAgents } from '../tools'

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
  owner: { user_id?: string; user_name?: string; organization?: string }
  device: { device_id?: string; device_name?: string; location?: string; platform?: string }
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
  /** What a protocol keeps beside the journal, such as addresses for notifications. */
  rows: Pick<Store['people'], 'get' | 'list' | 'put' | 'remove'>
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

/** path: a segment in braces stands for any text, as in `/a2a/v1/tasks/{id}` */
export type Endpoint = { method: 'GET' | 'POST' | 'DELETE'; path: string }

/** All protocols, open. */
export type OtherSystems = {
  /** Methods and paths of their HTTP endpoints. */
  endpoints: readonly Endpoint[]
  owns(path: string): boolean
  answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>
  /** out: whether a protocol took it */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, path: string): boolean
  /** Start delivering, what was left of the last run included. */
  start(): void
  /** Handlers of the built-in server `agents`. */
  agents: PeerAgents
  /** Refusals of unknown senders since the start. */
  refused(): { protocol: Protocol; code: string; count: number }[]
  /** Is a variable set that an operator named for a peer? */
  isSet(variable: string): boolean
  /** The domain of our agents' URIs. */
  domain(): string
  /** The readable artifacts of a checkpoint by name; each is read on demand. */
  artifacts(checkpoint: CheckpointRecord): ReadonlyMap<string, () => Promise<unknown>>
  stop(): Promise<void>
}

/** Filled by packages/interop. */
export const OTHER_SYSTEMS = extensionPoint<(parts: AdapterParts) => OtherSystems>('interop')

/** faults: PackageMissingError: the team's data name other systems, and no protocol is here */
export function ensureProtocols(world: Pick<World, 'peers'>): void {
  if (!isHere('interop') && selectPeers(world).length > 0)
    throw new PackageMissingError('This team, whose data name other systems,', 'interop')
}

/** Where no protocol is here: nothing is answered and nothing is sent. */
export const noOtherSystems = (domain: () => string): OtherSystems => ({
  endpoints: [],
  owns: () => false,
  answer: async () => {},
  upgrade: () => false,
  start: () => {},
  agents: {
    send: async () => ({ ok: false, why: missingPackage('interop') }),
    report: async () => ({ ok: false, why: missingPackage('interop') }),
    known: () => [],
  },
  refused: () => [],
  isSet: () => false,
  domain,
  artifacts: () => new Map(),
  stop: async () => {},
})
