/** Handing over: what is put to one person goes to another. Until that is settled, both are asked. */

import { Fault } from '@/lib/faults'
import { gather } from '@/lib/gather'
import { mayBeAskedIn, mayBePutTo } from '@/lib/mas/access/visibility'
import { recordAct, tellChat } from '../../commands/act'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { mustFit, mustFitBytes } from '../../commands/texts'
import { mustNotBeOver, readsRequest, seenRequest } from '../../commands/visible'
import type { AgentId, HandOverId, MessageId, RequestId, TaskId } from '../../ids'
import { isAsked } from '../../members/traits'
import { notice } from '../../messages/commands/deliverToPerson'
import { mustBeMine } from '../../messages/commands/personSends'
import type { RequestRecord, TransferRecord, World } from '../../records'
import { selectStagePlace } from '../../stages/plan'
import { isOpen } from '../../statuses'
import { addParticipants } from '../../tasks/commands/addTask'
import { isNumbered, selectOpenRequests } from '../requests'
import { SENTENCE_CHARACTERS } from './schemas'

/**
 * Offer what is put to me to another person: all or none of what is named.
 *
 * out     the hand-over's id, and what goes over. 'all': everything that is open for me, what is on its way already left out
 * faults  HANDOVER_UNFIT, NOT_A_MEMBER, NOT_ASKED, REQUEST_OVER, RECEIVER_UNKNOWN, RECEIVER_GONE, REASON_MISSING, TOO_LARGE
 */
export function handOver(
  context: DecisionContext,
  person: AgentId,
  command: CommandOf<'handOver'>,
): { handOver: HandOverId; requests: RequestId[]; messages: MessageId[] } {
  const { to, begun = {} } = command
  checkReceiver(context, person, to)
  const sentence = command.sentence.trim()
  if (sentence === '') throw new Fault('REASON_MISSING')
  mustFit('The sentence', sentence.length, SENTENCE_CHARACTERS)
  const items = requestsMeant(context, person, command)
  if (items.length === 0) throw new Fault('HANDOVER_UNFIT', { why: 'nothing is put to you' })
  for (const request of items) checkRequestFor(context, request, to)
  const id = context.id<HandOverId>()
  for (const { task, id: request } of items) {
    const text = begun[request] ?? ''
    mustFitBytes('A text', text)
    const more = text.trim() === '' ? {} : { draft: text.trim() }
    context.emit('request.transferOffered', { task, request, handOver: id, from: person, to, sentence, ...more })
  }
  const names = { who: context.name(person), to: context.name(to) }
  for (const [task, own] of gather(items, (one) => [one.task])) {
    notice(context, to, 'reply_needed', { task, stage: null, message: null }, { who: names.who })
    const says = context.said('actHandedOver', { ...names, ...countsOf(own) })
    recordAct(context, person, [task], { act: 'handOver', on: id, reason: sentence, says })
  }
  return { handOver: id, ...named(items) }
}

/** How the chat counts them: those with a number by it. */
function countsOf(requests: readonly RequestRecord[]): { n: string; messages: number } {
  const numbers = requests.flatMap(({ number }) => number ?? [])
  return { n: numbers.join(', '), messages: requests.length - numbers.length }
}

/** As their people know them: what has no number is known by its message. */
const named = (items: readonly RequestRecord[]): { requests: RequestId[]; messages: MessageId[] } => ({
  requests: items.filter(isNumbered).map(({ id }) => id),
  messages: items.flatMap((one) => (isNumbered(one) || one.message === null ? [] : [one.message])),
})

function checkReceiver(context: DecisionContext, person: AgentId, to: AgentId): void {
  const record = context.world.agents[to]
  if (!record) throw new Fault('RECEIVER_UNKNOWN', { id: to })
  if (!isAsked(context.world, to)) throw new Fault('HANDOVER_UNFIT', { why: `${record.name} is no person` })
  if (record.removed || record.access === 'none') throw new Fault('RECEIVER_GONE', { name: record.name })
  if (to === person) throw new Fault('HANDOVER_UNFIT', { why: 'it is put to you already' })
}

function requestsMeant(
  context: DecisionContext,
  person: AgentId,
  { requests, messages }: CommandOf<'handOver'>,
): RequestRecord[] {
  const byId =
    requests === 'all'
      ? everyRequest(context).filter(
          (one) =>
            isOpen(one) && one.asked.includes(person) && !one.transfer && (isNumbered(one) || messages === undefined),
        )
      : requests.map((id) => namedRequest(context, person, id))
  return [...new Set([...byId, ...(messages ?? []).map((id) => namedByMessage(context, person, id))])]
}

const everyRequest = (context: DecisionContext): RequestRecord[] =>
  Object.values(context.world.requests).flatMap((requests) => Object.values(requests))

function namedRequest(context: DecisionContext, person: AgentId, id: RequestId): RequestRecord {
  const request = seenRequest(context, person, id)
  if (!request.asked.includes(person)) throw new Fault('NOT_ASKED')
  mustNotBeOver(context, request)
  if (request.transfer) throw new Fault('HANDOVER_UNFIT', { why: `request ${request.number} is on its way already` })
  return request
}

/** What has a number is named by it alone. */
function namedByMessage(context: DecisionContext, person: AgentId, id: MessageId): RequestRecord {
  const { request } = mustBeMine(context, person, id)
  if (request?.transfer) throw new Fault('HANDOVER_UNFIT', { why: 'a message is on its way already' })
  if (request === null || isNumbered(request) || !isOpen(request) || !request.asked.includes(person))
    throw new Fault('HANDOVER_UNFIT', { why: 'a message asks nothing of you, or is settled' })
  return request
}

function checkRequestFor(context: DecisionContext, request: RequestRecord, to: AgentId): void {
  const { world } = context
  const task = world.tasks[request.task]?.name ?? request.task
  const name = context.name(to)
  if (!mayHave(context, request, to)) throw new Fault('NOT_A_MEMBER', { name, task })
  if (hasPart(context, request, to))
    throw new Fault('HANDOVER_UNFIT', { why: `${name} has a part of that stage already` })
  if (hasOwn(context, request, to)) throw new Fault('HANDOVER_UNFIT', { why: `${name} has that message already` })
}

/** They can read what it asks. */
const mayHave = ({ world }: DecisionContext, request: RequestRecord, to: AgentId): boolean =>
  isNumbered(request) || request.message === null
    ? mayBeAskedIn(world, request.task, to)
    : mayBePutTo(world, request.task, request.message, to)

/** Sent to both by one message, each has it on their own account; back to whom it came from it may go. */
const hasOwn = (
  { world }: DecisionContext,
  { number, task, message, asked, transferredBy }: RequestRecord,
  to: AgentId,
): boolean =>
  number === null &&
  message !== null &&
  world.messages[task]?.[message]?.receivers.includes(to) === true &&
  ![...asked, ...(transferredBy ?? [])].includes(to)

const hasPart = ({ world }: DecisionContext, { kind, task, stage }: RequestRecord, to: AgentId): boolean =>
  kind === 'part' && stage !== null && world.stages[task]?.[stage]?.parts[to] !== undefined

/** Accepts, declines or takes back an offer. What is over stays over. Throws NOT_FOUND, NOT_ASKED. */
export function settleHandOver(
  context: DecisionContext,
  person: AgentId,
  { handOver: id, accept }: CommandOf<'settleHandOver'>,
): { requests: RequestId[]; messages: MessageId[] } {
  const isMine = ({ from, to }: TransferRecord): boolean => to === person || (!accept && from === person)
  const requests = everyRequest(context).filter((request) => isOpen(request) && request.transfer?.id === id)
  const offers = requests.flatMap(({ transfer }) => transfer ?? [])
  const isSeen = requests.some((one) => readsRequest(context, person, one))
  if (!offers.some(isMine) && !isSeen) throw new Fault('NOT_FOUND', { what: 'open hand-over', id })
  if (!offers.every(isMine)) throw new Fault('NOT_ASKED')
  if (accept)
    for (const request of requests) if (hasPart(context, request, person)) checkRequestFor(context, request, person)
  for (const request of requests) settleRequest(context, request, accept)
  return named(requests)
}

function settleRequest(context: DecisionContext, request: RequestRecord, accepted: boolean): void {
  const { task, id, stage, transfer } = request
  if (!transfer) return
  context.emit('request.transferSettled', { task, request: id, handOver: transfer.id, accepted })
  // The person who handed it over no longer answers it; it is the other one's, and alerts them.
  if (accepted && request.claimed?.by === transfer.from)
    context.emit('request.reopened', { task, request: id, because: 'raised' })
  if (!accepted || request.kind !== 'part' || stage === null) return
  // Who has a part belongs to the task.
  const { from, to } = transfer
  addParticipants(context, task, [to])
  context.emit('stage.partHanded', { task, stage, agent: from, to })
  const { number: n } = selectStagePlace(context.world, task, stage)
  const says = { who: context.name(to), from: context.name(from), n }
  tellChat(context, task, context.said('actTookPart', says), stage)
}

/**
 * What only this person was asked in a task goes to another in the same decision, for the first one leaves. They join the
 * task, unless it is the base task, and can hand it over further.
 *
 * faults  RECEIVER_UNKNOWN, RECEIVER_GONE, NOT_A_MEMBER, HANDOVER_UNFIT
 */
export function giveAsked(
  context: DecisionContext,
  { task, from, to, sentence }: { task: TaskId; from: AgentId; to: AgentId; sentence: string },
): void {
  // What is put to somebody in a talk is for nobody else.
  if (context.world.tasks[task]?.talk) return
  checkReceiver(context, from, to)
  takeBackOffers(context, task, from)
  const requests = openRequestsOf(context.world, task, from)
  if (requests.length === 0) return
  if (context.world.tasks[task]?.base !== true) addParticipants(context, task, [to])
  const handOver = context.id<HandOverId>()
  for (const request of requests) {
    checkRequestFor(context, request, to)
    context.emit('request.transferOffered', { task, request: request.id, handOver, from, to, sentence })
    settleRequest(context, context.world.requests[task]?.[request.id] ?? request, true)
  }
  const names = { from: context.name(from), to: context.name(to) }
  notice(context, to, 'reply_needed', { task, stage: null, message: null }, { who: names.from })
  tellChat(context, task, context.said('actGave', { ...names, ...countsOf(requests) }))
}

/** Those that only this person was asked. */
export const openRequestsOf = (world: World, task: TaskId, person: AgentId): RequestRecord[] =>
  selectOpenRequests(world, task).filter(({ asked }) => asked.length === 1 && asked[0] === person)

/** Their offers that were not accepted are theirs alone again. */
function takeBackOffers(context: DecisionContext, task: TaskId, person: AgentId): void {
  for (const request of selectOpenRequests(context.world, task))
    if (request.transfer?.from === person) settleRequest(context, request, false)
}

/** They leave the task: what was offered or handed to them there is its previous owner's again. */
export function returnHanded(context: DecisionContext, task: TaskId, agent: AgentId, why: string): void {
  for (const request of selectOpenRequests(context.world, task))
    if (request.transfer?.to === agent) settleRequest(context, request, false)
  for (const request of openRequestsOf(context.world, task, agent)) {
    const to = request.transferredBy?.findLast((one) => one !== agent)
    // A part is its owner's: it fails with them.
    if (to === undefined || request.kind === 'part' || !mayHave(context, request, to)) continue
    const handOver = context.id<HandOverId>()
    context.emit('request.transferOffered', { task, request: request.id, handOver, from: agent, to, sentence: why })
    settleRequest(context, context.world.requests[task]?.[request.id] ?? request, true)
  }
}
