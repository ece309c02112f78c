/** The checked configuration in the server's own terms. It holds the names of secrets; `secret(name)` gives values. */
import type { AgentConfig, ConfiguredChannel } from '@/lib/mas/records'
import type { KeyRef, SetupFile } from '@/lib/mas/setup/setupRecords'
import type { PersonLimits } from '../shared/limits'
import type { PackageSections } from '../shared/packages'
import type { ConfiguredToolServer } from '../shared/toolServer'
import type { Surroundings } from './environment'
import type { ConfigFile, TeamLimitsSection } from './schema'

export type Config = Surroundings & {
  /** Hints although nothing is wrong, such as a password variable that is not set. */
  warnings: string[]
  /** Addresses and ranges (CIDR) of the proxies whose X-Forwarded headers count. */
  trustedProxies: string[]
  team: ConfigFile['team']
  /** By name; `default` is always there. */
  models: Record<string, ModelConfig>
  agents: ConfiguredAgent[]
  humans: ConfiguredHuman[]
  tools: ConfiguredToolServer[]
  /** Retention of prompts, results and files of archived tasks; null: permanent. */
  archives: ConfigFile['archives']
  /** Versions of each file of the workspace that are listed. */
  files: ConfigFile['files']
  limits: TeamLimitsSection
  personLimits: PersonLimits
  notify: NotifyConfig
  /** Of packages. */
  sections: PackageSections
  peers: ConfigFile['peers']
  actions: ActionConfig[]
  /** The part of models and tool servers that the page can change, as configured: without secrets and local paths. */
  setup: Pick<SetupFile, 'model' | 'tool'>
  toolsAllowed: string[]
  /** May models and tool servers added in the page be in a private network? */
  allowPrivate: boolean | 'loopback'
  /** The value of an environment variable that the file or an operator may name; undefined: not set. */
  secret(name: string): string | undefined
}

/** As the file and the page say, with its key as the page names it. */
export type ModelConfig = Omit<ConfigFile['models'][string], 'keyEnv' | 'keyStored'> & {
  name: string
  key: KeyRef | null
  /** May its address be in a private network? Left out: yes. */
  allowPrivate?: boolean | 'loopback'
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

export type NotifyConfig = ConfigFile['notify']

type ActionConfig = { name: string } & ConfigFile['actions'][string]
