/**
 * Handing over: one who is asked wants another to take it over. Until that is settled, both are asked.
 *
 * Owns: handOver, settleHandOver. Not here: who may answer (requests.ts).
 */

import { Fault } from '@/lib/faults'
import type { AgentId, HandOverId, RequestId, TaskId } from '../ids'
import type { RequestRecord } from '../records'
import { isOpen } from '../reduce/request'
import { isMember, isOperator, selectName } from '../selectors/agents'
import { recordAct } from './act'
import type { CommandOf } from './command'
import type { Draft } from './draft'
import { findRequest } from './requests'
import { notice } from './send'

export const SENTENCE_CHARACTERS = 1_000

/**
 * Offer requests to another person: all or none of those named.
 *
 * out     the hand-over's id, and what goes over. With 'all' that is everything put to me but parts: a part of a stage is one's
 *         own, and only who directs the task gives it to somebody else
 */
export function handOver(
  draft: Draft,
  person: AgentId,
  { to, requests: ids, sentence }: CommandOf<'handOver'>,
): { handOver: HandOverId; requests: RequestId[] } {
  checkReceiver(draft, person, to)
  const words = sentence.trim()
  if (words === '') throw new Fault('REASON_MISSING')
  if (words.length > SENTENCE_CHARACTERS) {
    const [limit, size] = [`${SENTENCE_CHARACTERS} characters`, `${words.length} characters`]
    throw new Fault('TOO_LARGE', { what: 'The sentence', limit, size })
  }
  const requests = ids === 'all' ? allOf(draft, person) : [...new Set(ids)].map((id) => handed(draft, person, id))
  if (requests.length === 0) throw new Fault('HANDOVER_UNFIT', { why: 'nothing is put to you' })
  for (const request of requests) {
    if (isMember(draft.world, request.task, to) || isOperator(draft.world, to)) continue
    const task = draft.world.tasks[request.task]?.name ?? request.task
    throw new Fault('NOT_A_MEMBER', { name: selectName(draft.world, to), task })
  }
  const id = draft.id<HandOverId>()
  for (const { task, id: request } of requests) {
    draft.emit('request.offered', { task, request, handOver: id, from: person, to, sentence: words })
  }
  for (const [task, numbers] of byTask(requests)) {
    const about = { task, stage: null, message: null }
    notice(draft, to, 'reply_needed', about, { who: selectName(draft.world, person) })
    const says = draft.say('actHandedOver', {
      who: selectName(draft.world, person),
      to: selectName(draft.world, to),
      n: numbers.join(', '),
    })
    recordAct(draft, person, [task], { act: 'handOver', on: id, reason: words, says })
  }
  return { handOver: id, requests: requests.map((request) => request.id) }
}

function checkReceiver(draft: Draft, person: AgentId, to: AgentId): void {
  const record = draft.world.agents[to]
  if (!record) throw new Fault('RECEIVER_UNKNOWN', { id: to })
  if (record.kind !== 'human') throw new Fault('HANDOVER_UNFIT', { why: `${record.name} is no person` })
  if (record.removed || record.access === 'none') throw new Fault('RECEIVER_GONE', { name: record.name })
  if (to === person) throw new Fault('HANDOVER_UNFIT', { why: 'it is put to you already' })
}

const allOf = (draft: Draft, person: AgentId): RequestRecord[] =>
  everyRequest(draft).filter(
    (request) => isOpen(request) && request.asked.includes(person) && request.kind !== 'part' && !isOnItsWay(request),
  )

const everyRequest = (draft: Draft): RequestRecord[] =>
  Object.values(draft.world.requests).flatMap((requests) => Object.values(requests))

const isOnItsWay = ({ handing }: RequestRecord): boolean => (handing ?? null) !== null

function handed(draft: Draft, person: AgentId, id: RequestId): RequestRecord {
  const request = findRequest(draft, id)
  if (!request.asked.includes(person)) throw new Fault('NOT_ASKED')
  if (!isOpen(request)) {
    throw new Fault('REQUEST_OVER', {
      by: request.answer ? selectName(draft.world, request.answer.by) : (request.endReason ?? request.state),
      how: request.state,
      at: request.endedAt ?? draft.at,
      request: id,
    })
  }
  if (request.kind === 'part') throw new Fault('HANDOVER_UNFIT', { why: 'a part of a stage is your own' })
  if (isOnItsWay(request)) throw new Fault('HANDOVER_UNFIT', { why: `request ${request.number} is on its way already` })
  return request
}

function byTask(requests: readonly RequestRecord[]): Map<TaskId, number[]> {
  const found = new Map<TaskId, number[]>()
  for (const { task, number } of requests) found.set(task, [...(found.get(task) ?? []), number])
  return found
}

/** "Accept" or "Not me", by the one it was offered to, or taken back by the one who offered it. What is over stays over. */
export function settleHandOver(
  draft: Draft,
  person: AgentId,
  { handOver: id, accept }: CommandOf<'settleHandOver'>,
): { requests: RequestId[] } {
  const offered = everyRequest(draft).filter((request) => isOpen(request) && request.handing?.id === id)
  const mine = offered.filter(({ handing }) => handing?.to === person || (!accept && handing?.from === person))
  if (offered.length > 0 && mine.length === 0) throw new Fault('NOT_ASKED')
  if (mine.length === 0) throw new Fault('NOT_FOUND', { what: 'open hand-over', id })
  for (const { task, id: request } of mine) {
    draft.emit('request.handed', { task, request, handOver: id, accepted: accept })
  }
  return { requests: mine.map((request) => request.id) }
}
