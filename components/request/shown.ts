/** A request as a card shows it, and the questions that every card asks of it. Pure. */
import type { AgentId } from '@/lib/mas/ids'
import type { RequestRecord } from '@/lib/mas/records'
import { requestAlerts } from '@/lib/mas/selectors/requestAlerts'
import type { RequestRow } from '@/lib/wire/rows'

/** What a card needs; a request row of `me` fits as it is. */
export type RequestShown = Pick<
  RequestRow,
  | 'request'
  | 'asker'
  | 'asked'
  | 'taskName'
  | 'stage'
  | 'holdsUp'
  | 'part'
  | 'receipt'
  | 'changed'
  | 'changes'
  | 'answeredBy'
  | 'attachments'
>

/** open: an answer still counts · the others: how it ended. */
export type RequestDisplayState = 'open' | 'answered' | 'released' | 'expired' | 'withdrawn'

export function displayStateOf({ state }: Pick<RequestRecord, 'state'>): RequestDisplayState {
  switch (state) {
    case 'open':
    case 'claimed':
      return 'open'
    case 'answered':
    case 'released':
    case 'expired':
      return state
    case 'superseded':
      return 'withdrawn'
  }
}

/** One answer out of a choice and a text; either alone is an answer too. */
export const answerOf = (choice: string | null, text: string): string =>
  [choice ?? '', text.trim()].filter((part) => part !== '').join('\n\n')

/** Whether what stands here is what the person answered with: alone, or after the choice that they made. */
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

/** A heading is a line; a longer first line is a paragraph and stays with the rest. */
const HEAD_LENGTH = 160

/** The question's first line as its heading, and what follows. The whole is always shown. */
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

/** An Urgent that whoever looks has not acknowledged: by its message's receipt, or by taking it where they have none. */
export const canAcknowledge = ({ request, receipt }: Pick<RequestShown, 'request' | 'receipt'>): boolean =>
  request.urgent &&
  displayStateOf(request) === 'open' &&
  (request.message === null || (receipt === null && isReassigned(request))
    ? request.claimed === null
    : receipt !== null && receipt.acknowledgedAt === null)

/** It came to some of those who are asked because of others: its message is not theirs. */
const isReassigned = ({ handing, handed, escalated }: RequestRecord): boolean =>
  (handing ?? handed ?? escalated ?? null) !== null

/** Rings: urgent, open, neither acknowledged nor taken by anybody. */
export const isAlerting = ({ request, receipt }: Pick<RequestShown, 'request' | 'receipt'>): boolean =>
  requestAlerts(request, receipt)

/** Somebody stands still until it is answered. */
const isBlocking = ({ lock, urgent }: RequestRecord): boolean => lock !== null || urgent

/** Open requests put to this person: who stands still comes first, then the oldest. The order of the strip. */
export const stripOrder = (requests: readonly RequestRecord[], person: AgentId): RequestRecord[] =>
  requests
    .filter((request) => displayStateOf(request) === 'open' && request.asked.includes(person))
    .sort((a, b) => Number(isBlocking(b)) - Number(isBlocking(a)) || a.openedSeq - b.openedSeq)
