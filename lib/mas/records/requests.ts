/** Questions to people, and notices. */
import type { AgentId, MessageId, RequestId, SenderId, StageId, StepId, TaskId, ThreadId, WaitingId } from '../ids'
import type { Said } from '../said'
import type { AttemptRecord, TransferRecord } from './messages'
import type { StepRecord } from './steps'
import type { BodyRef, Json } from './values'

export type RequestKind = 'answer' | 'part' | 'confirm' | 'limit' | 'judge' | 'tool'
export type RequestState = 'open' | 'claimed' | 'answered' | 'released' | 'expired' | 'superseded'
export type Decision = 'answer' | 'approve' | 'approve_edited' | 'refuse' | 'done' | 'cannot'

export type RequestAnswer = {
  by: AgentId
  /** The one answered for, when an operator answered for someone else. */
  for: AgentId | null
  decision: Decision
  text: string
  arguments: BodyRef | null
  at: number
  seq: number
}

/**
 * What a tool server asks while one of its calls runs.
 *
 * asks    a form to fill in, a page to open, words of the agent's model
 * schema  of the form, as its server wrote it; url of the page; body: what would be sent to the model, whole
 */
export type ToolQuestion = {
  server: string
  tool: string
  asks: 'form' | 'url' | 'sampling'
  schema: Json
  url: string | null
  body: BodyRef | null
}

/** What a question rests on, with the name it had then: a tool call, a step of a skill, or a message and its sender. */
export type Evidence =
  | { kind: StepRecord['type']; id: StepId; name: string }
  | { kind: 'message'; id: MessageId; name: string; at: number }

/** A call as people are asked about it. always: its configuration says that it always asks. */
export type HeldCall = {
  server: string
  tool: string
  arguments: BodyRef
  digest: string
  changes: string
  always?: true
}

/** A question to people: the one record behind chat card, inbox row, strip, dialog and notice. */
export type RequestRecord = {
  id: RequestId
  task: TaskId
  number: number
  kind: RequestKind
  asked: AgentId[]
  asker: SenderId
  urgent: boolean
  message: MessageId | null
  step: StepId | null
  stage: StageId | null
  lock: WaitingId | null
  thread: ThreadId | null
  question: string
  /** The question where the program asks it, for readers of another language. */
  said?: Said
  choices: string[]
  /** What a confirmation shows: exactly what would run. */
  call: HeldCall | null
  /** Only in a request of kind tool. */
  tool?: ToolQuestion
  /** Absent: nothing was found, or it was asked before this was kept. */
  evidence?: readonly Evidence[]
  /** What the request was about when it was asked; another value now means that things changed. */
  fingerprint: string
  state: RequestState
  claimed: { by: AgentId; at: number; until: number } | null
  answer: RequestAnswer | null
  endReason: string | null
  /** Past it, it counts as expired; epoch ms, absent: never. */
  due?: number
  /** Who wants to be asked again, and when (epoch ms). */
  snoozed?: Readonly<Record<AgentId, number>>
  handing?: TransferRecord | null
  /** Those who were asked before and handed it on. */
  handed?: readonly AgentId[]
  /** The draft of one of them, for the next who answers. */
  begun?: { by: AgentId; text: string; at: number }
  /** Those who are asked too because `from` could not be reached. */
  escalated?: readonly { from: AgentId; to: AgentId; at: number }[]
  /** When it began to alert again, epoch ms. */
  raisedAt?: number
  /** Where no receipt is that would hold them. */
  attempts?: readonly AttemptRecord[]
  openedAt: number
  openedSeq: number
  endedAt: number | null
}

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

/** Give a notice to one person. */
export type NoticeRecord = {
  id: string
  kind: NoticeKind
  task: TaskId
  stage: StageId | null
  message: MessageId | null
  /** Names at the time, for the sentence. */
  words: Record<string, string>
  at: number
  seq: number
}
