/** The result of an executor: one outcome per step; its keys are the changes to make. */
import type { StepId } from './ids'
import type { Attachment, Cited, Json, ModelCall, StepResult, ToolInstruction } from './records'

/** <planned_step>, <reflection_step>, <decision_step>: one planned step. */
export type PlannedStep = { step_intention: string; type: 'skill' | 'tool'; executor: string; text_content: string }

/** The sender's part of a handoff packet; the rest is known. */
type WrittenHandoff = {
  status: 'in_progress' | 'blocked' | 'completed'
  completed_steps: string[]
  next_immediate_step: string
  constraints: string[]
  artifacts: { name: string; value: string }[]
}

/** <send_message>. Ids are as the model wrote them; SyncState checks them. */
export type OutgoingMessage = {
  receiver: string[]
  message: string
  stage_relative: string
  need_reply: boolean
  waiting: boolean
  /** Answers offered to a person, most likely first. */
  choices?: string[]
  /** The time after which the question expires. */
  due_minutes?: number
  /** The state of the work that is passed on. */
  handoff?: WrittenHandoff
  /** Paths of workspace files to send. */
  files?: string[]
  /** The files of these paths, read by the runtime. */
  attachments?: Attachment[]
  /** The sources of `message`: found by the runtime, never written by the model. */
  cited?: Cited
}

/** stage_name: absent if the model gave none. needs: per part, the members whose parts must be finished before it starts. */
export type PlannedStage = {
  stage_name?: string
  stage_intention: string
  agent_allocation: Record<string, string>
  needs?: Record<string, string[]>
}

/** <task_instruction>. */
export type TaskInstruction =
  | {
      action: 'add_task'
      task_name: string
      task_intention: string
      members: string[]
      stages?: PlannedStage[]
      /** The text for the requester. */
      reply?: string
    }
  | { action: 'add_stage'; task_id: string; stages: PlannedStage[] }
  | { action: 'finish_stage'; task_id: string; stage_id: string }
  | { action: 'retry_stage'; task_id: string; stage_id: string; stages: PlannedStage[] }
  | { action: 'finish_task'; task_id: string; state: 'finished' | 'failed'; task_summary: string }

/** <agent_instruction>. */
export type AgentInstruction =
  | {
      action: 'init_new_agent'
      config_id: string
      /** Replaces the value of the configuration. */
      name?: string
      role?: string
      profile?: string
      skills?: string[]
      tools?: string[]
    }
  | { action: 'add_task_participant'; task_id: string; agents: string[] }

/** <ask_info>. */
export type AskInfo =
  | { type: 'managed_tasks' }
  | { type: 'my_tasks' }
  | { type: 'task'; task_id: string }
  | { type: 'stage'; stage_id: string; task_id?: string }
  | { type: 'startable_agents' }
  | { type: 'agents_in_mas' }
  | { type: 'agents_in_team' }
  | { type: 'agents_in_task'; task_id: string }
  | { type: 'agents_in_stage'; stage_id: string; task_id?: string }
  | { type: 'agent_states'; agents: string[] }
  | { type: 'skills_and_tools' }
  /** Default: the current task. */
  | { type: 'messages' | 'shared_info'; task_id?: string; stage_id?: string; agents?: string[] }

/** <persistent_memory>. */
export type MemoryChange = { add: string } | { delete: string }

/** Changes of tasks and stages by an executor. */
export type SyncOutput = {
  /** `failed`, with a failed step: the agent's part of the stage fails too; else the part continues. */
  update_stage_agent_state?: { state: 'working' | 'failed'; reason?: string }
  send_shared_info?: { content: string }
  update_stage_agent_completion?: { summary: string }
  send_message?: OutgoingMessage
  task_instruction?: TaskInstruction
  agent_instruction?: AgentInstruction
  ask_info?: AskInfo
  /** A tool step has ended: the agent decides whether to continue with the tool. */
  need_tool_decision?: boolean
}

/** A call written by a step: a separate tool step, run after those written with it. */
export type PlannedCall = { server: string; intention: string; instruction: ToolInstruction }

export type StepOutcome = {
  state: 'finished' | 'failed'
  /** The reason of the failure; null if it did not fail. */
  reason: string | null
  result: StepResult
  sync: SyncOutput
  /** Steps for the agent's own list: appended at the end, or inserted before the next unrun one. */
  steps: { add: PlannedStep[]; insert: PlannedStep[] }
  /** instruction_generation: the call it wrote for its tool step. */
  instruct: { step: StepId; instruction: ToolInstruction } | null
  /** tool_decision, and instruction_generation beyond its own tool step: calls that need no further call of the model. */
  calls: PlannedCall[]
  memory: MemoryChange[]
  /** The call whose answer was accepted. Failed and repaired calls were committed when they happened. */
  call: ModelCall | null
  repairs: string[]
}

/** An outcome with only its text; the base of most others. */
export const plainOutcome = (text: string, made: Json = null): StepOutcome => ({
  state: 'finished',
  reason: null,
  result: { kind: 'text', text, body: null, made },
  sync: {},
  steps: { add: [], insert: [] },
  instruct: null,
  calls: [],
  memory: [],
  call: null,
  repairs: [],
})
