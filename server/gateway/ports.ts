/** The interfaces that the gateway depends on, the clock and the source of randomness among them. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Language } from '@/lib/language'
import type { AgentId, PeerId } from '@/lib/mas/ids'
import type { CheckpointRecord } from '@/lib/mas/outside/checkpointRecords'
import type { Protocol } from '@/lib/mas/outside/peerProtocols'
import type { Json } from '@/lib/mas/records'
import type { ModelSetup, ToolSetup } from '@/lib/mas/setup/setupRecords'
import type { Me, MyChannels, PostChannelTest, PushSubscription, SetupLocalModels, SetupModels } from '@/lib/wire'
import type { SetupTried, TriedAnswer } from '@/lib/wire/http'
import type { ParsedView, ServerEvent } from '@/lib/wire/views'
import type { Engine } from '@/server/engine/port'
import type { OpenedTasks } from '@/server/engine/snapshots/opened/openedArchives'
import type { RestoredTasks } from '@/server/engine/snapshots/restoredTasks'
import type { FileWatch } from '@/server/files'
import type { Model } from '@/server/models/model'
import type { Clients } from '@/server/net'
import type { PersonLimits } from '@/server/shared/limits'
import type { PersonAnswer, PersonCall } from '@/server/shared/personCall'
import type { Store } from '@/server/store'
import type { SignInFlow, ToolPool } from '@/server/tools'
import type { ChangesReader } from '../engine/moments/changes'
import type { Moments } from '../engine/moments/moments'
import type { CompanyParts } from './sessions/company/companyAccess'

export type Log = {
  info(data: object, message: string): void
  warn(data: object, message: string): void
  error(data: object, message: string): void
}

/** The tool servers, as the gateway uses them. */
export type ToolPort = Pick<ToolPool, 'describe' | 'servers'> & SignInFlow

/** Calls of models that are people. */
type PersonCallsPort = {
  list(): PersonCall[]
  /** out: false: the call no longer waits. faults: STORE_BROKEN: its node cannot be asked now */
  settle(id: string, answer: PersonAnswer): Promise<boolean>
}

/** Tries a configured model or tool server: does it answer, and if not, what to do. */
type TrialPort = {
  models: readonly string[]
  tools: readonly string[]
  /** null: nothing of that name is configured. */
  tryOne(kind: 'model' | 'tool', name: string): Promise<TriedAnswer | null>
}

/** The protocol adapters: they answer every request under their paths and check their own keys. */
export type AdapterPort = {
  owns(path: string): boolean
  answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>
  /** out: whether an adapter handles it */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, path: string): boolean
}

/** What the adapters know of other systems beside the records. */
type PeerPort = {
  /** Envelopes refused before their sender was known, since the start. */
  refused(): { protocol: Protocol; code: string; count: number }[]
  /** Does the environment hold the variable that an operator named for a peer? */
  isSet(variable: string): boolean
  /** Of our own agents, as other systems know them. */
  domain(): string
  /** The id of a peer by its URI, derived as for the configuration. */
  peerId(uri: string): PeerId
  /** The artifacts of a checkpoint by name: a text, or any JSON value. */
  artifacts(checkpoint: CheckpointRecord): ReadonlyMap<string, () => Promise<unknown>>
}

/** What operators set up in the page, beside the records: keys, addresses, trials, the configuration file. */
export type SetupPort = {
  agentId(id: string): AgentId
  /** Keeps a key that was typed in. out: its id */
  keepKey(key: string, address: string): Promise<string>
  hasKey(id: string, address: string): boolean
  mayReach(address: string): Promise<boolean>
  /** Does the environment hold this variable? */
  isSet(variable: string): boolean
  /** Model servers on this machine, if the configuration allows their addresses. */
  localServers(): Promise<SetupLocalModels['servers']>
  /** What the server of a model offers. in: its provider, address and key */
  listModels(value: Pick<ModelSetup, 'provider' | 'baseUrl' | 'key'>, language: Language): Promise<SetupModels>
  tryModel(name: string, value: ModelSetup, language: Language): Promise<SetupTried>
  tryServer(name: string, value: ToolSetup, language: Language): Promise<SetupTried>
  /** The configuration file with the page's settings merged in. Throws FILE_UNFIT. */
  file(): Promise<{ name: string; canWrite: boolean; isSame: boolean; text: string; write(): Promise<void> }>
}

/** How a person is reached outside the page. */
export type NotifyPort = {
  /** How often an open page repeats an alert, and for how long. */
  ladder: NonNullable<Me['ladder']>
  channelsOf(person: AgentId): MyChannels
  subscribe(person: AgentId, subscription: PushSubscription): Promise<{ id: string }>
  unsubscribe(person: AgentId, id: string): Promise<void>
  test(person: AgentId, channel: PostChannelTest['channel'], browser: string | null): Promise<TriedAnswer>
  settingsChanged(person: AgentId): void
}

/** Counters of the gateway. Called for each request: each call must be cheap and must not throw. */
export type HttpMeter = {
  /** An answer has ended. status: null when the connection closed before; ms: since the request. */
  answered(method: string, status: number | null, ms: number): void
  refused(code: string): void
  /** An answer or the accept of a connection failed because the system refused a file: EMFILE, ENFILE, EIO. */
  short(code: string): void
  /** outcome: `done`, or the code of the refusal. */
  signedIn(way: 'password' | 'link' | 'company', outcome: string): void
}

/** Counters of the sockets. view: null for messages of no view. */
export type SocketMeter = {
  sent(event: ServerEvent, view: ParsedView['kind'] | null, bytes: number): void
}

/** GET /metrics: its text, and who may read it. */
export type MetricsPort = {
  readonly contentType: string
  text(): Promise<string>
  /** METRICS_TOKEN; null: reading by token is off. */
  token: string | null
  /** A proxy is configured: a loopback peer may then be any client. */
  hasProxy: boolean
}

/** The disk of the data folder. Bytes. */
type DiskPort = {
  /** null: the system does not say. */
  freeBytes(): Promise<number | null>
  /** With less than this free, the program is not ready. */
  leastBytes: number
}

export type GatewayParts = {
  engine: Engine
  store: Pick<
    Store,
    | 'journal'
    | 'archive'
    | 'bodies'
    | 'snapshots'
    | 'people'
    | 'accounts'
    | 'search'
    | 'steps'
    | 'counters'
    | 'envelopes'
    | 'clock'
  >
  /** Tasks that left the world, and opened ones. */
  past: RestoredTasks
  /** Tasks as they were. */
  moments: Pick<Moments, 'worldAt'>
  taskChanges: Pick<ChangesReader, 'of'>
  /** Archives of tasks that operators opened from files; `past` has their tasks. */
  opened: OpenedTasks
  /** The last entry that the search index holds. */
  searchedTo: () => number
  /** PUBLIC_URL, or null when people come by host and port. */
  publicUrl: string | null
  /** Which client a request comes from. */
  clients: Clients
  /** What one person may have at a time. */
  personLimits: PersonLimits
  /** The folder of files that agents may read and people can see; absolute. */
  workspace: string
  /** Keeps files that people save from being recorded as written by running tool calls; absent: no changes are recorded. */
  files?: Pick<FileWatch, 'aside'>
  /** Names of the tool servers that can reach the workspace. */
  fileServers: readonly string[]
  /** The folder that holds the rehearsal's documents; null: there are none. */
  samples: string | null
  /** The folder that holds the ready teams, a folder for each language; null: there are none. */
  teams: string | null
  version: string
  /** A running step without output for so long is shown as stale, ms; absent: the pages' own default. */
  staleAfterMs?: number
  /** What `llm_config` shows of each model, by its name. Keys and tokens are not in it. */
  models: () => Record<string, Json>
  /** Absent: nothing can be set up in the page. */
  setup?: SetupPort
  /** The model of that configured name. Throws ModelError when there is none. */
  modelOf: (name: string) => Model
  tools: ToolPort
  personCalls: PersonCallsPort
  outside: PeerPort
  /** Absent: nobody signs in by a provider. */
  company?: CompanyParts
  /** Absent: there are no notices outside the page. */
  notify?: NotifyPort
  trial: TrialPort
  log: Log
  meter: HttpMeter
  /** Absent: there is no /metrics. */
  metrics?: MetricsPort
  disk: DiskPort
  /** Has this node been unable to reach the deciding node for too long? Absent: it is the only node. */
  isCutOff?: () => boolean
  /** Has this node the workspace? Without it people would leave files where nobody finds them: it serves none. */
  hasFiles: boolean
  /** Does the program stop, before stop() says so? */
  isDraining: () => boolean
  /** Epoch ms. */
  now: () => number
  /** n random bytes, fit for secrets. */
  random: (n: number) => Uint8Array
}
