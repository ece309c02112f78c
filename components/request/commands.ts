/** What a person does with a request or a message, as calls that come back with what became of them. */
import { type ApiResult, type CallRefused, call, command } from '@/client/api'
import type { HandOverId, MessageId, RequestId } from '@/lib/mas/ids'
import type { Decision } from '@/lib/mas/records'
import type { ArgumentsAnswer, CommandAnswer, CommandHead, PostHandOver, RequestAnswerBody } from '@/lib/wire'

/** over: someone was first, or it was withdrawn · refused: with the server's sentence · unreachable: no answer came. */
export type AnswerRefusal =
  | { kind: 'over'; by: string; how: string; at: number }
  | { kind: 'refused'; code: string; message: string }
  | { kind: 'unreachable' }
export type CallOutcome<T> = { ok: true; value: T } | { ok: false; refusal: AnswerRefusal }

/** What a refusal means for whoever acted. */
export function answerRefusalOf(fault: CallRefused): AnswerRefusal {
  if (fault.error === 'NO_ANSWER') return { kind: 'unreachable' }
  const details = 'details' in fault && typeof fault.details === 'object' && fault.details !== null ? fault.details : {}
  if (fault.error === 'REQUEST_OVER' && 'by' in details && 'how' in details && 'at' in details) {
    return { kind: 'over', by: String(details.by), how: String(details.how), at: Number(details.at) }
  }
  return { kind: 'refused', code: fault.error, message: fault.message }
}

const outcomeOf = async <T>(answer: Promise<ApiResult<T>>): Promise<CallOutcome<T>> => {
  const it = await answer
  return it.ok ? it : { ok: false, refusal: answerRefusalOf(it.fault) }
}

const at = (id: string): string => encodeURIComponent(id)

export type AnswerInput = {
  decision: Decision
  text: string
  /** Edited arguments as JSON text, and the digest of what was on screen: confirmations only. */
  arguments?: string
  digest?: string
  /** Why somebody answers who was not asked. */
  reason?: string
}

/** Answer a request. `head` is the caller's, so that a repeat is the same act. */
export const sendAnswer = (
  request: RequestId,
  wish: AnswerInput,
  head: CommandHead,
): Promise<CallOutcome<CommandAnswer>> =>
  outcomeOf(
    command(
      `/api/requests/${at(request)}/answer`,
      {
        decision: wish.decision,
        text: wish.text,
        arguments: wish.arguments ?? null,
        digest: wish.digest ?? null,
        reason: wish.reason ?? null,
      },
      head,
    ),
  )

export const getRequest = (request: RequestId): Promise<CallOutcome<RequestAnswerBody>> =>
  outcomeOf(call<RequestAnswerBody>('GET', `/api/requests/${at(request)}`))

/** I am answering this: everyone sees it, nobody is locked out. */
export const sendClaim = (request: RequestId): Promise<CallOutcome<CommandAnswer>> =>
  outcomeOf(command(`/api/requests/${at(request)}/claim`))

/** Ask the asker something first; the request stays open. */
export const sendAskBack = (request: RequestId, text: string): Promise<CallOutcome<CommandAnswer>> =>
  outcomeOf(command(`/api/requests/${at(request)}/ask_back`, { text }))

/** Ask somebody else to take these over; until they accept, both are asked. */
export const sendTransfer = (wish: Omit<PostHandOver, keyof CommandHead>): Promise<CallOutcome<CommandAnswer>> =>
  outcomeOf(command('/api/hand_overs', wish))

export const settleTransfer = (id: HandOverId, accept: boolean): Promise<CallOutcome<CommandAnswer>> =>
  outcomeOf(command(`/api/hand_overs/${at(id)}`, { accept }))

/** After how many minutes one can be asked again. */
export const REMINDERS = [5, 15, 60] as const

/** Ask me again in some minutes; the sender sees it. */
export const sendReminder = (
  about: { request: RequestId | null; message: MessageId | null },
  minutes: number,
): Promise<CallOutcome<CommandAnswer>> => outcomeOf(command('/api/reminders', { ...about, minutes }))

/** Remind everyone who has not settled it; at most every five minutes. */
export const remindPending = (message: MessageId): Promise<CallOutcome<CommandAnswer>> =>
  outcomeOf(command(`/api/messages/${at(message)}/remind`))

/** Exactly what a confirmation would run. */
export const getArguments = (request: RequestId): Promise<CallOutcome<ArgumentsAnswer>> =>
  outcomeOf(call<ArgumentsAnswer>('GET', `/api/requests/${at(request)}/arguments`))

/** Acknowledge an Urgent, mark an Action as done, or take either back within five minutes. */
export const settleMessage = (
  message: MessageId,
  act: 'acknowledge' | 'done' | 'undo',
): Promise<CallOutcome<CommandAnswer>> => outcomeOf(command(`/api/messages/${at(message)}/${act}`))

/** These were on screen. */
export const sendShown = (shown: MessageId[]): Promise<CallOutcome<CommandAnswer>> =>
  outcomeOf(command('/api/receipts', { shown }))
