/** What people do with requests and messages, as HTTP calls whose refusals are values. */
import { type CallRefused, command } from '@/client/api'
import { fieldsIn } from '@/lib/json'
import type { HandOverId, MessageId, RequestId, StepId } from '@/lib/mas/ids'
import type { Decision, MessageRecord } from '@/lib/mas/records'
import type { CommandHead, PostHandOver } from '@/lib/wire'

/** Who answered or withdrew the request first; null: it was refused for another reason. */
export function overIn(fault: CallRefused): { by: string; how: string; at: number } | null {
  if (fault.error !== 'REQUEST_OVER') return null
  const { by, how, at } = fieldsIn(fault.details)
  return { by: String(by), how: String(how), at: Number(at) }
}

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
  command(`${requestPath(request)}/answer`, { arguments: null, digest: null, reason: null, ...answer }, head)

/** Everybody sees who claimed a request; nobody is locked out. */
export const sendClaim = (request: RequestId) => command(`${requestPath(request)}/claim`)

/** It alerts everybody who is asked from now on. */
export const sendUrge = (request: RequestId) => command(`${requestPath(request)}/urgent`)

/** Ask the asker something first; the request stays open. */
export const sendAskBack = (request: RequestId, text: string) => command(`${requestPath(request)}/ask_back`, { text })

/** Offer these to somebody else; until they accept, both are asked. */
export const sendTransfer = (transfer: Omit<PostHandOver, keyof CommandHead>) => command('/api/hand_overs', transfer)

/** Accept or decline an offer, or take one's own back (declining). */
export const settleTransfer = (id: HandOverId, accept: boolean) =>
  command(`/api/hand_overs/${encodeURIComponent(id)}`, { accept })

/** Minutes that a reminder can be set for. */
export const REMINDERS = [5, 15, 60] as const

export const sendReminder = (about: { request: RequestId | null; message: MessageId | null }, minutes: number) =>
  command('/api/reminders', { ...about, minutes })

/** Have a failed step done again; everyone in the task sees the reason. */
export const sendRetry = (step: StepId, reason: string) =>
  command(`/api/steps/${encodeURIComponent(step)}/retry`, { reason })

/** Remind everyone who has not settled it; the server accepts this every five minutes. */
export const remindPending = (message: MessageId) => command(`${messagePath(message)}/remind`)

export const argumentsPath = (request: RequestId): string => `${requestPath(request)}/arguments`

/** Acknowledge an Urgent, mark an Action as done, or undo either within five minutes. */
export const settleMessage = (message: MessageId, act: 'acknowledge' | 'done' | 'undo') =>
  command(`${messagePath(message)}/${act}`)

/** Answer a person's message in place; in: head: the caller's, so that a repeat counts as the same command */
export const sendReply = ({ id, task, sender, stage }: MessageRecord, text: string, head: CommandHead) =>
  command(
    '/api/messages',
    { task, receivers: [sender], text, type: 'fyi', stage, answers: null, replyTo: id, mention: true },
    head,
  )

/** These were on screen. */
export const sendShown = (shown: MessageId[]) => command('/api/receipts', { shown })
