/** Messages, their deliveries, and the attempts to reach people. */
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
  TemplateId,
  ThreadId,
  WaitingId,
} from '../ids'
import type { WorkState } from '../outside/records'
import type { BodyRef, Changed, Json } from '../records/values'
import type { Said } from '../said'

/** An instruction to the receiver's runtime, set by the system only. */
export type Instruction =
  | { type: 'start_stage'; stage: StageId }
  | { type: 'finish_stage'; stage: StageId; failed: boolean }
  | { type: 'finish_task' }
  /** The receiver is now in the task, or has a part in that stage. */
  | { type: 'update_working_memory'; stage: StageId | null }
  | { type: 'judge_stage'; stage: StageId }
  | { type: 'judge_task' }

/** alt: the sender's description of a picture. copiedFrom: the address from which it was fetched. */
export type Attachment = { name: string; body: BodyRef; savedAs: string | null; alt?: string; copiedFrom?: string }

/** fyi asks for nothing; action for a reply or for being marked as done; urgent rings until it is acknowledged. */
export const MESSAGE_TYPES = ['fyi', 'action', 'urgent'] as const
export type MessageType = (typeof MESSAGE_TYPES)[number]

/** By the two flags that models, the documents and other systems use. A sender who waits needs a reply. */
export const typeOfNeeds = ({ needReply, waiting }: { needReply: boolean; waiting: boolean }): MessageType =>
  waiting ? 'urgent' : needReply ? 'action' : 'fyi'

const NEEDS_REPLY: Record<MessageType, boolean> = { fyi: false, action: true, urgent: true }

/** Whether it asks its receivers for something: a reply, or to be marked as done. */
export const needsReply = (type: MessageType): boolean => NEEDS_REPLY[type]

/** Who reads a message: the readers of its task, or the two members of a private conversation alone. */
export type Audience = 'task' | { members: readonly [AgentId, AgentId] }

/**
 * An imported message: its sender here only imported it.
 *
 * role, name  the original author
 * body        the original message, JSON
 * citations   its sources, by the ids of its anchors
 */
export type ImportedRecord = {
  role: 'system' | 'user' | 'assistant' | 'tool'
  name: string | null
  body: BodyRef
  citations?: Json
}

/**
 * A request to change the result of an ended task, which the text says too.
 *
 * of, name  the task
 * passage   of its result; '': all of it
 * files     that it left, as far as the sender sees them
 */
export type AskedChange = { of: TaskId; name: string; passage: string; comment: string; files: readonly string[] }

export type AskedAction = { name: string; parameters: { [key: string]: Json } }

/**
 * The sources of a text of our agent. The text itself has no anchors.
 *
 * at       positions in the text, in order: `offset` in UTF-16 units, after the words that the source supports
 * sources  by id, as entries of Harmony's citation map
 */
export type Cited = { at: { offset: number; id: string }[]; sources: Record<string, Json> }

export type MessageRecord = {
  id: MessageId
  task: TaskId
  sender: SenderId
  receivers: AgentId[]
  text: string
  /** Key and values of a program text, for readers of another language; absent: a person or agent wrote the text. */
  said?: Said
  stage: StageId | null
  type: MessageType
  audience: Audience
  /** One waiting id per receiver, in the same order. */
  waiting: WaitingId[] | null
  returnWaiting: WaitingId | null
  instruction: Instruction | null
  /** Shared by the messages of one act: one bubble, one set of deliveries. */
  dispatch: string
  thread: ThreadId | null
  answersRequest: RequestId | null
  /** The open request about which a person asks a question. */
  asksBack?: RequestId
  /** When what it asks expires; epoch ms, absent: never. */
  due?: number
  replyTo: MessageId | null
  attachments: Attachment[]
  /** The requested action of an outside agent, in protocols with actions; the text says the same. */
  action?: AskedAction
  /** A person picked the receivers by name or group. */
  mention: boolean
  /** Of a request for work: the template of its text; absent: none. */
  fromTemplate?: TemplateId
  /** Of a request for work: its plans are to be approved before they begin. */
  reviewPlans?: true
  change?: AskedChange
  fromStep: StepId | null
  /** Absent: no sources. */
  cited?: Cited
  /** The state of the work that an outside agent does for us, from its message; absent: none. */
  workState?: WorkState
  /** It starts no step and asks nothing. */
  imported?: ImportedRecord
  at: number
  seq: number
}

export type DeliveryState =
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

export const CONFIGURED_CHANNELS = ['webhook', 'email'] as const
export type ConfiguredChannel = (typeof CONFIGURED_CHANNELS)[number]
/** A person's own channels, outside the page. */
export const OWN_CHANNELS = ['push', ...CONFIGURED_CHANNELS] as const
export type OwnChannel = (typeof OWN_CHANNELS)[number]
/** Whether a repeat does not replace the first. Then it is sent once a round, and never again after a crash. */
export const PILES_UP: Record<OwnChannel, boolean> = { push: false, webhook: false, email: true }
/**
 * The means of a notification.
 *
 * page, desktop          a sound in an open page, its desktop notification
 * push, webhook, email   the person's own channels, outside the page
 * next                   the next member of their role group is notified instead
 * none                   impossible; the outcome says why
 */
export type NoticeChannel = 'page' | 'desktop' | OwnChannel | 'next' | 'none'

/**
 * began    stored before sending; the result follows
 * sent     accepted by the channel; the outcome of the message shows whether a person saw it
 * unknown  the program stopped while sending
 * held     do not disturb, until `until` (null: without an end)
 * missing  the person has no own channel
 */
export type AttemptOutcome = 'began' | 'sent' | 'failed' | 'unknown' | 'held' | 'missing'

/** One notification attempt, stored with the request. Times are epoch ms. */
export type AttemptRecord = {
  id: AttemptId
  person: AgentId
  channel: NoticeChannel
  /** rings: an unacknowledged Urgent; open: open for long. */
  because: 'rings' | 'open'
  /** The number of the repeat, from 1; 0 in an open page. */
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

/** An offer of one asked person to another. */
export type TransferRecord = {
  id: HandOverId
  from: AgentId
  to: AgentId
  sentence: string
  at: number
  /** `to` was asked before, and stays asked in any case. */
  wasAsked: boolean
}

/**
 * What became of a message for one receiver. For an agent also its outcome; for a person that is of their request (outcomeFor).
 * Times are epoch ms.
 */
export type DeliveryRecord = {
  message: MessageId
  task: TaskId
  receiver: AgentId
  state: DeliveryState
  deliveredAt: number | null
  shownAt: number | null
  acknowledgedAt: number | null
  settledAt: number | null
  /** Who settled it, if not the receiver, and why. */
  note: string | null
  changedAt: Changed
}
