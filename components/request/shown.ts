/** A request as a card shows it, and what is derived from it. Pure. */

import { requestAlerts } from '@/lib/mas/asks/alerts'
import { isAwaited } from '@/lib/mas/asks/requests'
import type { AgentId } from '@/lib/mas/ids'
import type { RequestRecord } from '@/lib/mas/records'
import { isOpen } from '@/lib/mas/statuses'
import type { RequestShown } from '@/lib/wire/requestFacts'

export type { RequestShown }

/** A choice and a text as one answer; either may be missing. */
export const answerOf = (choice: string | null, text: string): string =>
  [choice ?? '', text.trim()].filter((part) => part !== '').join('\n\n')

/** Whether this unsent text is the stored answer of this person, alone or after a choice. */
export const isMyAnswer = (
  { answer }: Pick<RequestRecord, 'answer'>,
  me: AgentId,
  { text, code = '' }: { text: string; code?: string },
): boolean => {
  if (answer?.by !== me) return false
  if (code !== '') return answer.decision === 'approve_edited' || answer.arguments !== null
  const mine = text.trim()
  return mine !== '' && (answer.text === mine || answer.text.endsWith(`\n\n${mine}`))
}

/** A longer first line is a paragraph, and no heading. */
const HEAD_LENGTH = 160

/** The first line or sentence as a heading, and the rest; nothing is lost. */
export function splitQuestion(text: string): { head: string; rest: string } {
  const trimmed = text.trim()
  const end = trimmed.indexOf('\n')
  const line = end < 0 ? trimmed : trimmed.slice(0, end)
  if (line.length <= HEAD_LENGTH) return { head: line, rest: end < 0 ? '' : trimmed.slice(end).trim() }
  const sentence = /^.{10,160}?[.?!。？！](?=\s|[^\s.])/su.exec(line)?.[0] ?? ''
  return sentence === '' || /\d\.$/.test(sentence)
    ? { head: '', rest: trimmed }
    : { head: sentence, rest: trimmed.slice(sentence.length).trim() }
}

/** Whether this person can acknowledge it: one who is asked, or of what came without a message anybody who may answer. */
export const canAcknowledge = (
  request: Pick<RequestRecord, 'type' | 'state' | 'claimed' | 'asked' | 'message'>,
  me: AgentId,
): boolean => requestAlerts(request) && (request.message === null || request.asked.includes(me))

const isPressing = (request: RequestRecord): boolean => isAwaited(request) || request.type === 'urgent'

/** Open requests to this person: those whose answer is waited for and urgent ones first, then the oldest. */
export const stripOrder = (requests: readonly RequestRecord[], person: AgentId): RequestRecord[] =>
  requests
    .filter((request) => isOpen(request) && request.asked.includes(person))
    .sort((a, b) => Number(isPressing(b)) - Number(isPressing(a)) || a.openedSeq - b.openedSeq)
