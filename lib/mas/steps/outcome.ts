/** The result of an executor: one outcome per step; its keys are the changes to make. */
import type {
  AgentInstruction,
  AskInfo,
  MemoryChange,
  PlannedStepFormat,
  TaskInstruction,
  WrittenMessage,
} from '../formats/schemas'
import type { StepId } from '../ids'
import type { Attachment, BodyRef, Cited, Json, ModelCall, StepResult, ToolInstruction } from '../records'
import type { FailureCause } from './failureCause'

export type {
  AgentInstruction,
  AskInfo,
  MemoryChange,
  PlannedStage,
  StagedInstruction,
  TaskInstruction,
} from '../formats/schemas'

/** A step as a model planned it. ahead: the body of its answer, where the plan holds it */
export type PlannedStep = Omit<PlannedStepFormat, 'calls' | 'send_message'> & { ahead?: BodyRef }

/** <send_message>. Ids are as the model wrote them; SyncState checks them. */
export type OutgoingMessage = WrittenMessage & {
  /** The files of these paths, read by the runtime. */
  attachments?: Attachment[]
  /** The sources of `message`: found by the runtime, never written by the model. */
  cited?: Cited
}

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
  /** Of a failure, where it is known. */
  failureCause?: FailureCause
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
