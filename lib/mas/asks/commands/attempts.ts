/** Notification attempts: each is recorded before anything is sent. */
import { Fault } from '@/lib/faults'
import { mayBeAskedIn, mayBePutTo } from '@/lib/mas/access/visibility'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId, AttemptId } from '../../ids'
import { notice } from '../../messages/commands/deliverToPerson'
import type { AttemptRecord, World } from '../../records'
import {
  approvalWaitsSince,
  findAlert,
  findMissedAlert,
  type PendingAlert,
  selectAlerts,
  selectPeople,
} from '../alerts'
import { isNumbered } from '../requests'
import { findRequest } from './openRequest'
import { mustBeOpen } from './requests'

/** A page need not report the same alert more often. */
const TOLD_AGAIN_MS = 10_000

/** One attempt by one channel. Recording it decides that it is sent: a second one of the same escalation step is refused. */
export function attemptNotice(
  context: DecisionContext,
  { type: _, person, items, ...attempt }: CommandOf<'attemptNotice'>,
): { attempt: AttemptId; items: CommandOf<'attemptNotice'>['items'] } {
  const kind = attempt.because === 'rings' ? 'rings' : 'open'
  const due = items.filter(({ task, request }) => {
    const call = findAlert(context.world, kind, { task, person, request })
    return call !== null && !wasTried(call, person, attempt)
  })
  if (due.length === 0) throw new Fault('ALREADY_SO', { what: 'it calls for nobody, or was tried' })
  const id = context.id<AttemptId>()
  for (const { task, request } of due) {
    context.emit('notice.attempted', { task, request, attempt: { ...attempt, id, person, note: null } })
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
  const open = items.filter(({ task, request }) =>
    context.world.requests[task]?.[request]?.attempts?.some((one) => one.id === attempt && one.outcome === 'began'),
  )
  if (open.length === 0) throw new Fault('ALREADY_SO', { what: 'its end is known' })
  for (const { task, request } of open) context.emit('notice.attemptEnded', { task, request, attempt, outcome, note })
}

/** The person who was asked could not be reached: the next one is asked too; either may answer. Throws ALREADY_SO. */
export function escalate(context: DecisionContext, { task, request: id, from, to }: CommandOf<'escalate'>): void {
  const call = findAlert(context.world, 'rings', { task, person: from, request: id })
  if (!call) throw new Fault('ALREADY_SO', { what: 'it does not ring' })
  if (!mayHelp(context.world, call, to)) throw new Fault('ALREADY_SO', { what: 'they cannot help, or have it already' })
  const { asker, stage, message } = findRequest(context, id)
  context.emit('request.escalated', { task, request: id, from, to })
  const rung = call.attempts.filter(({ channel }) => channel === 'next').length + 1
  noteSent(context, call, { person: to, channel: 'next', rung })
  const words = { who: context.name(asker), from: context.name(from) }
  notice(context, to, 'not_reached', { task, stage, message }, words)
}

/** May this person be asked too: members of the task, and operators. */
export function mayHelp(world: World, call: PendingAlert, person: AgentId): boolean {
  if (call.known.includes(person)) return false
  if (call.attempts.some((one) => one.channel === 'next' && one.person === person)) return false
  if (!selectPeople(world.agents).some(({ id }) => id === person)) return false
  const request = world.requests[call.task]?.[call.request]
  // Everyone who is asked sees the request; what has no card is its message, which they must be able to read by its thread.
  if (request !== undefined && !isNumbered(request) && request.message !== null)
    return mayBePutTo(world, call.task, request.message, person)
  return mayBeAskedIn(world, call.task, person)
}

/** Acknowledged at `since` and not answered: it alerts again. Throws ALREADY_SO. */
export function raiseAgain(context: DecisionContext, { task, request, person, since }: CommandOf<'raiseAgain'>): void {
  if (findMissedAlert(context.world, { task, request, person })?.since !== since) {
    throw new Fault('ALREADY_SO', { what: 'it rings, is over, or was acknowledged since' })
  }
  context.emit('request.reopened', { task, request, because: 'raised' })
}

/** An approval waited since `since`: it alerts from now on. Throws ALREADY_SO. */
export function urgeDue(context: DecisionContext, { task, request, since }: CommandOf<'urgeDue'>): void {
  const found = context.world.requests[task]?.[request]
  if (found === undefined || approvalWaitsSince(found) !== since)
    throw new Fault('ALREADY_SO', { what: 'it is urgent, over, or somebody has it' })
  context.emit('request.reopened', { task, request, because: 'urgent' })
}

/** A person says that an approval is urgent. Throws ALREADY_SO, and what mustBeOpen throws. */
export function urgeRequest(
  context: DecisionContext,
  person: AgentId,
  { request: id }: CommandOf<'urgeRequest'>,
): void {
  const request = mustBeOpen(context, id, person)
  if (request.type !== 'approval') throw new Fault('ALREADY_SO', { what: 'it is no approval, or is urgent' })
  context.emit('request.reopened', { task: request.task, request: id, because: 'urgent', by: person })
}

/** The leading page of a person reports how it notified them, by requests or their messages. Those that no longer alert are ignored. */
export function noteTold(context: DecisionContext, person: AgentId, { items, channel }: CommandOf<'noteTold'>): void {
  const named = new Set<string>(items)
  const calls = selectAlerts(context.world).rings.filter(
    (call) =>
      call.person === person &&
      (named.has(call.request) || named.has(context.world.requests[call.task]?.[call.request]?.message ?? '')),
  )
  for (const call of calls) {
    const last = call.attempts.findLast((one) => one.person === person && one.channel === channel)
    if (last && context.at - last.at < TOLD_AGAIN_MS) continue
    noteSent(context, call, { person, channel, rung: 0 })
  }
}

/** An attempt that needs no sending: it is over as it is recorded. */
function noteSent(
  context: DecisionContext,
  { task, request }: Pick<PendingAlert, 'task' | 'request'>,
  attempt: Pick<AttemptRecord, 'person' | 'channel' | 'rung'>,
): void {
  const plain = { because: 'rings', outcome: 'sent', note: null, until: null, node: null } as const
  context.emit('notice.attempted', { task, request, attempt: { id: context.id<AttemptId>(), ...attempt, ...plain } })
}
