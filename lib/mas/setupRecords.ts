/**
 * What people can make and change in the page of what the configuration file says, beside what the file says.
 *
 * A kind of it (agent, person, model, tool server, the team) is one row of `SetupValues`; the rules of that kind are one row in
 * commands/setup/rules.ts. server/config/README.md says how to add one.
 */
import type { AgentId } from './ids'
import type { AgentConfig } from './records/agents'
import type { Json } from './records/values'

/** env: the name of an environment variable. stored: the id of a key that was typed into the page; the key itself is in the accounts. */
export type KeyRef = { env: string } | { stored: string }

/** An agent; its id in the file is the key of its record. start: false: agent_manager may make it later. */
export type AgentSetup = Omit<AgentConfig, 'id' | 'configId' | 'kind' | 'access' | 'outside'> & {
  agent: AgentId
  start: boolean
}

/** Of a model, what the page can change. Whatever else the file says of it stays the file's. */
export type ModelSetup = {
  provider: string
  baseUrl: string | null
  /** As its server knows it. */
  model: string | null
  key: KeyRef | null
  temperature: number | null
  contextTokens: number
  /** US dollars per million tokens. */
  price: { input: number; output: number; cached: number | null } | null
  structured: 'auto' | 'json_schema' | 'tags'
  reasoningEffort: (typeof REASONING_EFFORTS)[number] | null
  /** Further fields of the request. */
  extra: Record<string, Json>
  /** What it takes beside text. */
  accepts: ('image' | 'audio')[]
  timeLimitMs: number
  /** Calls at once, for all models at one address together. */
  parallel: number
}
export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

export type ConfirmRule = 'risky' | 'always' | 'never'

/** Of a tool server, what the page shows and changes; env, sign-in and limits stay the file's. */
export type ToolSetup = {
  /** null: a child process. */
  address: string | null
  /** null: reached by its address. */
  command: string | null
  args: string[]
  /** key null: the file gives its value. */
  headers: { name: string; key: KeyRef | null }[]
  guide: string
  confirm: ConfirmRule
  /** By tool, where it differs. */
  rules: Record<string, ConfirmRule>
}

/** A person; their id in the file is the key of their record. Passwords and channels are not in it. */
export type HumanSetup = Pick<AgentConfig, 'name' | 'role' | 'profile' | 'groups' | 'tools' | 'access'> & {
  agent: AgentId
}

/** One record, with the id `team`. model: of agents that name none. */
type TeamSetup = { model: string }

export type SetupValues = {
  agent: AgentSetup
  human: HumanSetup
  model: ModelSetup
  tool: ToolSetup
  team: TeamSetup
}
export type SetupKind = keyof SetupValues
export const SETUP_KINDS = ['team', 'model', 'tool', 'agent', 'human'] as const satisfies readonly SetupKind[]
export const TEAM_ID = 'team'
export const DEFAULT_MODEL = 'default'

/** A value as an event and a command hold it; null: it is not there. */
export type SetupEntry<Of extends SetupKind = SetupKind> = {
  [Kind in Of]: { kind: Kind; id: string; value: SetupValues[Kind] | null }
}[Of]

/** One change. by: the person, or null where the file replaced what the page said. before: what was there; null: nothing. */
type SetupChange<Value> = { seq: number; at: number; by: AgentId | null; before: Value | null }

/**
 * file     as it was last read; null: the file does not name it
 * page     what the page made of it; null: it is as the file says
 * changes  the newest CHANGES_KEPT, the last one last; older ones are in the journal
 */
export type SetupRecord<Value> = {
  id: string
  file: Value | null
  page: { value: Value | null } | null
  changes: readonly SetupChange<Value>[]
}
export const CHANGES_KEPT = 20

export type Setup = { readonly [Kind in SetupKind]: Readonly<Record<string, SetupRecord<SetupValues[Kind]>>> }
export const EMPTY_SETUP: Setup = { agent: {}, human: {}, model: {}, tool: {}, team: {} }

/** What the file says, by kind and id. */
export type SetupFile = { [Kind in SetupKind]: Record<string, SetupValues[Kind]> }
