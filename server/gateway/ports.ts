/**
 * What the gateway is given: everything that it calls and everything that it may not read from the air (clock,
 * randomness).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { CheckpointRecord } from '@/lib/mas/checkpointRecords'
import type { AgentId, PeerId } from '@/lib/mas/ids'
import type { Protocol } from '@/lib/mas/outsideRecords'
import type { Json } from '@/lib/mas/records'
import type { Me, MyChannels, PostChannelTest, PushSubscription } from '@/lib/wire'
import type { ParsedView, ServerEvent } from '@/lib/wire/views'
import type { LoadDriver } from '@/server/engine/loadDriver'
import type { Engine } from '@/server/engine/port'
import type { RestoredTasks } from '@/server/engine/restoredTasks'
import type { PersonQueue } from '@/server/models'
import type { Clients } from '@/server/net'
import type { Store } from '@/server/store'
import type { ServerStatus, ToolInfo } from '@/server/tools'

export type Log = {
  info(data: object, message: string): void
  warn(data: object, message: string): void
  error(data: object, message: string): void
}

/** What the gateway asks of the tool servers. */
export type ToolPort = {
  /** The tools that a server offers; it is reached for when it is not connected. */
  describe(server: string): Promise<{ ok: true; tools: readonly ToolInfo[] } | { ok: false; message: string }>
  /** The input schema of a tool; null when it is not known. */
  schema(server: string, tool: string): Promise<Json | null>
  /** Do these arguments fit the tool? null: yes; else a sentence of what does not. */
  check(server: string, tool: string, args: Json): Promise<string | null>
  /** Does what a person filled in fit the form that a server asked with? null: yes; else what does not. */
  checkForm(schema: Json, content: Json): Promise<string | null>
  servers(): ServerStatus[]
  signIn(server: string): Promise<{ ok: true; url: string | null } | { ok: false; message: string }>
  finishSignIn(answer: {
    state: string
    code: string
  }): Promise<{ ok: true; server: string } | { ok: false; message: string }>
}

/** Tries what is configured, as a person would: does it answer, and if not, what to do. */
export type TrialPort = {
  models: readonly string[]
  tools: readonly string[]
  /** null: nothing of that name is configured. */
  tryOne(kind: 'model' | 'tool', name: string): Promise<TrialResult | null>
}

/** words: one sentence of how it is; hint: what to do about it, null when nothing need be done. */
export type TrialResult = { ok: boolean; words: string; hint: string | null }

/** How other systems reach us: whatever is under their paths is theirs to answer, with keys of their own. */
export type AdapterPort = {
  owns(path: string): boolean
  answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>
  /** out: whether it was taken */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, path: string): boolean
}

/** What the faces know of other systems that is no record. */
export type PeerPort = {
  /** Envelopes that were refused before anybody knew whose they were, since the start. */
  refused(): { protocol: Protocol; code: string; count: number }[]
  /** Does the environment hold the variable that an operator named for a peer? */
  isSet(variable: string): boolean
  /** The id of the peer with that URI, the same as if the configuration named it. */
  peerId(uri: string): PeerId
  /** What can be read of a checkpoint, by name: a text, or any JSON value. */
  artifacts(checkpoint: CheckpointRecord): ReadonlyMap<string, () => Promise<unknown>>
}

/** How a person is reached outside the page. */
export type NotifyPort = {
  /** How often an open page knocks, and for how long. */
  ladder: NonNullable<Me['ladder']>
  channelsOf(person: AgentId): MyChannels
  subscribe(person: AgentId, subscription: PushSubscription): Promise<{ id: string }>
  unsubscribe(person: AgentId, id: string): Promise<void>
  test(person: AgentId, channel: PostChannelTest['channel'], browser: string | null): Promise<TrialResult>
  settingsChanged(person: AgentId): void
}

/** What the gateway counts. Called for each request: each call must be cheap and must not throw. */
export type HttpMeter = {
  /** An answer has ended. status: null when the connection closed before its end; ms: since its request came. */
  answered(method: string, status: number | null, ms: number): void
  /** A request was refused with that code. */
  refused(code: string): void
  /** outcome: `done`, or the code of the refusal. */
  signedIn(way: 'password' | 'link', outcome: string): void
}

/** What the sockets count; view: null for what belongs to no view. */
export type SocketMeter = {
  sent(event: ServerEvent, view: ParsedView['kind'] | null, bytes: number): void
}

/** GET /metrics: what it answers, and who may read it. */
export type MetricsPort = {
  readonly contentType: string
  text(): Promise<string>
  /** METRICS_TOKEN; null: nobody reads by token. */
  token: string | null
  /** A proxy is configured: a peer on this machine may be anybody. */
  hasProxy: boolean
}

/** The disk that the data are on. Bytes. */
export type DiskPort = {
  /** null: the system does not tell. */
  freeBytes(): Promise<number | null>
  /** With less than this free, the program is not ready. */
  leastBytes: number
}

export type GatewayParts = {
  engine: Engine
  store: Pick<Store, 'journal' | 'archive' | 'bodies' | 'snapshots' | 'people' | 'accounts' | 'search'>
  /** Tasks that left the world; left out: they are not found. */
  past?: RestoredTasks
  /** The last entry that can be found by words; left out: all can. */
  searchedTo?: () => number
  /** PUBLIC_URL, or null when people come by host and port. */
  publicUrl: string | null
  /** Which client a request comes from; left out: whoever is connected. */
  clients?: Clients
  /** The folder of files that agents may read and people can see; absolute. */
  workspace: string
  /** The tool servers that reach the workspace, by name; left out: none does. */
  fileServers?: readonly string[]
  /** The folder that holds the rehearsal's documents; null: there are none. */
  samples: string | null
  version: string
  /** A step that runs and says nothing for so long is shown as stale, ms; left out: as pages know it. */
  staleAfterMs?: number
  /** What `llm_config` shows of each configured model, by its name. Keys and tokens are not in it. */
  models: Record<string, Json>
  tools: ToolPort | null
  /** Calls of models that are people; left out: no model is one. */
  queue?: PersonQueue
  /** Left out: no other system reaches us. */
  outside?: PeerPort
  /** Left out: nobody is reached outside the page. */
  notify?: NotifyPort
  /** Left out: nothing can be tried. */
  trial?: TrialPort
  /** Drives labelled load through the true journal; only with CONVENE_BENCH=1. */
  load: LoadDriver | null
  log: Log
  /** Left out: nothing is counted. */
  meter?: HttpMeter
  /** Left out: /metrics is not there. */
  metrics?: MetricsPort
  /** Left out: nobody looks at the disk. */
  disk?: DiskPort
  /** Epoch ms. */
  now: () => number
  /** n random bytes, good enough for secrets. */
  random: (n: number) => Uint8Array
}
