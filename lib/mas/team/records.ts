/** Agents, the team, their work and their notes. */

import type { AgentId, ConversationId, MessageId, RequestId, StageId, StepId, TaskId, WaitingId } from '../ids'
import type { BudgetKind, BudgetName } from '../limits/budgets'
import type { OutsideIdentity } from '../outside/records'
import type { Changed, Language } from '../records/values'
import type { AgentFields } from '../setup/schemas/members'
import type { ToolRule } from '../steps/toolRuleRecords'
import type { Access, SkillName } from './abilities'

export type WorkingState = 'idle' | 'working' | 'waiting'

/** A pause: who paused, why, since when (epoch ms). */
export type Pause = { by: AgentId; reason: string; at: number }

export type TeamRecord = {
  name: string
  language: Language
  limits: Limits
  /** Agents that agent_manager may instantiate, by configured id. */
  startable: AgentConfig[]
  /** Guides of the tool servers that are configured, by server name. */
  toolGuides: Record<string, string>
  /** The purpose of each skill. */
  skillGuides: Partial<Record<SkillName, string>>
  /** Names of the configured models. */
  models: string[]
  /** The model of agents that name `default`; absent: the one of that name. */
  model?: string
  /** Allowed commands of tool servers that are added in the page; absent: none. */
  toolsAllowed?: string[]
  /** People decide about all plans of managers before they begin; absent: about those of tasks for which it was asked. */
  reviewPlans?: true
  /** True while every agent's model is the rehearsal. */
  rehearsal: boolean
}

/** Budgets: absent or null: no limit; costs in USD. */
export type Limits = {
  stepsPerPart: number
  reflectionsPerPart: number
  talkInARow: number
} & { [Name in BudgetName]?: number | null }

export type LimitKind = 'steps' | 'reflections' | 'talk' | BudgetKind

/** An unknown price is null, never 0. */
export type Spent = { tokens: number; costUsd: number | null }

/** Work stopped at a limit. of: as in `budget.reached`; day: of a limit for one day (UTC): when it ends the work continues */
export type LimitStop = { request: RequestId; limit: LimitKind; of: AgentId | null; day?: string }

/** The cost of a task, and the work stopped at a limit. Keys are those of selectors/agents/limits. */
export type BudgetRecord = {
  tokens: number
  costUsd: number
  /** The cost of the thread in which the task was requested; absent: no thread, or no cost. */
  setUp?: Spent
  /** Messages of agents since the last tool result, change of state or message of a person. */
  talk: number
  /** Amounts that people allowed beyond the limits, by key and limit. */
  allowed: Record<string, number>
  /** null: no work is stopped. */
  stops: Record<string, LimitStop> | null
  /** Limits reported at 80 %. */
  warned: string[]
}

/** outside: only for that kind: its peer */
export type AgentConfig = Omit<AgentFields, 'start'> & {
  id: AgentId
  configId: string
  kind: 'llm' | 'human' | 'outside'
  access: Access
  outside?: OutsideIdentity
}

/** What an agent has unless its configuration says otherwise. */
export const PLAIN_AGENT = {
  groups: [],
  manager: false,
  mayWait: false,
  model: '',
  skills: [],
  tools: [],
  access: 'none',
} satisfies Partial<AgentConfig>

export type AgentRecord = Omit<AgentConfig, 'configId'> & {
  /** The id in the configuration file; null if created at run time. */
  configId: string | null
  paused: Pause | null
  /** For its calls in every task; absent: none. */
  toolRules?: readonly ToolRule[]
  removed: boolean
  createdAt: number
  changedAt: Changed
}

export type MemoryNote = {
  key: string
  text: string
  task: TaskId | null
  at: number
  seq: number
  /** Written by the program for this conversation with another system, and removed when it is closed; absent: a note of the agent. */
  conversation?: ConversationId
}

export type StepRef = { task: TaskId; step: StepId }

export type LockOutcome = 'answered' | 'released' | 'expired' | 'failed' | 'ended'

/** One waiting id of an agent's lock. */
export type LockRecord = {
  id: WaitingId
  kind: 'message' | 'confirm'
  task: TaskId
  stage: StageId | null
  step: StepId
  /** The member waited for; null if several may decide (a confirmation). */
  on: AgentId | null
  message: MessageId | null
  request: RequestId | null
  at: number
  /** When it expires, epoch ms; absent: never. */
  due?: number
}

/** The work of an agent: its queue in list order, the running step, its waits. */
export type WorkRecord = {
  todo: StepRef[]
  running: StepRef | null
  locks: LockRecord[]
}
