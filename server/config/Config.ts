/** The checked configuration in the server's own terms. It holds the names of secrets; `secret(name)` gives values. */
import type { PeerLimits, SignatureForm } from '@/lib/mas/outsideRecords'
import type { AgentConfig, Json, Language, Limits, SkillName } from '@/lib/mas/records'
import type { SetupFile } from '@/lib/mas/setupRecords'
import type { CardDevice, CardOwner } from '@/lib/protocols/mamp'

export type Config = {
  /** The file that was read; absolute. */
  file: string
  /** What a person should know although nothing is wrong, such as a password variable that is not set. */
  warnings: string[]
  host: string
  /** 0: any free one. */
  port: number
  /** PUBLIC_URL without a slash at its end; null when people come by host and port. */
  publicUrl: string | null
  /** Addresses and ranges (CIDR) of the proxies whose X-Forwarded headers count. */
  trustedProxies: string[]
  /** null: the embedded store. */
  databaseUrl: string | null
  /** With PostgreSQL at the same time. */
  sessions: number | undefined
  /** The name of this process among the nodes. */
  node: string
  /** Absolute. */
  dataFolder: string
  /** The folder of files that agents may read and people can see; absolute. */
  workspaceFolder: string
  /** CONVENE_BENCH=1: load may be driven through the journal. */
  bench: boolean
  team: TeamConfig
  /** By name; `default` is always there. */
  models: Record<string, ModelConfig>
  agents: ConfiguredAgent[]
  humans: ConfiguredHuman[]
  tools: ConfiguredToolServer[]
  /** How long prompts, results and files of archived tasks are kept; null: permanently. */
  archives: { keepDays: number | null }
  /** Versions of each file of the workspace that are listed. */
  files: { versions: number }
  limits: Limits & { tokensPerTask: number | null; costPerTask: number | null; costPerDay: number | null }
  notify: NotifyConfig
  rehearsal: RehearsalConfig
  peers: PeerConfig[]
  actions: ActionConfig[]
  /** What the page can change of models and tool servers, as the file says it: without secrets and without places on this machine. */
  setup: Pick<SetupFile, 'model' | 'tool'>
  toolsAllowed: string[]
  /** May models and tool servers that are added in the page lie in a private network? */
  allowPrivate: boolean | 'loopback'
  /** The value of an environment variable that the file or an operator may name; undefined when it is not set. */
  secret(name: string): string | undefined
}

export type TeamConfig = {
  name: string
  language: Language
  /** Of agents that name none. */
  model: string
  domain: string | null
  /** On the cards of our agents, in the keys of MAMP. */
  owner: CardOwner
  device: CardDevice
  allowedAgents: string[]
  public: boolean
  requireAuth: boolean
  trajectory: boolean
  /** What runs and says nothing for so long is shown as stale. */
  staleAfterMs: number
}

export type ModelConfig = {
  name: string
  provider: 'rehearsal' | 'openai' | 'ollama' | 'recording' | 'person'
  baseUrl: string | null
  model: string | null
  keyEnv: string | null
  /** May its address lie in a private network? Left out: it may. */
  allowPrivate?: boolean | 'loopback'
  temperature: number | null
  contextTokens: number
  /** Of an answer, by skill; `default`: of all others. null: as the server likes. */
  maxTokens: Partial<Record<SkillName | 'default', number>> | null
  /** Whether answers are asked for as an object whose keys are the tags; auto: until the server refuses it. */
  structured: 'auto' | 'json_schema' | 'tags'
  reasoningEffort: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' | null
  /** Further fields of the request. */
  extra: Record<string, Json>
  /** What it takes beside text. */
  accepts: ('image' | 'audio')[]
  timeLimitMs: number
  /** Until the first sign of an answer; null: timeLimitMs. */
  firstTokenLimitMs: number | null
  connectLimitMs: number
  /** Calls at once, for all models at one address together. */
  parallel: number
  /** US dollars per million tokens; cached null: as input. */
  price: { input: number; output: number; cached: number | null } | null
  /** The folder that answers are written to; absolute. */
  record: string | null
  /** The folder that provider `recording` plays from; absolute. */
  play: string | null
}

/** `start: false`: not instantiated at start; agent_manager may do it later. `skills` are the names themselves, never "all". */
export type ConfiguredAgent = { agent: AgentConfig; start: boolean }

export type ConfiguredHuman = {
  agent: AgentConfig
  /** A plain password in the environment; it wins at each start. */
  passwordEnv: string | null
  passwordHash: string | null
  channels: { email: string | null; webhook: string | null }
}

export type ConfirmRule = 'risky' | 'always' | 'never'

/** `env` holds values from the environment: only the tool pool gets this. */
export type ConfiguredToolServer = {
  name: string
  command?: string
  args?: string[]
  env?: Record<string, string>
  baseurl?: string
  /** Values from the environment, as `env`. */
  headers?: Record<string, string>
  /** May its address lie in a private network? Left out: it may. */
  allowPrivate?: boolean | 'loopback'
  oauth?: ToolSignInConfig
  sampling: 'ask' | 'always' | 'never'
  timeLimitMs?: number
  /** A call that tells its progress may take this long in all. */
  longestMs?: number
  guide: string
  confirm: ConfirmRule
  repeat: string[]
  tools: Record<string, { confirm?: ConfirmRule }>
  /** Paths under it are shown relative to it. Set when the server is started on the workspace. */
  root?: string
}

/** How we sign in at a remote server. Secrets are values from the environment, for the tool pool alone. */
export type ToolSignInConfig = {
  grant: 'authorization_code' | 'client_credentials'
  clientId?: string
  clientSecret?: string
  privateKey?: string
  algorithm?: string
  scope?: string
  clientMetadataUrl?: string
  issuer?: string
}

export type NotifyConfig = {
  smtpEnv: string | null
  mailFrom: string | null
  /** For everyone who names none of their own. */
  webhook: string | null
  webhookKeyEnv: string | null
  /** Webhooks and push services may lie in a private network. */
  allowPrivate: boolean
  times: NotifyTimes
  escalation: { group: string; afterMs: number }[]
}

/** All in ms after something began to call for a person. */
export type NotifyTimes = {
  /** Their own channels, when they have a page open and do not react. */
  ownMs: number
  /** Their own channels, when they have no page open. */
  noPageMs: number
  /** Again every so often, up to `untilMs`. */
  againMs: number
  untilMs: number
  /** Acknowledged and not answered for so long: it rings again; 0: never. */
  raiseAgainMs: number
  /** An Action open for so long is reported again, then every `openAgainMs`; 0: never. */
  openMs: number
  openAgainMs: number
}

export type RehearsalConfig = {
  delayMs: number
  faults: { call: number; kind: 'malformed' | 'slow' | 'rate_limited'; agent: string | null }[]
  load: boolean
}

/** parameters: their JSON schema. */
export type ActionConfig = {
  name: string
  agent: string
  description: string
  asks: string
  parameters: Record<string, unknown>
}

export type PeerConfig = {
  uri: string
  baseUrl: string
  keyEnv: string | null
  sendKeyEnv: string | null
  signingKeyEnv: string | null
  signature: SignatureForm
  may: ('mamp' | 'a2a' | 'harmony' | 'map')[]
  actions: string[]
  agents: string[]
  allowPrivate: boolean
  /** How much work its agents may ask for; null: nothing is said. */
  limits: PeerLimits | null
}
