/** Tasks and their stages. */

import type { AgentId, StageId, TaskId, ThreadId } from '../ids'
import type { Pause } from './agents'

export type ExecutionState = 'init' | 'running' | 'finished' | 'failed'

export type PartState = 'idle' | 'working' | 'finished' | 'failed'

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
  /** Labelled load, never shown as work. */
  load: boolean
  /** It is a conversation with another system: it rests without having ended. */
  conversation?: true
  createdAt: number
  endedAt: number | null
}

export type InfoLine = { agent: AgentId; role: string; stage: StageId | null; content: string; at: number }

export type StageRecord = {
  id: StageId
  task: TaskId
  intention: string
  allocation: Record<AgentId, string>
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
