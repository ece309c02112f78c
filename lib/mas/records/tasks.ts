import type { AgentId, StageId, TaskId, ThreadId } from '../ids'
import type { Pause } from './agents'

export type ExecutionState = 'init' | 'running' | 'finished' | 'failed'

export type PartState = 'idle' | 'working' | 'finished' | 'failed'

/**
 * How an operator wants the calls of one tool handled in a task.
 *
 * allow   they run without asking; where the configuration says that the tool always asks, only if `overAlways`
 * ask     each is put to people first, whatever the configuration says
 */
export type ToolRule = {
  server: string
  tool: string
  rule: 'allow' | 'ask'
  overAlways: boolean
  by: AgentId
  at: number
}

export type TaskRecord = {
  id: TaskId
  name: string
  intention: string
  manager: AgentId
  group: AgentId[]
  /** Members that were removed earlier, and the last entry they may read. */
  former: Record<AgentId, number>
  base: boolean
  state: ExecutionState
  summary: string | null
  stageOrder: StageId[]
  requestedBy: AgentId | null
  requestedIn: { task: TaskId; thread: ThreadId } | null
  paused: Pause | null
  /** It is a conversation with another system: it rests without having ended. */
  conversation?: true
  /** One a tool; absent: none was ever set. */
  toolRules?: readonly ToolRule[]
  createdAt: number
  endedAt: number | null
}

export type InfoLine = { agent: AgentId; role: string; stage: StageId | null; content: string; at: number }
/** As an event has it: who said it and when stand beside it. */
export type SharedLine = Omit<InfoLine, 'agent' | 'at'>

export type StageRecord = {
  id: StageId
  task: TaskId
  /** Absent: it is called by the beginning of its goal. */
  name?: string
  /** Its goal. */
  intention: string
  allocation: Record<AgentId, string>
  /** Of a part, whose results it needs: it begins when their parts are finished. */
  needs?: Record<AgentId, AgentId[]>
  state: ExecutionState
  parts: Record<AgentId, PartState>
  /** Why a part failed. */
  partReasons: Record<AgentId, string>
  summaries: Record<AgentId, string>
  retryOf: StageId | null
  replacedBy: StageId | null
  reason: string | null
  /** The notice that asks the manager to judge went out. */
  judging: boolean
  createdAt: number
  startedAt: number | null
  endedAt: number | null
}
