/** Agents, the team, what they have to do and what they noted. */
import type { AgentId, ConversationId, MessageId, RequestId, StageId, StepId, TaskId, WaitingId } from '../ids'
import type { OutsideIdentity } from '../outsideRecords'
import type { Language } from './values'

export type WorkingState = 'idle' | 'working' | 'waiting'
export type Access = 'participant' | 'operator' | 'developer' | 'none'

export const SKILLS = [
  'planning',
  'reflection',
  'summary',
  'instruction_generation',
  'think',
  'quick_think',
  'send_message',
  'process_message',
  'task_manager',
  'agent_manager',
  'ask_info',
  'tool_decision',
  'decision',
] as const
export type SkillName = (typeof SKILLS)[number]

export const isSkill = (name: string): name is SkillName => (SKILLS as readonly string[]).includes(name)

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
  /** What each skill is for; absent in entries from before it was kept. */
  skillGuides?: Record<SkillName, string>
  /** Names of the models that are configured; absent in entries from before they were kept. */
  models?: string[]
  /** The model of agents that name `default`; absent: the one of that name. */
  model?: string
  /** Commands that a tool server made in the page may be started with; absent: none. */
  toolsAllowed?: string[]
  /** True while no model but the rehearsal is configured. */
  rehearsal: boolean
}

export type Limits = {
  stepsPerPart: number
  reflectionsPerPart: number
  talkInARow: number
  /** Absent or null: as much as it takes. Money in USD. */
  tokensPerTask?: number | null
  costPerTask?: number | null
  costPerDay?: number | null
}

export type AgentLimits = { stepsPerPart?: number; reflectionsPerPart?: number }

export type LimitKind = 'steps' | 'reflections' | 'talk' | 'taskTokens' | 'taskCost' | 'dayCost'

/** An unknown price is null, never 0. */
export type Spent = { tokens: number; costUsd: number | null }

/** What a task has cost, and what a limit has stopped in it. Keys are those of selectors/limits. */
export type BudgetRecord = {
  tokens: number
  costUsd: number
  /** What the thread in which the task was asked for has cost, beside it; absent: no thread led to it, or nothing was paid there. */
  setUp?: Spent
  /** Messages of agents since the last tool result, change of state or word of a person. */
  talk: number
  /** What people allowed beyond the limits, by key and limit. */
  allowed: Record<string, number>
  /** null: no limit has stopped anything. */
  stops: Record<string, { request: RequestId; limit: LimitKind; of: AgentId | null }> | null
  /** Limits of which 80 % were told. */
  warned: string[]
}

export type AgentConfig = {
  id: AgentId
  configId: string
  kind: 'llm' | 'human' | 'outside'
  name: string
  role: string
  profile: string
  groups: string[]
  manager: boolean
  mayWait: boolean
  model: string
  skills: string[]
  tools: string[]
  access: Access
  /** In place of the team's, where they are said. */
  limits?: AgentLimits
  /** Only of kind outside: whose agent it is. */
  outside?: OutsideIdentity
}

export type AgentRecord = Omit<AgentConfig, 'configId'> & {
  /** The id in the configuration file, null when it was made at run time. */
  configId: string | null
  paused: Pause | null
  removed: boolean
  createdAt: number
}

export type MemoryNote = {
  key: string
  text: string
  task: TaskId | null
  at: number
  /** The program wrote it about this conversation with another system, and removes it when that is closed; left out: the agent's own. */
  conversation?: ConversationId
}

export type StepRef = { task: TaskId; step: StepId }

export type LockOutcome = 'answered' | 'released' | 'expired' | 'failed' | 'ended'

/** One waiting id that an agent's step lock holds. */
export type LockRecord = {
  id: WaitingId
  kind: 'message' | 'confirm'
  task: TaskId
  stage: StageId | null
  step: StepId
  /** The one waited for; null when several may decide (a confirmation). */
  on: AgentId | null
  message: MessageId | null
  request: RequestId | null
  at: number
  /** When the asker takes it as expired, epoch ms; absent: never. */
  due?: number
}

/** What an agent does and will do: its to-do queue in list order, what runs, what it waits for. */
export type WorkRecord = {
  todo: StepRef[]
  running: StepRef | null
  locks: LockRecord[]
}
