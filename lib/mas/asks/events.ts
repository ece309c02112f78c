/** Events of what is asked of people. */
import type { AgentId, AttemptId, HandOverId, MessageId, RequestId, SenderId, TaskId, ThreadId } from '../ids'
import type { AttemptOutcome, AttemptRecord, NumberedRequest, RequestAnswer, RequestState } from '../records'

/** The owners of what an event is about. */
type OfRequest = { task: TaskId; request: RequestId }

export type AskEvents = {
  /** What is asked by messages of one act: a request without a number for each person, whose question is the text of the message. */
  'message.asked': {
    task: TaskId
    thread: ThreadId | null
    asker: SenderId
    asks: { request: RequestId; person: AgentId; message: MessageId }[]
  }
  /** The person wants to see this message or request again at that time (epoch ms); null: the time has come. */
  'reminder.set': { task: TaskId; agent: AgentId; until: number | null } & (
    | { message: MessageId }
    | { request: RequestId }
  )
  'request.opened': OfRequest & {
    seed: Omit<
      NumberedRequest,
      | ('id' | 'task' | 'state' | 'claimed' | 'answer' | 'endReason')
      | ('openedAt' | 'openedSeq' | 'endedAt' | 'changedAt')
    >
  }
  /** Acknowledged; until then they answer it too, and others are told so; null: only acknowledged. */
  'request.claimed': OfRequest & { agent: AgentId; until: number | null }
  /** The people who are asked were reminded by this person. */
  'request.reminded': OfRequest & { by: AgentId; agents: AgentId[] }
  /** A person who was asked offers it to another; until that is settled both are asked. */
  'request.transferOffered': OfRequest & {
    handOver: HandOverId
    from: AgentId
    to: AgentId
    sentence: string
    /** Their draft of an answer. */
    draft?: string
  }
  'request.transferSettled': OfRequest & { handOver: HandOverId; accepted: boolean }
  /** The person who was asked could not be reached: the next member of their role group is asked too. */
  'request.escalated': OfRequest & { from: AgentId; to: AgentId }
  /** undone: acknowledged, or done, was taken back; raised: it was claimed and is not answered, so it alerts again; urgent: an approval alerts from now on, because `by` says so, or absent: it waited for long */
  'request.reopened': OfRequest & { because: 'undone' | 'raised' | 'urgent'; by?: AgentId }
  'request.answered': OfRequest & { answer: Omit<RequestAnswer, 'at' | 'seq'> }
  /** It is over without an answer. by: who released it */
  'request.ended': OfRequest & {
    state: Extract<RequestState, 'released' | 'expired' | 'superseded'>
    by: AgentId | null
    reason: string | null
  }
  /** A person is notified; for a channel outside the page this is stored before sending. */
  'notice.attempted': {
    task: TaskId
    request: RequestId
    attempt: Omit<AttemptRecord, 'at' | 'endedAt'>
  }
  'notice.attemptEnded': {
    task: TaskId
    request: RequestId
    attempt: AttemptId
    outcome: Extract<AttemptOutcome, 'sent' | 'failed' | 'unknown'>
    note: string | null
  }
}
