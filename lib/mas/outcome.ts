/** What an executor hands back: one outcome per step, whose keys say what is to be done with it. */
import type { StepId } from './ids'
import type { Attachment, Cited, Json, ModelCall, StepResult, ToolInstruction } from './records'

/** <planned_step>, <reflection_step>, <decision_step>: one planned step. */
export type PlannedStep = { step_intention: string; type: 'skill' | 'tool'; executor: string; text_content: string }

/** Of a handoff packet what the sender has to say; the rest is known. */
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
  /** How long an answer is worth waiting for. */
  due_minutes?: number
  /** How the work stands that is handed on with it. */
  handoff?: WrittenHandoff
  /** Paths of the workspace to send along. */
  files?: string[]
  /** The files of these paths: read by the runtime. */
  attachments?: Attachment[]
  /** What `message` is founded on: found by the runtime, never written by the model. */
  cited?: Cited
}

/** stage_name: absent where a model gave none. needs: of a part, whose results it needs: it begins when their parts are finished. */
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
      /** In place of what the configuration says. */
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
  /** Of the current task when none is named. */
  | { type: 'messages' | 'shared_info'; task_id?: string; stage_id?: string; agents?: string[] }

/** <persistent_memory>. */
export type MemoryChange = { add: string } | { delete: string }

/** The one way an executor changes tasks and stages. */
export type SyncOutput = {
  /** `failed`, with a failed step: the agent's part of the stage fails too; else the part continues. */
  update_stage_agent_state?: { state: 'working' | 'failed'; reason?: string }
  send_shared_info?: { content: string }
  update_stage_agent_completion?: { summary: string }
  send_message?: OutgoingMessage
  task_instruction?: TaskInstruction
  agent_instruction?: AgentInstruction
  ask_info?: AskInfo
  /** A tool step is over: the agent decides whether to continue with the tool. */
  need_tool_decision?: boolean
}

/** A call that a step wrote: a tool step of its own, run behind those written with it. */
export type PlannedCall = { server: string; intention: string; instruction: ToolInstruction }

export type StepOutcome = {
  state: 'finished' | 'failed'
  /** Why it failed, in words; null when it did not. */
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
  /** The call whose answer was taken. Failed and repaired ones were committed as they happened. */
  call: ModelCall | null
  repairs: string[]
}

/** An outcome that says nothing but its text; the start of most others. */
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
