import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { ConfiguredToolServer } from '../shared/toolServer'
import type { SignInKeeping } from './signIn'

/** A server of the pool: `inside` is one that runs in this process, in place of command and baseurl: our end of a connection to it. */
export type ToolServerConfig = ConfiguredToolServer & { inside?: () => Promise<Transport> }

export type ToolInfo = {
  server: string
  name: string
  title?: string
  description?: string
  inputSchema: unknown
  outputSchema?: unknown
  required: string[]
  readOnly: boolean
  destructive: boolean
  idempotent: boolean
  openWorld: boolean
  /** A person is asked first (annotations, then the configured rules). */
  confirm: boolean
  /** The configuration says so of this tool, or of all of its server: only an operator can say otherwise, for one task. */
  alwaysConfirms: boolean
  /** A person who runs it by hand sees first what would run: unless it only reads, or configured so. */
  confirmByHand: boolean
  /** Safe to run again when it is unknown whether it ran: read-only, idempotent, or configured so. */
  repeatable: boolean
}

/** A resource template appears with its template as `uri`: `notes://{day}`. */
export type ResourceInfo = { uri: string; name: string; title?: string; mimeType?: string; description?: string }

export type PromptInfo = {
  name: string
  title?: string
  description?: string
  arguments: { name: string; required: boolean; description?: string }[]
}

export type ServerDescription = {
  server: string
  guide: string
  capabilities: string[]
  /** What the server says about using it, cut when it is long. */
  instructions?: string
  tools: ToolInfo[]
  resources: ResourceInfo[]
  prompts: PromptInfo[]
}

/** For a resource, `arguments.uri` says which; without it `name` is looked up among the names and uris. */
export type ToolCall = { kind: 'tool' | 'resource' | 'prompt'; name: string; arguments: Record<string, unknown> }

/** For whom a part is meant, how much it matters (0 to 1), and of when it is: as the server says. */
export type Annotations = { audience?: ('user' | 'assistant')[]; priority?: number; lastModified?: string }

export type ToolContent = { annotations?: Annotations } & (
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; uri: string; mimeType?: string; text?: string; blob?: string }
  | {
      type: 'resource_link'
      uri: string
      name: string
      title?: string
      mimeType?: string
      description?: string
      size?: number
    }
)

/** How far a running call is, as the server tells it. */
export type ToolProgress = { progress: number; total?: number; message?: string }

/** `isError`: the tool's own failure, an outcome for the agent. `progress`: the last lines that the call reported. */
export type ToolResult = { isError: boolean; content: ToolContent[]; structured?: unknown; progress?: ToolProgress[] }

export type ToolFaultCode =
  | 'TOOL_TRANSPORT'
  | 'TOOL_TIME_LIMIT'
  | 'TOOL_UNKNOWN'
  | 'TOOL_ARGUMENTS'
  | 'TOOL_ABORTED'
  | 'TOOL_TOO_LARGE'

export type ToolFault = { ok: false; code: ToolFaultCode; message: string }
export type ToolOutcome = { ok: true; result: ToolResult } | ToolFault
export type DescribeOutcome = { ok: true; description: ServerDescription } | ToolFault

/** What a server wants to know of a person: fields of a form, or a page that is to be opened. */
export type ServerQuestion =
  | { mode: 'form'; message: string; schema: unknown }
  | { mode: 'url'; message: string; url: string }

export type QuestionAnswer = { action: 'accept'; content?: Record<string, unknown> } | { action: 'decline' | 'cancel' }

/** What a server wants a model to say. `text` of a part that is no text says what it is. */
export type SamplingRequest = {
  system: string | null
  messages: { role: 'user' | 'assistant'; text: string }[]
  maxTokens: number
  /** A person is to see it before the model does. */
  asksFirst: boolean
}

export type SamplingAnswer =
  | { ok: true; text: string; model: string; stop: 'endTurn' | 'maxTokens' }
  | { ok: false; reason: string }

/** The caller answers the server's questions during a call. The signal ends with the question or with the call. */
export type ServerRequestHandlers = {
  question(question: ServerQuestion, signal: AbortSignal): Promise<QuestionAnswer>
  sample(wish: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer>
}

/** On whose behalf a call is made, by their ids. */
export type ToolCaller = { agent: string; task: string; stage: string | null; step: string }

export type ToolCallOptions = {
  signal?: AbortSignal
  timeLimitMs?: number
  onProgress?: (progress: ToolProgress) => void
  /** Without it questions are cancelled and sampling is refused. */
  asks?: ServerRequestHandlers
  /** Calls of one group (a task) have the same people behind them. */
  group?: string
  /** Told to servers that run in this process, and to no other. */
  caller?: ToolCaller
  /** May the caller not see this path below the server's root? Left out: it may see all. */
  isHidden?: (path: string) => boolean
}

/** needs_sign_in: a remote server asks for a sign-in that only a person can do. */
export type ToolServerState = 'idle' | 'connecting' | 'connected' | 'failed' | 'needs_sign_in'
export type ServerStatus = {
  name: string
  guide: string
  state: ToolServerState
  /** Reached by an address: one that may ask for a sign-in. */
  isRemote: boolean
  lastError?: string
  /** The page that a person is to open; for operators only, as it is part of a sign-in. */
  signInUrl?: string
}

export interface ToolPool {
  servers(): ServerStatus[]
  describe(server: string, signal?: AbortSignal): Promise<DescribeOutcome>
  call(server: string, call: ToolCall, options: ToolCallOptions): Promise<ToolOutcome>
  close(): Promise<void>
}

export interface ChangingPool {
  /** Replaces the servers; unchanged ones stay connected. out: names that are new or changed. */
  apply(configs: readonly ToolServerConfig[]): string[]
}

/** Signing in at remote servers, by operators. */
export interface SignInFlow {
  /** Begin a sign-in: the page that a person is to open; null when the server asks for none (any more). */
  signIn(server: string): Promise<{ ok: true; url: string | null } | ToolFault>
  /** What the sign-in page sent back. out the server's name */
  finishSignIn(answer: { state: string; code: string }): Promise<{ ok: true; server: string } | ToolFault>
}

type LogLine = (data: Record<string, unknown>, message: string) => void
/** The part of a pino logger that the pool uses. */
export type ToolLog = { debug: LogLine; info: LogLine; warn: LogLine; error: LogLine }

export type ToolPoolOptions = {
  log: ToolLog
  /** For starting a server and each question of its description; 20 s unless told. */
  connectTimeLimitMs?: number
  /** Epoch ms; only for the durations in the log. */
  now?: () => number
  /** How to sign in where servers ask for it; without it such a server says that nothing is configured. */
  signIn?: {
    keeping: SignInKeeping
    /** Where the sign-in page sends people back to: /api/tools/oauth/callback of this program. */
    redirectUrl: () => string
  }
}
