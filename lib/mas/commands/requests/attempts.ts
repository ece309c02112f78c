/** Notification attempts: each is recorded before anything is sent. */
import { Fault } from '@/lib/faults'
import { mayBePutTo } from '@/lib/mas/selectors/access/visibility'
import type { AgentId, AttemptId, MessageId, TaskId } from '../../ids'
import type { AttemptAbout, AttemptRecord, RequestRecord, World } from '../../records'
import { isMember, isOperator } from '../../selectors/agents/agents'
import {
  findAlert,
  findMissedAlert,
  type PendingAlert,
  selectAlerts,
  selectPeople,
} from '../../selectors/requests/alerts'
import { isSettled } from '../../statuses'
import type { CommandOf } from '../command'
import type { DecisionContext } from '../decisionContext'
import { notice } from '../effects/deliverToPerson'
import { findRequest } from '../effects/requests'

/** A page need not report the same alert more often. */
const TOLD_AGAIN_MS = 10_000

/** One attempt by one channel. Recording it decides that it is sent: a second one of the same escalation step is refused. */
export function attemptNotice(
  context: DecisionContext,
  { type: _, person, items, ...attempt }: CommandOf<'attemptNotice'>,
): { attempt: AttemptId; items: CommandOf<'attemptNotice'>['items'] } {
  const kind = attempt.because === 'rings' ? 'rings' : 'open'
  const due = items.flatMap(({ task, about }) => {
    const call = findAlert(context.world, kind, task, person, about)
    return call && !wasTried(call, person, attempt) ? [{ task, about }] : []
  })
  if (due.length === 0) throw new Fault('ALREADY_SO', { what: 'it calls for nobody, or was tried' })
  const id = context.id<AttemptId>()
  for (const { task, about } of due) {
    context.emit('notice.attempted', { task, about, attempt: { ...attempt, id, person, note: null } })
  }
  return { attempt: id, items: due }
}

type NewAttempt = Pick<AttemptRecord, 'channel' | 'because' | 'rung' | 'outcome'>
const wasTried = (
  { attempts }: PendingAlert,
  person: AgentId,
  { channel, because, rung, outcome }: NewAttempt,
): boolean =>
  attempts.some(
    (one) =>
      one.person === person &&
      one.channel === channel &&
      one.because === because &&
      one.rung >= rung &&
      one.outcome !== 'held' &&
      outcome !== 'held',
  )

/** The result of an attempt. The first one counts. Throws ALREADY_SO. */
export function endAttempt(context: DecisionContext, { attempt, items, outcome, note }: CommandOf<'endAttempt'>): void {
  const open = items.filter(({ task, about }) =>
    attemptsAt(context.world, task, about).some((one) => one.id === attempt && one.outcome === 'began'),
  )
  if (open.length === 0) throw new Fault('ALREADY_SO', { what: 'its end is known' })
  for (const { task, about } of open) context.emit('notice.attemptEnded', { task, about, attempt, outcome, note })
}

function attemptsAt(world: World, task: TaskId, about: AttemptAbout): readonly AttemptRecord[] {
  const record =
    'request' in about
      ? world.requests[task]?.[about.request]
      : world.deliveries[task]?.[about.receiver]?.[about.message]
  return record?.attempts ?? []
}

/** The person who was asked could not be reached: the next one is asked too; either may answer. Throws ALREADY_SO. */
export function escalate(context: DecisionContext, { task, about, from, to }: CommandOf<'escalate'>): void {
  const call = findAlert(context.world, 'rings', task, from, about)
  if (!call) throw new Fault('ALREADY_SO', { what: 'it does not ring' })
  if (!mayHelp(context.world, call, to)) throw new Fault('ALREADY_SO', { what: 'they cannot help, or have it already' })
  const request = call.request === null ? null : findRequest(context, call.request)
  const message = request?.message ?? ('message' in about ? about.message : null)
  if (request) context.emit('request.escalated', { task, request: request.id, from, to })
  else if (message !== null) context.emit('message.escalated', { task, message, agent: from, to })
  const rung = call.attempts.filter(({ channel }) => channel === 'next').length + 1
  noteSent(context, { task, about }, { person: to, channel: 'next', rung })
  notice(
    context,
    to,
    'not_reached',
    { task, stage: request?.stage ?? null, message },
    {
      who: context.name(askerOf(context.world, task, request, message) ?? from),
      from: context.name(from),
    },
  )
}

const askerOf = (world: World, task: TaskId, request: RequestRecord | null, message: MessageId | null) =>
  request?.asker ?? (message === null ? null : world.messages[task]?.[message]?.sender)

/** May this person be asked too: members of the task, and operators. */
export function mayHelp(world: World, call: PendingAlert, person: AgentId): boolean {
  if (call.known.includes(person)) return false
  if (call.attempts.some((one) => one.channel === 'next' && one.person === person)) return false
  if (!selectPeople(world.agents).some(({ id }) => id === person)) return false
  // Everyone who is asked sees the request; a message they must be able to read by its thread.
  if ('message' in call.about && call.request === null) {
    const { message } = call.about
    const has = world.deliveries[call.task]?.[person]?.[message]
    return (has === undefined || isSettled(has.state)) && mayBePutTo(world, call.task, message, person)
  }
  return isOperator(world, person) || isMember(world, call.task, person)
}

/** Acknowledged or claimed at `since` and not answered: it alerts again. Throws ALREADY_SO. */
export function raiseAgain(context: DecisionContext, { task, about, person, since }: CommandOf<'raiseAgain'>): void {
  if (findMissedAlert(context.world, { task, about, person })?.since !== since) {
    throw new Fault('ALREADY_SO', { what: 'it rings, is over, or was acknowledged since' })
  }
  const message = 'message' in about ? about.message : null
  const request = Object.values<RequestRecord>(context.world.requests[task] ?? {}).find((one) =>
    'request' in about ? one.id === about.request : one.message === message && one.asked.includes(person),
  )
  if (request && request.claimed !== null) context.emit('request.raised', { task, request: request.id })
  const delivery = message === null ? null : context.world.deliveries[task]?.[person]?.[message]
  if (message !== null && delivery?.state === 'acknowledged') {
    context.emit('message.raised', { task, message, agent: person })
  }
}

/** The leading page of a person reports how it notified them. Items that no longer alert are ignored. */
export function noteTold(context: DecisionContext, person: AgentId, { items, channel }: CommandOf<'noteTold'>): void {
  const calls = selectAlerts(context.world).rings.filter(
    (call) =>
      call.person === person &&
      items.some((item) => item === call.request || ('message' in call.about && item === call.about.message)),
  )
  for (const { task, about, attempts } of calls) {
    const last = attempts.findLast((one) => one.person === person && one.channel === channel)
    if (last && context.at - last.at < TOLD_AGAIN_MS) continue
    noteSent(context, { task, about }, { person, channel, rung: 0 })
  }
}

/** An attempt that needs no sending: it is over as it is recorded. */
function noteSent(
  context: DecisionContext,
  item: { task: TaskId; about: AttemptAbout },
  attempt: Pick<AttemptRecord, 'person' | 'channel' | 'rung'>,
): void {
  const plain = { because: 'rings', outcome: 'sent', note: null, until: null, node: null } as const
  context.emit('notice.attempted', { ...item, attempt: { id: context.id<AttemptId>(), ...attempt, ...plain } })
}
