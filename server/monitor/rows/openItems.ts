/** What waits for one person in one task: requests put to them, messages to them that are not settled. */

import { gather } from '@/lib/gather'
import type { AgentId, MessageId, RequestId, TaskId } from '@/lib/mas/ids'
import type { DeliveryRecord, MessageRecord, RequestRecord, World } from '@/lib/mas/records'
import { needsReply } from '@/lib/mas/records/messages'
import { type Received, requestAlerts, unsettledDeliveries, withMessages } from '@/lib/mas/selectors/requests/alerts'
import { isHandedOn } from '@/lib/mas/selectors/requests/recipients'
import { isAskedBy, isAwaited, openRequestsIn } from '@/lib/mas/selectors/requests/requests'
import { isFulfilled, isSettled } from '@/lib/mas/statuses'
import { memo, memoWith } from '@/lib/memo'
import type { InboxGroup } from '@/lib/wire/rows'

/** since: when it came, epoch ms; delivery: of the message that a request came with, null: there is none for this person */
export type OpenItem = { group: InboxGroup; since: number } & (
  | { kind: 'request'; request: RequestRecord; delivery: DeliveryRecord | null }
  | ({ kind: 'message' } & Received)
)

type Requests = Record<RequestId, RequestRecord>
type Messages = Record<MessageId, MessageRecord>
type Deliveries = Record<MessageId, DeliveryRecord>
const NONE = {}

export const openByPerson = memo((requests: Requests) => gather(openRequestsIn(requests), ({ asked }) => asked))
const answeredByPerson = memo((requests: Requests) =>
  gather(Object.values(requests), (request: RequestRecord) => (request.answer ? [request.answer.by] : [])),
)
const bySender = memo((messages: Messages) =>
  gather(Object.values(messages), (message: MessageRecord) => [message.sender]),
)
/** Settled ones are many and stay; they are looked at for what was done lately only. */
const settled = memo((deliveries: Deliveries): DeliveryRecord[] =>
  Object.values(deliveries).filter((delivery: DeliveryRecord) => isSettled(delivery.state)),
)

export const groupOfRequest = (request: RequestRecord): InboxGroup => {
  if (isAwaited(request)) return 'still'
  return request.urgent ? 'urgent' : 'action'
}

/** null: settled, or nothing that asks for anything. */
function groupOfMessage(message: MessageRecord, delivery: DeliveryRecord): InboxGroup | null {
  if (message.instruction !== null) return null
  if (needsReply(message.type)) {
    if (isSettled(delivery.state) || isHandedOn(delivery)) return null
    return message.type === 'urgent' && delivery.acknowledgedAt === null ? 'urgent' : 'action'
  }
  if (delivery.state !== 'delivered' && delivery.state !== 'queued') return null
  return message.mention ? 'mention' : 'unread'
}

/** Kept while the person's deliveries, the messages and the requests of the task are the same. */
const openMessages = memoWith(
  (deliveries: Deliveries, messages: Messages, requests: Requests, person: AgentId): readonly OpenItem[] =>
    withMessages(unsettledDeliveries(deliveries), messages).flatMap(({ message, delivery }): OpenItem[] => {
      const group = groupOfMessage(message, delivery)
      if (group === null || isAskedBy(requests, message.id, person)) return []
      return [{ kind: 'message', group, since: message.at, message, delivery }]
    }),
)

export function openItemsOf(world: World, task: TaskId, person: AgentId): OpenItem[] {
  const requests = world.requests[task] ?? NONE
  const deliveries: Deliveries = world.deliveries[task]?.[person] ?? NONE
  const asked = openByPerson(requests).get(person) ?? []
  return [
    ...asked.map((request): OpenItem => {
      const delivery = request.message === null ? null : (deliveries[request.message] ?? null)
      return { kind: 'request', group: groupOfRequest(request), since: request.openedAt, request, delivery }
    }),
    ...openMessages(deliveries, world.messages[task] ?? NONE, requests, person),
  ]
}

/** Does it ring: an Urgent that this person has not acknowledged, by delivery, by answering, or by taking it? */
export const isUnacknowledged = (item: OpenItem): boolean =>
  item.kind === 'message' ? item.group === 'urgent' : requestAlerts(item)

/** FYIs to this person that they have seen. */
export const seenMessagesOf = (world: World, task: TaskId, person: AgentId): Received[] =>
  withMessages(unsettledDeliveries(world.deliveries[task]?.[person] ?? NONE), world.messages[task] ?? NONE).filter(
    ({ message, delivery }) => message.type === 'fyi' && message.instruction === null && delivery.shownAt !== null,
  )

/** Messages to this person that they settled themselves, without a request. */
export const settledMessagesOf = (world: World, task: TaskId, person: AgentId): Received[] =>
  withMessages(settled(world.deliveries[task]?.[person] ?? NONE), world.messages[task] ?? NONE).filter(
    ({ message, delivery }) =>
      needsReply(message.type) &&
      isFulfilled(delivery.state) &&
      !isAskedBy(world.requests[task] ?? NONE, message.id, person),
  )

export const answeredRequestsOf = (world: World, task: TaskId, person: AgentId): RequestRecord[] =>
  answeredByPerson(world.requests[task] ?? NONE).get(person) ?? []

/** What this person sent in the task and asked something with; one list per act of sending, oldest first. */
export function askedByDispatch(world: World, task: TaskId, person: AgentId): MessageRecord[][] {
  const asking = sentBy(world.messages[task] ?? NONE, person).filter((message) => needsReply(message.type))
  return [...gather(asking, ({ dispatch }) => [dispatch]).values()]
}

/** What this person sent, oldest first as far as the branch keeps that order. */
export const sentBy = (messages: Messages, person: AgentId): MessageRecord[] => bySender(messages).get(person) ?? []

/** How much this person sent in the task: messages never change, so the number says whether the list did. */
export const sentCount = (world: World, task: TaskId, person: AgentId): number =>
  sentBy(world.messages[task] ?? NONE, person).length
