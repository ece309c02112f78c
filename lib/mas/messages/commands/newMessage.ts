/** A message as a decision sends it. */
import type { MessageRecord } from '../../records'
import type { Said } from '../../said'

/** A message to nobody's thread or wait, that wants nothing. */
export const PLAIN_MESSAGE = {
  stage: null,
  thread: null,
  type: 'fyi',
  audience: 'task',
  waiting: null,
  returnWaiting: null,
  instruction: null,
  answersRequest: null,
  replyTo: null,
  attachments: [],
  mention: false,
  fromStep: null,
} satisfies Partial<MessageRecord>
type Plain = keyof typeof PLAIN_MESSAGE | 'dispatch'

export type NewMessage = Omit<MessageRecord, 'id' | 'at' | 'seq'> & { choices?: string[] }

/** As it is handed in: what the program itself says is a sentence, and no text yet. Left out: as in PLAIN_MESSAGE. */
export type Utterance = Omit<NewMessage, 'text' | 'said' | Plain> &
  Partial<Pick<NewMessage, Plain>> & {
    text: string | Said
    /** Begin a thread of the base task with this message. */
    beginsThread?: boolean
  }
