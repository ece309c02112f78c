/**
 * Reminding others, and being reminded oneself.
 *
 * Owns: remind, remindMe, and what happens when such a time comes. Both leave a dated line beside the receipt.
 */

import { Fault } from '@/lib/faults'
import type { AgentId, MessageId, RequestId } from '../ids'
import type { Json, MessageRecord, ReceiptRecord } from '../records'
import { isSettled } from '../reduce/message'
import { isHuman, isOperator, selectName } from '../selectors/agents'
import { holdersOf, isHandedOn } from '../selectors/holders'
import type { CommandOf } from './command'
import type { DecisionContext } from './draft'
import { mustBeMine } from './personSends'
import { mustBeOpen } from './requests'
import { seenMessage } from './seen'
import { notice } from './send'

/** A message is reminded of at most this often. */
export const REMIND_MS = 5 * 60_000
export const REMIND_ME_MINUTES = 24 * 60

/** The sender, or an operator, reminds all who have not settled it; messages of one act are one message. */
export function remind(draft: DecisionContext, person: AgentId, { message: id }: CommandOf<'remind'>): Json {
  const { task, dispatch, sender, needReply } = seenMessage(draft, person, id)
  if (sender !== person && !isOperator(draft.world, person)) throw new Fault('NOT_ALLOWED', { what: 'remind of this' })
  if (!needReply) throw new Fault('ALREADY_SO', { what: 'nothing was asked' })
  const messages = Object.values(draft.world.messages[task] ?? {}).filter(
    (message: MessageRecord) => message.dispatch === dispatch && message.sender === sender,
  )
  const receipts = messages.flatMap((message: MessageRecord) =>
    holdersOf(draft.world.receipts[task] ?? {}, message).flatMap(({ receipt }) => receipt ?? []),
  )
  const last = Math.max(0, ...receipts.map(lastReminder))
  if (draft.at - last < REMIND_MS) {
    throw new Fault('TOO_MANY', { seconds: Math.ceil((last + REMIND_MS - draft.at) / 1_000) })
  }
  const open = receipts.filter((receipt) => !isSettled(receipt.state) && !isHandedOn(receipt))
  if (open.length === 0) throw new Fault('ALREADY_SO', { what: 'all of them have settled it' })
  for (const { message, receiver } of open) {
    draft.emit('message.reminded', { task, message, agent: receiver, by: person })
    if (!isHuman(draft.world, receiver)) continue
    const stage = draft.world.messages[task]?.[message]?.stage ?? null
    notice(draft, receiver, 'reply_needed', { task, stage, message }, { who: selectName(draft.world, sender) })
  }
  return { reminded: open.map(({ receiver }) => receiver) }
}

const lastReminder = ({ notes }: ReceiptRecord): number =>
  Math.max(0, ...(notes ?? []).flatMap((note) => (note.kind === 'reminded' ? [note.at] : [])))

/** "Remind me in …": it hides a dialog and settles nothing; the sender sees it beside the receipt. */
export function remindMe(draft: DecisionContext, person: AgentId, { about, minutes }: CommandOf<'remindMe'>): Json {
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > REMIND_ME_MINUTES) {
    throw new Fault('BAD_INPUT', { why: `Between 1 and ${REMIND_ME_MINUTES} minutes.` })
  }
  const until = draft.at + minutes * 60_000
  if ('message' in about) {
    const { message, receipt } = mustBeMine(draft, person, about.message)
    if (isSettled(receipt.state)) throw new Fault('ALREADY_SO', { what: 'it is settled' })
    draft.emit('message.snoozed', { task: message.task, message: message.id, agent: person, until })
    return { until }
  }
  const request = mustBeOpen(draft, about.request, person)
  draft.emit('request.snoozed', { task: request.task, request: request.id, agent: person, until })
  const { message } = request
  if (message !== null && draft.world.receipts[request.task]?.[person]?.[message]) {
    draft.emit('message.snoozed', { task: request.task, message, agent: person, until })
  }
  return { until }
}

/** The time came. Nothing when it was moved, or what it was about is over. */
export function remindDue(draft: DecisionContext, { task, agent, about }: CommandOf<'remindDue'>): void {
  if ('request' in about) dueRequest(draft, task, agent, about.request)
  else dueMessage(draft, task, agent, about.message)
}

function dueRequest(draft: DecisionContext, task: MessageRecord['task'], agent: AgentId, id: RequestId): void {
  const until = draft.world.requests[task]?.[id]?.snoozed?.[agent]
  if (until === undefined || until > draft.at) return
  draft.emit('request.snoozed', { task, request: id, agent, until: null })
}

function dueMessage(draft: DecisionContext, task: MessageRecord['task'], agent: AgentId, id: MessageId): void {
  const until = draft.world.receipts[task]?.[agent]?.[id]?.remindAt ?? null
  if (until === null || until > draft.at) return
  draft.emit('message.snoozed', { task, message: id, agent, until: null })
}
