/** Owns: the words of the tool pool (what goes in, what comes out). Not here: any behaviour. Used by: server/skills, server/engine, server/gateway, and every file of this folder. */

export type ConfirmRule = 'risky' | 'always' | 'never'

/** One configured server: `command` starts a child process (stdio), `baseurl` reaches a remote one. */
export type ToolServerConfig = {
  name: string
  command?: string
  args?: string[]
  env?: Record<string, string>
  baseurl?: string
  /** How agents should use it; shown in their prompts. */
  guide: string
  confirm: ConfirmRule
  /** Tools that may run again after a crash although their annotations do not say so. */
  repeat: string[]
  tools: Record<string, { confirm?: ConfirmRule }>
  timeLimitMs?: number
  /** Absolute paths under this folder are shown relative to it in errors and in the texts of error results. */
  root?: string
}

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
  /** Safe to run again when nobody knows whether it ran: read-only, idempotent, or configured so. */
  repeatable: boolean
}

/** A resource template appears with its template as `uri`: `notes://{day}`. */
export type ResourceInfo = { uri: string; name: string; mimeType?: string; description?: string }

export type PromptInfo = {
  name: string
  description?: string
  arguments: { name: string; required: boolean; description?: string }[]
}

export type ServerDescription = {
  server: string
  guide: string
  capabilities: string[]
  tools: ToolInfo[]
  resources: ResourceInfo[]
  prompts: PromptInfo[]
}

/** For a resource, `arguments.uri` says which; without it `name` is looked up among the names and uris. */
export type ToolCall = { kind: 'tool' | 'resource' | 'prompt'; name: string; arguments: Record<string, unknown> }

export type ToolContent =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; uri: string; mimeType?: string; text?: string; blob?: string }
  | { type: 'resource_link'; uri: string; name: string; mimeType?: string; description?: string }

/** `isError` is the tool's own "this did not work": an outcome for the agent to read, no fault of the pool. */
export type ToolResult = { isError: boolean; content: ToolContent[]; structured?: unknown }

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

export type ServerState = 'idle' | 'connecting' | 'connected' | 'failed'
export type ServerStatus = { name: string; guide: string; state: ServerState; lastError?: string }

export interface ToolPool {
  servers(): ServerStatus[]
  describe(server: string, signal?: AbortSignal): Promise<DescribeOutcome>
  call(server: string, call: ToolCall, options: { signal?: AbortSignal; timeLimitMs?: number }): Promise<ToolOutcome>
  close(): Promise<void>
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
}
