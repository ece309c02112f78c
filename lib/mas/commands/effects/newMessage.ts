/** A message as a decision sends it. */
import type { AgentId, MessageId, RequestId, SenderId, StageId, StepId, TaskId, ThreadId, WaitingId } from '../../ids'
import type { WorkState } from '../../outsideRecords'
import type { AskedAction, Attachment, Cited, ImportedRecord, Instruction } from '../../records'
import type { Said } from '../../said'

export type NewMessage = {
  task: TaskId
  sender: SenderId
  receivers: AgentId[]
  text: string
  said?: Said
  stage: StageId | null
  thread: ThreadId | null
  needReply: boolean
  waiting: WaitingId[] | null
  returnWaiting: WaitingId | null
  instruction: Instruction | null
  dispatch?: string
  answersRequest?: RequestId | null
  replyTo?: MessageId | null
  attachments?: Attachment[]
  mention?: boolean
  fromStep?: StepId | null
  choices?: string[]
  /** The open request about which this message asks something back. */
  asksBack?: RequestId
  /** When its unsettled receipts expire, epoch ms. */
  due?: number
  /** What its text is founded on. */
  cited?: Cited
  /** What an agent outside is asked for by name. */
  action?: AskedAction
  /** The state of the work that its sender outside does for us. */
  workState?: WorkState
  /** Where an imported message came from. */
  imported?: ImportedRecord
  /** Begin a thread of the base task with this message. */
  beginsThread?: boolean
}

/** A message to nobody's thread or wait, that wants nothing. */
export const PLAIN_MESSAGE = {
  ...{ stage: null, thread: null, needReply: false, waiting: null, returnWaiting: null, instruction: null },
} satisfies Partial<NewMessage>
type Plain = keyof typeof PLAIN_MESSAGE

/** As it is handed in: what the program itself says is a sentence, and no text yet. Left out: as in PLAIN_MESSAGE. */
export type Utterance = Omit<NewMessage, 'text' | 'said' | Plain> &
  Partial<Pick<NewMessage, Plain>> & { text: string | Said }
