/** What people do with requests and messages, as HTTP calls whose refusals are values. */
import { type ApiResult, type CallRefused, command } from '@/client/api'
import { fieldsIn } from '@/lib/json'
import type { HandOverId, MessageId, RequestId, StepId } from '@/lib/mas/ids'
import type { Decision, MessageRecord } from '@/lib/mas/records'
import type { CommandAnswer, CommandHead, PostHandOver } from '@/lib/wire'

/** over: somebody was first, or it was withdrawn · refused: with the server's sentence · unreachable: no answer */
export type AnswerRefusal =
  | { kind: 'over'; by: string; how: string; at: number }
  | { kind: 'refused'; code: string; message: string }
  | { kind: 'unreachable' }
export type CallOutcome<T> = { ok: true; value: T } | { ok: false; refusal: AnswerRefusal }

export function answerRefusalOf(fault: CallRefused): AnswerRefusal {
  if (fault.error === 'NO_ANSWER') return { kind: 'unreachable' }
  const details = 'details' in fault ? fieldsIn(fault.details) : {}
  if (fault.error === 'REQUEST_OVER' && 'by' in details && 'how' in details && 'at' in details) {
    return { kind: 'over', by: String(details.by), how: String(details.how), at: Number(details.at) }
  }
  return { kind: 'refused', code: fault.error, message: fault.message }
}

const outcomeOf = async <T>(answer: Promise<ApiResult<T>>): Promise<CallOutcome<T>> => {
  const result = await answer
  return result.ok ? result : { ok: false, refusal: answerRefusalOf(result.fault) }
}
const send = (path: string, body?: Record<string, unknown>, head?: CommandHead): Promise<CallOutcome<CommandAnswer>> =>
  outcomeOf(command(path, body, head))

export const requestPath = (id: RequestId): string => `/api/requests/${encodeURIComponent(id)}`
const messagePath = (id: MessageId): string => `/api/messages/${encodeURIComponent(id)}`

export type AnswerInput = {
  decision: Decision
  text: string
  /** Confirmations only: edited arguments as JSON text, and the digest of what was on screen. */
  arguments?: string
  digest?: string
  /** Why somebody answers who was not asked. */
  reason?: string
}

/** in: head: the caller's, so that a repeat counts as the same command */
export const sendAnswer = (request: RequestId, answer: AnswerInput, head: CommandHead) =>
  send(`${requestPath(request)}/answer`, { arguments: null, digest: null, reason: null, ...answer }, head)

/** Everybody sees who claimed a request; nobody is locked out. */
export const sendClaim = (request: RequestId) => send(`${requestPath(request)}/claim`)

/** Ask the asker something first; the request stays open. */
export const sendAskBack = (request: RequestId, text: string) => send(`${requestPath(request)}/ask_back`, { text })

/** Offer these to somebody else; until they accept, both are asked. */
export const sendTransfer = (transfer: Omit<PostHandOver, keyof CommandHead>) => send('/api/hand_overs', transfer)

/** Accept or decline an offer, or take one's own back (declining). */
export const settleTransfer = (id: HandOverId, accept: boolean) =>
  send(`/api/hand_overs/${encodeURIComponent(id)}`, { accept })

/** Minutes that a reminder can be set for. */
export const REMINDERS = [5, 15, 60] as const

export const sendReminder = (about: { request: RequestId | null; message: MessageId | null }, minutes: number) =>
  send('/api/reminders', { ...about, minutes })

/** Have a failed step done again; everyone in the task sees the reason. */
export const sendRetry = (step: StepId, reason: string) =>
  send(`/api/steps/${encodeURIComponent(step)}/retry`, { reason })

/** Remind everyone who has not settled it; the server accepts this every five minutes. */
export const remindPending = (message: MessageId) => send(`${messagePath(message)}/remind`)

export const argumentsPath = (request: RequestId): string => `${requestPath(request)}/arguments`

/** Acknowledge an Urgent, mark an Action as done, or undo either within five minutes. */
export const settleMessage = (message: MessageId, act: 'acknowledge' | 'done' | 'undo') =>
  send(`${messagePath(message)}/${act}`)

/** Answer a person's message in place; in: head: the caller's, so that a repeat counts as the same command */
export const sendReply = ({ id, task, sender, stage }: MessageRecord, text: string, head: CommandHead) =>
  send(
    '/api/messages',
    { task, receivers: [sender], text, type: 'fyi', stage, answers: null, replyTo: id, mention: true },
    head,
  )

/** These were on screen. */
export const sendShown = (shown: MessageId[]) => send('/api/receipts', { shown })
