/** Reminders to others, and to oneself: both leave a dated line beside the delivery. */

import { Fault } from '@/lib/faults'
import type { AgentId } from '../../ids'
import type { DeliveryRecord, Json, MessageRecord } from '../../records'
import { needsReply } from '../../records/messages'
import { isHuman, isOperator } from '../../selectors/agents/agents'
import { holdersOf, isHandedOn } from '../../selectors/requests/recipients'
import { isSettled } from '../../statuses'
import type { CommandOf } from '../command'
import type { DecisionContext } from '../decisionContext'
import { notice } from '../effects/deliverToPerson'
import { mustBeMine } from '../personSends'
import { seenMessage } from '../visible'
import { mustBeOpen } from './requests'

/** A message is reminded of at most this often. */
export const REMIND_MS = 5 * 60_000
export const REMIND_ME_MINUTES = 24 * 60

/** The sender or an operator reminds all who have not settled it. Throws NOT_FOUND, NOT_ALLOWED, ALREADY_SO, TOO_MANY. */
export function remind(context: DecisionContext, person: AgentId, { message: id }: CommandOf<'remind'>): Json {
  const { task, dispatch, sender, type } = seenMessage(context, person, id)
  if (sender !== person && !isOperator(context.world, person))
    throw new Fault('NOT_ALLOWED', { what: 'remind of this' })
  if (!needsReply(type)) throw new Fault('ALREADY_SO', { what: 'nothing was asked' })
  const messages = Object.values(context.world.messages[task] ?? {}).filter(
    (message: MessageRecord) => message.dispatch === dispatch && message.sender === sender,
  )
  const deliveries = messages.flatMap((message: MessageRecord) =>
    holdersOf(context.world.deliveries[task] ?? {}, message).flatMap(({ delivery }) => delivery ?? []),
  )
  const last = Math.max(0, ...deliveries.map(lastReminder))
  if (context.at - last < REMIND_MS) {
    throw new Fault('TOO_MANY', { seconds: Math.ceil((last + REMIND_MS - context.at) / 1_000) })
  }
  const open = deliveries.filter((delivery) => !isSettled(delivery.state) && !isHandedOn(delivery))
  if (open.length === 0) throw new Fault('ALREADY_SO', { what: 'all of them have settled it' })
  for (const { message, receiver } of open) {
    context.emit('message.reminded', { task, message, agent: receiver, by: person })
    if (!isHuman(context.world, receiver)) continue
    const stage = context.world.messages[task]?.[message]?.stage ?? null
    notice(context, receiver, 'reply_needed', { task, stage, message }, { who: context.name(sender) })
  }
  return { reminded: open.map(({ receiver }) => receiver) }
}

const lastReminder = ({ notes }: DeliveryRecord): number =>
  Math.max(0, ...(notes ?? []).flatMap((note) => (note.kind === 'reminded' ? [note.at] : [])))

/** "Remind me in …"; the sender sees it beside the delivery. 0 minutes: now. Throws BAD_INPUT, ALREADY_SO, NOT_FOUND. */
export function remindMe(context: DecisionContext, person: AgentId, { about, minutes }: CommandOf<'remindMe'>): Json {
  if (!Number.isInteger(minutes) || minutes < 0 || minutes > REMIND_ME_MINUTES) {
    throw new Fault('BAD_INPUT', { why: `Between 0 and ${REMIND_ME_MINUTES} minutes.` })
  }
  const until = minutes === 0 ? null : context.at + minutes * 60_000
  if ('message' in about) {
    const { message, delivery } = mustBeMine(context, person, about.message)
    if (isSettled(delivery.state)) throw new Fault('ALREADY_SO', { what: 'it is settled' })
    if (until === null && (delivery.remindAt ?? null) === null)
      throw new Fault('ALREADY_SO', { what: 'it is not snoozed' })
    context.emit('message.snoozed', { task: message.task, message: message.id, agent: person, until })
    return { until }
  }
  const request = mustBeOpen(context, about.request, person)
  if (until === null && request.snoozed?.[person] === undefined)
    throw new Fault('ALREADY_SO', { what: 'it is not snoozed' })
  context.emit('request.snoozed', { task: request.task, request: request.id, agent: person, until })
  const { message } = request
  if (message !== null && context.world.deliveries[request.task]?.[person]?.[message]) {
    context.emit('message.snoozed', { task: request.task, message, agent: person, until })
  }
  return { until }
}

/** The time came. Nothing when it was moved, or what it was about is over. */
export function remindDue(context: DecisionContext, { task, agent, about }: CommandOf<'remindDue'>): void {
  const { requests, deliveries } = context.world
  const until =
    ('request' in about
      ? requests[task]?.[about.request]?.snoozed?.[agent]
      : deliveries[task]?.[agent]?.[about.message]?.remindAt) ?? null
  if (until === null || until > context.at) return
  if ('request' in about) context.emit('request.snoozed', { task, request: about.request, agent, until: null })
  else context.emit('message.snoozed', { task, message: about.message, agent, until: null })
}
