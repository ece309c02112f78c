/** The checked configuration in the server's own terms. It holds the names of secrets; `secret(name)` gives values. */
import type { PeerLimits } from '@/lib/mas/outsideRecords'
import type { AgentConfig, ConfiguredChannel } from '@/lib/mas/records'
import type { SetupFile } from '@/lib/mas/setupRecords'
import type { PersonLimits } from '../shared/limits'
import type { ConfiguredToolServer } from '../shared/toolServer'
import type { Camel } from './camelKeys'
import type { Surroundings } from './environment'
import type { ConfigFile, TeamLimitsSection } from './schema'

export type Config = Surroundings & {
  /** Hints although nothing is wrong, such as a password variable that is not set. */
  warnings: string[]
  /** Addresses and ranges (CIDR) of the proxies whose X-Forwarded headers count. */
  trustedProxies: string[]
  team: TeamConfig
  /** By name; `default` is always there. */
  models: Record<string, ModelConfig>
  agents: ConfiguredAgent[]
  humans: ConfiguredHuman[]
  tools: ConfiguredToolServer[]
  /** Retention of prompts, results and files of archived tasks; null: permanent. */
  archives: Camel<ConfigFile['archives']>
  /** Versions of each file of the workspace that are listed. */
  files: ConfigFile['files']
  limits: Camel<TeamLimitsSection>
  personLimits: PersonLimits
  notify: NotifyConfig
  rehearsal: RehearsalConfig
  peers: PeerConfig[]
  actions: ActionConfig[]
  /** The part of models and tool servers that the page can change, as configured: without secrets and local paths. */
  setup: Pick<SetupFile, 'model' | 'tool'>
  toolsAllowed: string[]
  /** May models and tool servers added in the page be in a private network? */
  allowPrivate: boolean | 'loopback'
  /** The value of an environment variable that the file or an operator may name; undefined: not set. */
  secret(name: string): string | undefined
}

type TeamConfig = Camel<ConfigFile['team']>

type ModelSection = Camel<ConfigFile['models'][string]>
export type ModelConfig = Omit<ModelSection, 'keyStored' | 'maxTokens' | 'price'> & {
  name: string
  /** May its address be in a private network? Left out: yes. */
  allowPrivate?: boolean | 'loopback'
  maxTokens: Exclude<ModelSection['maxTokens'], number>
  price: { input: number; output: number; cached: number | null } | null
}

/** `start: false`: created later by agent_manager only. `skills` are names; "all" is expanded. */
type ConfiguredAgent = { agent: AgentConfig; start: boolean }

type ConfiguredHuman = {
  agent: AgentConfig
  /** A plain password in the environment; it replaces the stored one at each start. */
  passwordEnv: string | null
  passwordHash: string | null
  channels: Record<ConfiguredChannel, string | null>
}

type NotifySection = Camel<ConfigFile['notify']>
export type NotifyConfig = Omit<NotifySection, 'times' | 'escalation'> & {
  times: Omit<Camel<NotifySection['times']>, 'ownChannelsMs'> & { ownMs: number }
  escalation: { group: string; afterMs: number }[]
}

type RehearsalConfig = Omit<Camel<ConfigFile['rehearsal']>, 'faults'> & {
  faults: Camel<ConfigFile['rehearsal']['faults'][number]>[]
}

type ActionConfig = { name: string } & ConfigFile['actions'][string]

type PeerConfig = Omit<Camel<ConfigFile['peers'][number]>, 'limits'> & { limits: PeerLimits | null }
