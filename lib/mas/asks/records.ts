/** Questions to people, and notices. */
import type { AgentId, MessageId, RequestId, SenderId, StageId, StepId, TaskId, ThreadId, WaitingId } from '../ids'
import type { AttemptRecord, Audience, MessageType, TransferRecord } from '../messages/records'
import type { BodyRef, Changed } from '../records/values'
import type { Said } from '../said'
import type { StepResult, ToolQuestion } from '../steps/records'
import type { NewStage } from '../tasks/records'

export const REQUEST_KINDS = ['answer', 'part', 'confirm', 'limit', 'judge', 'tool', 'plan'] as const
export type RequestKind = (typeof REQUEST_KINDS)[number]
/** An urgent request alerts until somebody acknowledges it; an approval calls once, and becomes urgent when it waits for long. */
export type RequestType = Exclude<MessageType, 'fyi'> | 'approval'
export type RequestState = 'open' | 'claimed' | 'answered' | 'released' | 'expired' | 'superseded'
export const DECISIONS = ['answer', 'approve', 'approve_edited', 'refuse', 'done', 'cannot'] as const
export type Decision = (typeof DECISIONS)[number]

export type RequestAnswer = {
  by: AgentId
  /** The person for whom an operator answered. */
  for: AgentId | null
  decision: Decision
  text: string
  arguments: BodyRef | null
  /** The stages that began instead of the proposed ones; absent: no other ones. */
  plan?: readonly NewStage[]
  at: number
  seq: number
}

/** The evidence of a question, with its name at that time: a tool call, a step of a skill, or a message and its sender. */
export type Evidence =
  | { kind: 'skill' | 'tool'; id: StepId; name: string }
  | { kind: 'message'; id: MessageId; name: string; at: number }

/** A call to confirm. always: the configuration always requires a confirmation. definition: the digest of the tool's description and schema. */
export type HeldCall = {
  server: string
  tool: string
  arguments: BodyRef
  digest: string
  changes: string
  always?: true
  definition?: string
}

/** What a manager plans, as its step wrote it, without the stages. */
export type PlannedWork =
  | { action: 'add_task'; task_name: string; task_intention: string; members: string[]; reply?: string | undefined }
  | { action: 'add_stage'; task_id?: string | undefined }
  | { action: 'retry_stage'; task_id?: string | undefined; stage_id: string; reason?: string | undefined }

/**
 * Stages that a manager planned, which begin when a person approves them.
 *
 * result  of the step, once the plan is carried out; repairs: of its answer
 */
export type HeldPlan = {
  work: PlannedWork
  stages: readonly NewStage[]
  result: StepResult
  repairs: string[]
}

/** A dated line of a request. remindLater: until `until` (epoch ms). raisedAgain: acknowledged at `until`, but not answered since. */
export type RequestNote = {
  kind: 'reminded' | 'remindLater' | 'raisedAgain'
  by: AgentId
  at: number
  until: number | null
}

/** Whatever asks something of people, whoever asks: the one record behind chat card, bubble, inbox row, strip, dialog and notice. */
export type RequestRecord = {
  id: RequestId
  task: TaskId
  /** In its task; null: a person asks, or the task tells operators, and no work is held up by it. It has no card then. */
  number: number | null
  kind: RequestKind
  asked: AgentId[]
  asker: SenderId
  type: RequestType
  message: MessageId | null
  step: StepId | null
  stage: StageId | null
  lock: WaitingId | null
  thread: ThreadId | null
  question: string
  /** Who reads it, as its message; absent: the readers of its task. */
  audience?: Audience
  /** Key and values of a question by the program, for readers of another language. */
  said?: Said
  choices: string[]
  /** Of a confirmation: exactly the call that would run. */
  call: HeldCall | null
  /** Only for kind tool. */
  tool?: ToolQuestion
  /** Only for kind plan. */
  plan?: HeldPlan
  /** Absent: none found. */
  evidence?: readonly Evidence[]
  /** What the request was about when it was asked; another value now means that things changed. */
  fingerprint: string
  state: RequestState
  /** Acknowledged by them; until then they also answer it, `at`: they only acknowledged it. */
  claimed: { by: AgentId; at: number; until: number } | null
  answer: RequestAnswer | null
  endReason: string | null
  /** When it expires; epoch ms, absent: never. */
  due?: number
  /** Who wants to be asked again, and when (epoch ms). */
  snoozed?: Readonly<Record<AgentId, number>>
  transfer?: TransferRecord | null
  /** To whom it was ever offered. */
  offered?: readonly AgentId[]
  /** Persons who were asked before and transferred it. */
  transferredBy?: readonly AgentId[]
  /** The draft of one of them, for the next person. */
  draft?: { by: AgentId; text: string; at: number }
  /** Persons who are asked too because `from` could not be reached. */
  escalated?: readonly { from: AgentId; to: AgentId; at: number }[]
  /** When it began to alert again, epoch ms. */
  raisedAt?: number
  notes?: readonly RequestNote[]
  attempts?: readonly AttemptRecord[]
  openedAt: number
  openedSeq: number
  endedAt: number | null
  changedAt: Changed
}

/** An agent or the task asks: it has a card, and work may be held up by it. */
export type NumberedRequest = RequestRecord & { number: number }

export type NoticeKind =
  | 'reply_needed'
  | 'not_reached'
  | 'stage_started'
  | 'stage_finished'
  | 'stage_failed'
  | 'task_started'
  | 'task_finished'
  | 'task_failed'
  | 'setup_overruled'
  | 'setup_stays_out'

/** A notice to one person. */
export type NoticeRecord = {
  id: string
  kind: NoticeKind
  task: TaskId
  stage: StageId | null
  message: MessageId | null
  /** Names at that time, for the text. */
  words: Record<string, string>
  at: number
  seq: number
}
