/** Reminders to others, and to oneself: both leave a dated line beside the request. */

import { Fault } from '@/lib/faults'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { seenMessage } from '../../commands/visible'
import type { AgentId, MessageId } from '../../ids'
import { notice } from '../../messages/commands/deliverToPerson'
import { mustBeMine } from '../../messages/commands/personSends'
import { needsReply } from '../../messages/records'
import type { Json, MessageRecord, RequestRecord } from '../../records'
import { isOpen } from '../../statuses'
import { isOperator } from '../../team/agents'
import { mustBeOpen } from './requests'
import { REMIND_ME_MINUTES } from './schemas'

/** A message is reminded of at most this often. */
export const REMIND_MS = 5 * 60_000

/** The sender or an operator reminds all people who have not settled it. Throws NOT_FOUND, NOT_ALLOWED, ALREADY_SO, TOO_MANY. */
export function remind(context: DecisionContext, person: AgentId, { message: id }: CommandOf<'remind'>): Json {
  const { task, dispatch, sender, type } = seenMessage(context, person, id)
  if (sender !== person && !isOperator(context.world, person))
    throw new Fault('NOT_ALLOWED', { what: 'remind of this' })
  if (!needsReply(type)) throw new Fault('ALREADY_SO', { what: 'nothing was asked' })
  const messages = new Set(
    Object.values<MessageRecord>(context.world.messages[task] ?? {})
      .filter((message) => message.dispatch === dispatch && message.sender === sender)
      .map((message) => message.id),
  )
  const asked = Object.values<RequestRecord>(context.world.requests[task] ?? {}).filter(
    (request) => request.message !== null && messages.has(request.message),
  )
  const last = Math.max(0, ...asked.map(lastReminder))
  if (context.at - last < REMIND_MS) {
    throw new Fault('TOO_MANY', { seconds: Math.ceil((last + REMIND_MS - context.at) / 1_000) })
  }
  const open = asked.filter(isOpen)
  if (open.length === 0) throw new Fault('ALREADY_SO', { what: 'all of them have settled it' })
  for (const { id: request, asked: people, message, stage } of open) {
    context.emit('request.reminded', { task, request, by: person, agents: people })
    const where = message === null ? stage : (context.world.messages[task]?.[message]?.stage ?? null)
    for (const one of people)
      notice(context, one, 'reply_needed', { task, stage: where, message }, { who: context.name(sender) })
  }
  return { reminded: [...new Set(open.flatMap((request) => request.asked))] }
}

const lastReminder = ({ notes }: RequestRecord): number =>
  Math.max(0, ...(notes ?? []).flatMap((note) => (note.kind === 'reminded' ? [note.at] : [])))

/** "Remind me in …"; the sender sees it beside the delivery. 0 minutes: now. Throws BAD_INPUT, ALREADY_SO, NOT_FOUND. */
export function remindMe(context: DecisionContext, person: AgentId, { about, minutes }: CommandOf<'remindMe'>): Json {
  if (!Number.isInteger(minutes) || minutes < 0 || minutes > REMIND_ME_MINUTES) {
    throw new Fault('BAD_INPUT', { why: `Between 0 and ${REMIND_ME_MINUTES} minutes.` })
  }
  const until = minutes === 0 ? null : context.at + minutes * 60_000
  const request = requestMeant(context, person, about)
  if (request === null && 'message' in about) return remindOfMessage(context, person, about.message, until)
  if (request === null || !isOpen(request)) throw new Fault('ALREADY_SO', { what: 'it is settled' })
  if (until === null && request.snoozed?.[person] === undefined)
    throw new Fault('ALREADY_SO', { what: 'it is not snoozed' })
  context.emit('reminder.set', { task: request.task, request: request.id, agent: person, until })
  return { until }
}

/** null: the message asks nothing of this person. */
const requestMeant = (
  context: DecisionContext,
  person: AgentId,
  about: CommandOf<'remindMe'>['about'],
): RequestRecord | null =>
  'request' in about ? mustBeOpen(context, about.request, person) : mustBeMine(context, person, about.message).request

function remindOfMessage(context: DecisionContext, person: AgentId, id: MessageId, until: number | null): Json {
  const { message } = mustBeMine(context, person, id)
  const isSet = context.world.reminders[message.task]?.[person]?.[id] !== undefined
  if (until === null && !isSet) throw new Fault('ALREADY_SO', { what: 'it is not snoozed' })
  context.emit('reminder.set', { task: message.task, message: id, agent: person, until })
  return { until }
}

/** The time came. Nothing when it was moved, or what it was about is over. */
export function remindDue(context: DecisionContext, { task, agent, about }: CommandOf<'remindDue'>): void {
  const { requests, reminders } = context.world
  const until =
    ('request' in about
      ? requests[task]?.[about.request]?.snoozed?.[agent]
      : reminders[task]?.[agent]?.[about.message]) ?? null
  if (until === null || until > context.at) return
  context.emit('reminder.set', { task, agent, until: null, ...about })
}
