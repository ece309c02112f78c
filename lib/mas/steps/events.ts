/** Events of steps, of their calls and of their model calls. */
import type { AgentId, RequestId, StageId, StepId, TaskId, WaitingId } from '../ids'
import type { BodyRef, ModelCall, SharedLine, StepInput, StepRecord, StepResult, ToolInstruction } from '../records'
import type { FailureCause } from './failureCause'

/** The owners of what an event is about. */
export type OfStep = { task: TaskId; agent: AgentId; step: StepId }

/** A planned step. */
export type StepSeed = { step: StepId; kind: StepRecord['type'] } & Pick<
  StepRecord,
  | 'task'
  | 'agent'
  | 'number'
  | 'stage'
  | 'thread'
  | 'intention'
  | 'executor'
  | 'text'
  | 'cause'
  | 'answers'
  | 'batch'
  | 'ahead'
> &
  Pick<StepRecord, 'boundTo' | 'retryOf' | 'byHand' | 'last'>

export type StepEvents = {
  /** This reply of the agent runs although the agent is locked: it opens a circle, or answers a person's question. */
  'lock.bypassed': OfStep & { waiting: WaitingId }
  /** position: among the steps that are not yet run: after those inserted for the same reason; absent: at the end */
  'step.added': StepSeed & { position?: number }
  'step.started': OfStep & { node: string; epoch: number; attempt: number }
  /** editedBy: the person who changed the arguments of the call that the step repeats; absent: nobody */
  'step.instructed': OfStep & { instruction: ToolInstruction; editedBy?: AgentId }
  /** input: of a question of its tool server, the one of `request` among them; absent: a confirmation */
  'step.held': OfStep & { request: RequestId; input?: StepInput }
  /** The call was confirmed: the step may run, with these arguments. */
  'step.approved': OfStep & {
    by: AgentId
    edited: boolean
    digest: string
    arguments: BodyRef | null
    /** This call was not reviewed: `by` had allowed the tool for the task (true), or for the agent. */
    allowed?: true | 'agent'
  }
  /** line: the shared info line of its end, for all of the task */
  'step.finished': OfStep & { result: StepResult; repairs: string[]; line?: SharedLine }
  'step.failed': OfStep & {
    reason: string
    /** Absent: not known. */
    failureCause?: FailureCause
    result: StepResult | null
    repairs: string[]
    line?: SharedLine
  }
  'step.cancelled': OfStep & { by: AgentId | null; reason: string }
  /** It returns to the head of the list and runs again: its node is gone, or a person sent its plan back. */
  'step.requeued': OfStep
  /** Its node is gone, and a repeat could do harm: it fails for that reason. */
  'step.interrupted': OfStep & { reason: string }
  /** A person wants it done first, although its agent is paused. */
  'step.prioritized': OfStep
  'step.moved': OfStep & { stage: StageId | null }
  'step.retired': { task: TaskId; agent: AgentId; steps: StepId[] }
  'effect.started': OfStep & { key: string; node: string }
  'effect.finished': OfStep & { key: string }
  /** An outcome that arrived after the end of its step: recorded, without effect. */
  'effect.lateOutcome': OfStep & { attempt: number; what: string }
  /** triedBy: a person tried the model of the step with a prompt of their own: the call is paid, and is none of the step's */
  'model.called': OfStep & { call: ModelCall; triedBy?: AgentId }
}
