import type { Transport } from '@modelcontextprotocol/client'
import type { CONFIRM_RULES } from '@/lib/mas/setup/setupFields'
import type { ConfiguredToolServer } from '../shared/toolServer'
import type { Unread } from './foreign/unread'
import type { SignInKeeping } from './servers/signIn'

/** A server of the pool. `inside`: it runs in this process and has no command or baseurl; opens our end of a connection. */
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
  /** A person is asked first (by annotations, then by configured rules). */
  confirm: boolean
  /** As configured for this tool or its whole server. No rule of an operator loosens `always`. */
  confirmRule: (typeof CONFIRM_RULES)[number]
  /** A person who runs it by hand sees the call first; not if it is read-only, or configured so. */
  confirmByHand: boolean
  /** Safe to repeat when its effect is unknown: read-only, idempotent, or configured so. */
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
  /** The server's instructions, shortened. */
  instructions?: string
  tools: ToolInfo[]
  resources: ResourceInfo[]
  prompts: PromptInfo[]
  /** What of its lists could not be read. */
  unread: Unread[]
}

/** For a resource, `arguments.uri` selects it; without it `name` is looked up among names and uris. */
export type ToolCall = { kind: 'tool' | 'resource' | 'prompt'; name: string; arguments: Record<string, unknown> }

/** The server's audience, priority (0 to 1) and modification time of a part. */
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

/** Reported progress of a running call. */
export type ToolProgress = { progress: number; total?: number; message?: string }

/** `isError`: the tool itself failed, which is an outcome for the agent. `progress`: the last reports. */
export type ToolResult = {
  isError: boolean
  content: ToolContent[]
  structured?: unknown
  progress?: ToolProgress[]
  /** What of the answer could not be read as it was given; left out: nothing. */
  unread?: Unread[]
}

export type ToolFaultCode =
  | 'TOOL_TRANSPORT'
  | 'TOOL_TIME_LIMIT'
  | 'TOOL_UNKNOWN'
  | 'TOOL_ARGUMENTS'
  | 'TOOL_ABORTED'
  | 'TOOL_TOO_LARGE'
  | 'TOOL_INPUT_REQUIRED'

/** input: what the server needs before it answers; the call may be sent again with it (`answers`), at any later time. */
export type ToolFault = { ok: false; code: ToolFaultCode; message: string; input?: InputRequired }
export type ToolOutcome = { ok: true; result: ToolResult } | ToolFault
type DescribeOutcome = { ok: true; description: ServerDescription } | ToolFault

/** A server's question to a person: a form, or a page to open. */
export type ServerQuestion =
  | { mode: 'form'; message: string; schema: unknown }
  | { mode: 'url'; message: string; url: string }

export type QuestionAnswer = { action: 'accept'; content?: Record<string, unknown> } | { action: 'decline' | 'cancel' }

/** state: given back with the answers as it is. No questions: the call is sent again at once. */
export type InputRequired = { questions: { key: string; question: ServerQuestion }[]; state: string | null }

/** Answers to what a server needed before it answers a call, by the keys of its questions. */
export type CallAnswers = { answers: Record<string, QuestionAnswer>; state: string | null }

/** A server's request to a model. `text` of a non-text part describes it. */
export type SamplingRequest = {
  system: string | null
  messages: { role: 'user' | 'assistant'; text: string }[]
  maxTokens: number
  /** A person must approve it before the model gets it. */
  asksFirst: boolean
}

export type SamplingAnswer =
  | { ok: true; text: string; model: string; stop: 'endTurn' | 'maxTokens' }
  | { ok: false; reason: string }

/** Answer the server's requests during a call. The signal aborts with the request or the call. */
export type ServerRequestHandlers = {
  question(question: ServerQuestion, signal: AbortSignal): Promise<QuestionAnswer>
  sample(wish: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer>
  /** It answers nothing: on a connection shared by many, other calls for the same people are asked first. */
  asksNobody?: true
}

/** The ids of the caller. */
export type ToolCaller = { agent: string; task: string; stage: string | null; step: string }

export type ToolCallOptions = {
  signal?: AbortSignal
  timeLimitMs?: number
  onProgress?: (progress: ToolProgress) => void
  /** Left out: questions are cancelled and sampling is refused. */
  asks?: ServerRequestHandlers
  /** The call is sent again, with what its server had asked for. */
  answers?: CallAnswers
  /** Calls of one group (a task) belong to the same people. */
  group?: string
  /** Passed only to servers in this process. */
  caller?: ToolCaller
  /** Is this path below the server's root hidden from the caller? Left out: none is. */
  isHidden?: (path: string) => boolean
}

/** needs_sign_in: a person must sign in at the remote server. */
export type ToolServerState = 'idle' | 'connecting' | 'connected' | 'failed' | 'needs_sign_in'
export type ServerStatus = {
  name: string
  guide: string
  state: ToolServerState
  /** It has an address, and so may require a sign-in. */
  isRemote: boolean
  lastError?: string
  /** The page to open; for operators only, as it belongs to a sign-in. */
  signInUrl?: string
}

export interface ToolPool {
  servers(): ServerStatus[]
  describe(server: string, signal?: AbortSignal): Promise<DescribeOutcome>
  call(server: string, call: ToolCall, options: ToolCallOptions): Promise<ToolOutcome>
  close(): Promise<void>
}

export interface ChangingPool {
  /** Replaces the servers; unchanged ones stay connected. out: names of new and changed ones */
  apply(configs: readonly ToolServerConfig[]): string[]
}

/** Sign-in at remote servers, by operators. */
export interface SignInFlow {
  /** Begin a sign-in. out: the page to open; url null: the server requires none (any more) */
  signIn(server: string): Promise<{ ok: true; url: string | null } | ToolFault>
  /** The answer of the sign-in page; iss: who gave it, where it says so. out: the server's name */
  finishSignIn(answer: {
    state: string
    code: string
    iss?: string | undefined
  }): Promise<{ ok: true; server: string } | ToolFault>
}

type LogLine = (data: Record<string, unknown>, message: string) => void
/** The part of a pino logger that the pool uses. */
export type ToolLog = { debug: LogLine; info: LogLine; warn: LogLine; error: LogLine }

export type ToolPoolOptions = {
  log: ToolLog
  /** For starting a server, and for each request of its description; default: 20 s. */
  connectTimeLimitMs?: number
  /** How long the tools of a server, once they are known, wait for its other lists; default: 3 s. */
  graceMs?: number
  /** Sign-in settings; left out: a server that requires a sign-in is unusable. */
  signIn?: {
    keeping: SignInKeeping
    /** Redirect address of sign-ins: /api/tools/oauth/callback of this program. */
    redirectUrl: () => string
  }
}
