/** What became of a message for each who has it: of its delivery and its request, read together here alone. Small: pages load it. */
import type { AgentId, MessageId, RequestId, TaskId } from '../ids'
import type { DeliveryRecord, DeliveryState, MessageRecord, RequestRecord, RequestState, World } from '../records'
import { isOpen, isSettled } from '../statuses'
import { isNumbered, requestsByMessage } from './requests'

/** The records of one task that tell it: of a world, or of a view. */
export type OutcomeSources = {
  deliveries: Record<AgentId, Record<MessageId, DeliveryRecord>>
  requests: Record<RequestId, RequestRecord>
}

/**
 * Times are epoch ms.
 *
 * request   of a person who is asked, or was asked first; null: none
 * by        who settled it, if not the receiver
 * reassigned    it was not sent to this person: `from` transferred it, or could not be reached
 * transferredTo  they accepted it from this person: what becomes of it is up to them
 */
export type MessageOutcome = Pick<
  DeliveryRecord,
  'message' | 'receiver' | 'state' | 'deliveredAt' | 'shownAt' | 'acknowledgedAt' | 'settledAt' | 'note'
> & {
  request: RequestRecord | null
  by: AgentId | null
  reassigned: PassedTransfer | null
  transferredTo: AgentId | null
}
/** at: epoch ms */
export type PassedTransfer = { from: AgentId; by: 'handOver' | 'escalation'; at: number }
export type MessageRecipient = { receiver: AgentId; outcome: MessageOutcome | null }

const receiversOf = ({ asked, transferredBy }: RequestRecord): AgentId[] => [...asked, ...(transferredBy ?? [])]

/** This person was not asked first: it was offered or handed to them, or they are asked because another was not reached. */
const wasPassed = ({ transfer, transferredBy, escalated }: RequestRecord, person: AgentId): boolean =>
  transfer?.to === person ||
  (escalated ?? []).some(({ to }) => to === person) ||
  ((transferredBy ?? []).length > 0 && !transferredBy?.includes(person))

/** The request of a message that this person was asked, also after its end: the one that they were asked first. */
export function requestToReceiver(
  requests: Record<RequestId, RequestRecord>,
  message: MessageId,
  person: AgentId,
): RequestRecord | null {
  const own = (requestsByMessage(requests).get(message) ?? []).filter((one) => receiversOf(one).includes(person))
  return own.find((one) => !wasPassed(one, person)) ?? own[0] ?? null
}

const ENDS: Record<Exclude<RequestState, 'open' | 'claimed' | 'answered'>, DeliveryState> = {
  released: 'released',
  expired: 'expired',
  superseded: 'superseded',
}

/** How a request ended for those who were asked; null: it has not. */
function endOfRequest({ state, kind, answer }: RequestRecord): DeliveryState | null {
  if (state === 'open' || state === 'claimed') return null
  if (state !== 'answered') return ENDS[state]
  return answer?.decision === 'done' || kind === 'part' ? 'done' : 'answered'
}

/** null: this receiver has neither a delivery of the message nor a request. */
export function outcomeFor(
  { deliveries, requests }: OutcomeSources,
  { id, receivers }: Pick<MessageRecord, 'id' | 'receivers'>,
  receiver: AgentId,
): MessageOutcome | null {
  const delivery = deliveries[receiver]?.[id] ?? null
  const request = requestToReceiver(requests, id, receiver)
  if (request === null) {
    return delivery && { ...delivery, request, by: null, reassigned: null, transferredTo: null }
  }
  const end = endOfRequest(request)
  const acknowledgedAt = request.type === 'urgent' ? (request.claimed?.at ?? null) : null
  const by = request.answer?.by ?? null
  const reassigned = receivers.includes(receiver) ? null : passedTo(request, receiver)
  const settledAt = end === null ? null : request.endedAt
  const isSeen = end === 'done' || end === 'answered'
  return {
    message: id,
    receiver,
    state: end ?? (acknowledgedAt === null ? (delivery?.state ?? 'delivered') : 'acknowledged'),
    deliveredAt: delivery === null ? (reassigned?.at ?? request.openedAt) : (delivery.deliveredAt ?? settledAt),
    shownAt: delivery?.shownAt ?? acknowledgedAt ?? (isSeen ? settledAt : null),
    acknowledgedAt: acknowledgedAt ?? (isSeen ? settledAt : null),
    settledAt,
    note: request.endReason ?? delivery?.note ?? null,
    request,
    by: by === receiver ? null : by,
    reassigned,
    transferredTo:
      request.transferredBy?.includes(receiver) && !request.asked.includes(receiver)
        ? (request.asked[0] ?? null)
        : null,
  }
}

/** From whom a request came to someone who was not asked first. */
function passedTo(
  { transfer, transferredBy, escalated, asked, openedAt }: RequestRecord,
  person: AgentId,
): PassedTransfer | null {
  const beside = escalated?.findLast(({ to }) => to === person)
  if (beside !== undefined) return { from: beside.from, by: 'escalation', at: beside.at }
  if (transfer?.to === person) return { from: transfer.from, by: 'handOver', at: transfer.at }
  const from = transferredBy?.at(-1)
  return from === undefined || !asked.includes(person) ? null : { from, by: 'handOver', at: openedAt }
}

/** One row each: the receivers in the order in which they were named, then those who are asked beside or instead of them. */
export function recipientsOf(
  sources: OutcomeSources,
  message: Pick<MessageRecord, 'id' | 'receivers'>,
): MessageRecipient[] {
  const { id, receivers } = message
  const asked = (requestsByMessage(sources.requests).get(id) ?? [])
    .filter((one) => !isNumbered(one))
    .flatMap(receiversOf)
  const others = [...new Set(asked)].filter((one) => !receivers.includes(one))
  return [...receivers, ...others].map((receiver) => ({ receiver, outcome: outcomeFor(sources, message, receiver) }))
}

/** Nothing is left to be done with it: it has an outcome, or another has it now. */
export const isDealtWith = ({ state, transferredTo }: MessageOutcome): boolean =>
  isSettled(state) || transferredTo !== null

const NO_SOURCES: OutcomeSources = { deliveries: {}, requests: {} }

/** The outcome by the records of a world. */
export const selectOutcome = (
  world: Pick<World, 'deliveries' | 'requests'>,
  message: Pick<MessageRecord, 'id' | 'task' | 'receivers'>,
  receiver: AgentId,
): MessageOutcome | null => outcomeFor(sourcesOf(world, message.task), message, receiver)

export const sourcesOf = (world: Pick<World, 'deliveries' | 'requests'>, task: TaskId): OutcomeSources => ({
  deliveries: world.deliveries[task] ?? NO_SOURCES.deliveries,
  requests: world.requests[task] ?? NO_SOURCES.requests,
})

/** The open request of a message to this person. */
export const openRequestFor = (
  requests: Record<RequestId, RequestRecord>,
  message: MessageId,
  person: AgentId,
): RequestRecord | null => {
  const request = requestToReceiver(requests, message, person)
  return request !== null && isOpen(request) ? request : null
}
