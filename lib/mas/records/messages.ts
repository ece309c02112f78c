/** Messages, their receipts, and the attempts to reach people. */
import type {
  AgentId,
  AttemptId,
  HandOverId,
  MessageId,
  RequestId,
  SenderId,
  StageId,
  StepId,
  TaskId,
  ThreadId,
  WaitingId,
} from '../ids'
import type { WorkState } from '../outsideRecords'
import type { Said } from '../said'
import type { BodyRef, Json } from './values'

/** An order to the receiver's runtime, set by the system only. */
export type Instruction =
  | { type: 'start_stage'; stage: StageId }
  | { type: 'finish_stage'; stage: StageId; failed: boolean }
  | { type: 'finish_task' }
  /** The receiver is in the task, or has a part in that stage of it, from now on. */
  | { type: 'update_working_memory'; stage: StageId | null }
  | { type: 'judge_stage'; stage: StageId }
  | { type: 'judge_task' }

/** alt: what a picture shows, in the sender's words. copiedFrom: the address that the sender named, and that this was fetched from. */
export type Attachment = { name: string; body: BodyRef; savedAs: string | null; alt?: string; copiedFrom?: string }

export const MESSAGE_TYPES = ['fyi', 'action', 'urgent'] as const
export type MessageType = (typeof MESSAGE_TYPES)[number]

/**
 * A message that was said elsewhere: its sender here only imported it.
 *
 * role, name  who said it there
 * body        the message as it came, JSON
 * citations   what its text is founded on, by the ids of its anchors
 */
export type ImportedRecord = {
  role: 'system' | 'user' | 'assistant' | 'tool'
  name: string | null
  body: BodyRef
  citations?: Json
}

export type AskedAction = { name: string; parameters: { [key: string]: Json } }

/**
 * What a text of an agent of ours is founded on. The text itself holds no anchors.
 *
 * at       places in the text, in their order: `offset` in UTF-16 units, behind the words that the source backs
 * sources  by id, as entries of Harmony's citation map
 */
export type Cited = { at: { offset: number; id: string }[]; sources: Record<string, Json> }

export type MessageRecord = {
  id: MessageId
  task: TaskId
  sender: SenderId
  receivers: AgentId[]
  text: string
  /** What the program said, for readers of another language; absent: a person or agent wrote the text. */
  said?: Said
  stage: StageId | null
  needReply: boolean
  /** One waiting id per receiver, in the same order. */
  waiting: WaitingId[] | null
  returnWaiting: WaitingId | null
  instruction: Instruction | null
  /** Messages that one act sent share it: one bubble, one set of receipts. */
  dispatch: string
  thread: ThreadId | null
  answersRequest: RequestId | null
  /** The open request that a person asks something back about. */
  asksBack?: RequestId
  /** Past it, what is not settled counts as expired; epoch ms, absent: never. */
  due?: number
  replyTo: MessageId | null
  attachments: Attachment[]
  /** What an agent outside is asked for by name, where its protocol has such names; its text says the same. */
  action?: AskedAction
  /** A person picked the receivers by name or group. */
  mention: boolean
  fromStep: StepId | null
  /** Absent: it names no source. */
  cited?: Cited
  /** The state of the work that an agent outside does for us, as its message says; absent: it does not say. */
  workState?: WorkState
  /** It starts nothing and asks nothing. */
  imported?: ImportedRecord
  at: number
  seq: number
}

export type ReceiptState =
  | 'queued'
  | 'delivered'
  | 'shown'
  | 'acknowledged'
  | 'done'
  | 'answered'
  | 'released'
  | 'expired'
  | 'failed'
  | 'superseded'

/** A dated line beside a receipt. remindLater: until `until` (epoch ms). raisedAgain: acknowledged then, not answered since. */
export type ReceiptNote = {
  kind: 'reminded' | 'remindLater' | 'raisedAgain'
  by: AgentId
  at: number
  until: number | null
}

/** What an attempt is about: a message as one of its receivers has it, or a request. */
export type AttemptAbout = { message: MessageId; receiver: AgentId } | { request: RequestId }

/** Channels that the configuration names for a person. */
export const CONFIGURED_CHANNELS = ['webhook', 'email'] as const
export type ConfiguredChannel = (typeof CONFIGURED_CHANNELS)[number]
/** Channels of a person's own, outside the page. */
export const OWN_CHANNELS = ['push', ...CONFIGURED_CHANNELS] as const
export type OwnChannel = (typeof OWN_CHANNELS)[number]
/** Is a repeat shown beside the first instead of replacing it? Then it is sent once a round, and never again after a crash. */
export const PILES_UP: Record<OwnChannel, boolean> = { push: false, webhook: false, email: true }
/**
 * By what somebody is told.
 *
 * page, desktop          a sound in an open page, its desktop notice
 * push, webhook, email   the person's own channels, outside of the page
 * next                   the next of their role group is told instead
 * none                   nothing could be done; the outcome says why
 */
export type NoticeChannel = 'page' | 'desktop' | OwnChannel | 'next' | 'none'

/**
 * began    written before it is sent; the result is to come
 * sent     handed over; whether anybody saw it is the receipt's to say
 * unknown  the program stopped while it was being sent
 * held     do not disturb, until `until` (null: until they end it)
 * missing  the person has no channel of their own
 */
export type AttemptOutcome = 'began' | 'sent' | 'failed' | 'unknown' | 'held' | 'missing'

/** One notification attempt, kept beside the receipt. Times are epoch ms. */
export type AttemptRecord = {
  id: AttemptId
  person: AgentId
  channel: NoticeChannel
  /** rings: an Urgent not acknowledged; open: open for long. */
  because: 'rings' | 'open'
  /** Which repeat it is, from 1; 0 in an open page. */
  rung: number
  outcome: AttemptOutcome
  at: number
  endedAt: number | null
  /** Why it failed. */
  note: string | null
  until: number | null
  /** The node that sends it. */
  node: string | null
}

/** One of those who were asked wants another to take it over. */
export type TransferRecord = {
  id: HandOverId
  from: AgentId
  to: AgentId
  sentence: string
  at: number
  /** `to` was asked before, and stays so whatever they say. */
  wasAsked: boolean
}

/** The state of one message for one receiver. Times are epoch ms. */
export type ReceiptRecord = {
  message: MessageId
  task: TaskId
  receiver: AgentId
  state: ReceiptState
  deliveredAt: number | null
  shownAt: number | null
  acknowledgedAt: number | null
  settledAt: number | null
  /** Who settled it when that was not the receiver, and why. */
  note: string | null
  notes?: readonly ReceiptNote[]
  /** The receiver's own time to be asked again, epoch ms. */
  remindAt?: number | null
  /** When it began to alert again, epoch ms. */
  raisedAt?: number
  attempts?: readonly AttemptRecord[]
  /** Offered to another person who has not responded; the same on both receipts. */
  handing?: TransferRecord | null
  /** They took it: it is theirs now, and what they make of it settles this receipt too. */
  handedTo?: AgentId | null
  /** It was not sent to this person, but put to them because of another one. */
  passed?: PassedTransfer
}

/** `from` handed it over, or could not be reached. */
export type PassedTransfer = { from: AgentId; by: 'handOver' | 'escalation'; at: number }
