/** Handing over: what is put to one person goes to another. Until that is settled, both are asked. */
import { Fault } from '@/lib/faults'
import { gather } from '@/lib/gather'
import { mayBePutTo } from '@/lib/mas/selectors/access/visibility'
import type { AgentId, HandOverId, MessageId, RequestId, TaskId } from '../../ids'
import type { DeliveryRecord, MessageRecord, RequestRecord, TransferRecord, World } from '../../records'
import { isMember, isOperator } from '../../selectors/agents/agents'
import { selectUnalerted } from '../../selectors/requests/alerts'
import { linkedTo } from '../../selectors/requests/recipients'
import { selectOpenRequests } from '../../selectors/requests/requests'
import { selectStagePlace } from '../../selectors/tasks/plan'
import { isOpen, isSettled } from '../../statuses'
import { recordAct, tellChat } from '../act'
import type { CommandOf } from '../command'
import type { DecisionContext } from '../decisionContext'
import { notice } from '../effects/deliverToPerson'
import { addParticipants } from '../effects/tasks'
import { mustBeMine } from '../personSends'
import { mustFit, mustFitBytes } from '../texts'
import { mustNotBeOver, readsMessage, readsRequest, seenRequest } from '../visible'

export const SENTENCE_CHARACTERS = 1_000

type Items = { requests: RequestRecord[]; messages: MessageRecord[] }

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
  const items = itemsOf(context, person, command)
  if (items.requests.length + items.messages.length === 0) {
    throw new Fault('HANDOVER_UNFIT', { why: 'nothing is put to you' })
  }
  for (const request of items.requests) checkRequestFor(context, request, to)
  for (const message of items.messages) checkMessageFor(context, person, message, to)
  const id = context.id<HandOverId>()
  for (const { task, id: request } of items.requests) {
    const text = begun[request] ?? ''
    mustFitBytes('A text', text)
    const more = text.trim() === '' ? {} : { begun: text.trim() }
    context.emit('request.offered', { task, request, handOver: id, from: person, to, sentence, ...more })
  }
  for (const { task, id: message } of items.messages) {
    context.emit('message.offered', { task, message, agent: person, to, handOver: id, sentence })
  }
  const names = { who: context.name(person), to: context.name(to) }
  for (const [task, own] of gather([...items.requests, ...items.messages], (one) => [one.task])) {
    notice(context, to, 'reply_needed', { task, stage: null, message: null }, { who: names.who })
    const numbers = own.flatMap((one) => ('number' in one ? [one.number] : []))
    const counts = { n: numbers.join(', '), messages: own.length - numbers.length }
    const says = context.said('actHandedOver', { ...names, ...counts })
    recordAct(context, person, [task], { act: 'handOver', on: id, reason: sentence, says })
  }
  return { handOver: id, requests: items.requests.map((one) => one.id), messages: items.messages.map((one) => one.id) }
}

function checkReceiver(context: DecisionContext, person: AgentId, to: AgentId): void {
  const record = context.world.agents[to]
  if (!record) throw new Fault('RECEIVER_UNKNOWN', { id: to })
  if (record.kind !== 'human') throw new Fault('HANDOVER_UNFIT', { why: `${record.name} is no person` })
  if (record.removed || record.access === 'none') throw new Fault('RECEIVER_GONE', { name: record.name })
  if (to === person) throw new Fault('HANDOVER_UNFIT', { why: 'it is put to you already' })
}

function itemsOf(context: DecisionContext, person: AgentId, { requests, messages }: CommandOf<'handOver'>): Items {
  return {
    requests:
      requests === 'all'
        ? everyRequest(context).filter((one) => isOpen(one) && one.asked.includes(person) && !one.handing)
        : [...new Set(requests)].map((id) => namedRequest(context, person, id)),
    messages:
      messages === undefined
        ? requests === 'all'
          ? selectUnalerted(context.world, person).flatMap(({ message, delivery }) =>
              delivery.handing ? [] : [message],
            )
          : []
        : [...new Set(messages)].map((id) => namedMessage(context, person, id)),
  }
}

const everyRequest = (context: DecisionContext): RequestRecord[] =>
  Object.values(context.world.requests).flatMap((requests) => Object.values(requests))

function namedRequest(context: DecisionContext, person: AgentId, id: RequestId): RequestRecord {
  const request = seenRequest(context, person, id)
  if (!request.asked.includes(person)) throw new Fault('NOT_ASKED')
  mustNotBeOver(context, request)
  if (request.handing) throw new Fault('HANDOVER_UNFIT', { why: `request ${request.number} is on its way already` })
  return request
}

/** The message of a request is transferred with the request. */
function namedMessage(context: DecisionContext, person: AgentId, id: MessageId): MessageRecord {
  const { message, delivery } = mustBeMine(context, person, id)
  if (delivery.handing) throw new Fault('HANDOVER_UNFIT', { why: 'a message is on its way already' })
  if (!selectUnalerted(context.world, person).some((one) => one.message.id === id)) {
    throw new Fault('HANDOVER_UNFIT', { why: 'a message asks nothing of you, or is settled' })
  }
  return message
}

function checkRequestFor(context: DecisionContext, request: RequestRecord, to: AgentId): void {
  const { world } = context
  const task = world.tasks[request.task]?.name ?? request.task
  const name = context.name(to)
  if (!isMember(world, request.task, to) && !isOperator(world, to)) throw new Fault('NOT_A_MEMBER', { name, task })
  if (hasPart(context, request, to))
    throw new Fault('HANDOVER_UNFIT', { why: `${name} has a part of that stage already` })
}

const hasPart = ({ world }: DecisionContext, { kind, task, stage }: RequestRecord, to: AgentId): boolean =>
  kind === 'part' && stage !== null && world.stages[task]?.[stage]?.parts[to] !== undefined

function checkMessageFor(context: DecisionContext, person: AgentId, message: MessageRecord, to: AgentId): void {
  const { world } = context
  const { id, task, receivers } = message
  const name = context.name(to)
  if (!mayBePutTo(world, task, id, to)) throw new Fault('NOT_A_MEMBER', { name, task: world.tasks[task]?.name ?? task })
  // Sent to both by one message, each has it on their own account; back to whom it came from it may go.
  const linked = linkedTo(world.deliveries[task] ?? {}, id, person)
  const isOwn = receivers.includes(to) && !linked.some(({ receiver }) => receiver === to)
  if (isOwn) throw new Fault('HANDOVER_UNFIT', { why: `${name} has that message already` })
}

/** Accepts, declines or takes back an offer. What is over stays over. Throws NOT_FOUND, NOT_ASKED. */
export function settleHandOver(
  context: DecisionContext,
  person: AgentId,
  { handOver: id, accept }: CommandOf<'settleHandOver'>,
): { requests: RequestId[]; messages: MessageId[] } {
  const isMine = ({ from, to }: TransferRecord): boolean => to === person || (!accept && from === person)
  const requests = everyRequest(context).filter((request) => isOpen(request) && request.handing?.id === id)
  const deliveries = offeredDeliveries(context, id)
  const offers = [...requests, ...deliveries].flatMap(({ handing }) => handing ?? [])
  const isSeen =
    requests.some((one) => readsRequest(context, person, one)) || deliveries.some(isReadBy(context, person))
  if (!offers.some(isMine) && !isSeen) throw new Fault('NOT_FOUND', { what: 'open hand-over', id })
  if (!offers.every(isMine)) throw new Fault('NOT_ASKED')
  if (accept)
    for (const request of requests) if (hasPart(context, request, person)) checkRequestFor(context, request, person)
  for (const request of requests) settleRequest(context, request, accept)
  for (const { task, message, handing } of deliveries) {
    if (!handing) continue
    const { from, to } = handing
    if (accept) context.emit('message.handed', { task, message, agent: from, to, handOver: id })
    else returnMessage(context, { task, message, from, to })
  }
  return { requests: requests.map((request) => request.id), messages: deliveries.map(({ message }) => message) }
}

const isReadBy =
  (context: DecisionContext, person: AgentId) =>
  ({ task, message }: DeliveryRecord): boolean => {
    const record = context.world.messages[task]?.[message]
    return record !== undefined && readsMessage(context, person, record)
  }

/** Deliveries of those who offered, not yet settled. */
function offeredDeliveries({ world }: DecisionContext, id: HandOverId): DeliveryRecord[] {
  return Object.values(world.deliveries).flatMap((byAgent) =>
    Object.values(byAgent).flatMap((own) =>
      Object.values(own).filter(
        ({ state, handing, receiver }: DeliveryRecord) =>
          handing?.id === id && handing.from === receiver && !isSettled(state),
      ),
    ),
  )
}

function settleRequest(context: DecisionContext, request: RequestRecord, accepted: boolean): void {
  const { task, id, stage, handing } = request
  if (!handing) return
  context.emit('request.handed', { task, request: id, handOver: handing.id, accepted })
  // The person who handed it over no longer answers it; it is the other one's, and alerts them.
  if (accepted && request.claimed?.by === handing.from) context.emit('request.raised', { task, request: id })
  if (!accepted || request.kind !== 'part' || stage === null) return
  // Who has a part belongs to the task.
  const { from, to } = handing
  addParticipants(context, task, [to])
  context.emit('stage.partHanded', { task, stage, agent: from, to })
  const { number: n } = selectStagePlace(context.world, task, stage)
  const says = { who: context.name(to), from: context.name(from), n }
  tellChat(context, task, context.said('actTookPart', says), stage)
}

type Back = { task: TaskId; message: MessageId; from: AgentId; to: AgentId }
const returnMessage = (context: DecisionContext, { task, message, from, to }: Back): void =>
  context.emit('message.returned', {
    task,
    message,
    agent: from,
    to,
    note: context.say('saidNotMe', { who: context.name(to) }),
  })

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
  checkReceiver(context, from, to)
  takeBackOffers(context, task, from)
  const requests = openRequestsOf(context.world, task, from)
  const messages = selectUnalerted(context.world, from).flatMap(({ message }) =>
    message.task === task ? [message] : [],
  )
  if (requests.length + messages.length === 0) return
  if (context.world.tasks[task]?.base !== true) addParticipants(context, task, [to])
  const handOver = context.id<HandOverId>()
  for (const request of requests) {
    checkRequestFor(context, request, to)
    context.emit('request.offered', { task, request: request.id, handOver, from, to, sentence })
    settleRequest(context, context.world.requests[task]?.[request.id] ?? request, true)
  }
  for (const message of messages) {
    checkMessageFor(context, from, message, to)
    context.emit('message.offered', { task, message: message.id, agent: from, to, handOver, sentence })
    context.emit('message.handed', { task, message: message.id, agent: from, to, handOver })
  }
  const names = { from: context.name(from), to: context.name(to) }
  notice(context, to, 'reply_needed', { task, stage: null, message: null }, { who: names.from })
  const n = requests.map(({ number }) => number).join(', ')
  tellChat(context, task, context.said('actGave', { ...names, n, messages: messages.length }))
}

/** Those that only this person was asked. */
export const openRequestsOf = (world: World, task: TaskId, person: AgentId): RequestRecord[] =>
  selectOpenRequests(world, task).filter(({ asked }) => asked.length === 1 && asked[0] === person)

/** Their offers that were not accepted are theirs alone again. */
function takeBackOffers(context: DecisionContext, task: TaskId, person: AgentId): void {
  for (const request of selectOpenRequests(context.world, task))
    if (request.handing?.from === person) settleRequest(context, request, false)
  for (const { message, handing } of Object.values<DeliveryRecord>(context.world.deliveries[task]?.[person] ?? {})) {
    if (handing?.from === person) returnMessage(context, { task, message, from: person, to: handing.to })
  }
}

/** They leave the task: what was offered or given to them there goes back to its previous owner. */
export function returnHanded(context: DecisionContext, task: TaskId, agent: AgentId): void {
  for (const request of selectOpenRequests(context.world, task))
    if (request.handing?.to === agent) settleRequest(context, request, false)
  for (const delivery of Object.values<DeliveryRecord>(context.world.deliveries[task]?.[agent] ?? {})) {
    const { message, state, handing, passed } = delivery
    const from = handing?.to === agent ? handing.from : passed?.from
    if (from !== undefined && !isSettled(state)) returnMessage(context, { task, message, from, to: agent })
  }
}
