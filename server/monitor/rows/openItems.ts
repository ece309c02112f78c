/** What waits for one person in one task: open requests to them, and messages that they have not seen. */
import { gather } from '@/lib/gather'
import { requestAlerts } from '@/lib/mas/asks/alerts'
import { type MessageOutcome, selectOutcome } from '@/lib/mas/asks/outcomes'
import { isAwaited, isNumbered, openRequestsIn } from '@/lib/mas/asks/requests'
import type { AgentId, MessageId, RequestId, TaskId } from '@/lib/mas/ids'
import {
  type DeliveryRecord,
  type MessageRecord,
  type NumberedRequest,
  needsReply,
  type RequestRecord,
  type World,
} from '@/lib/mas/records'
import { memo, memoWith } from '@/lib/memo'
import type { InboxGroup } from '@/lib/wire/rows'

export type Received = { message: MessageRecord; outcome: MessageOutcome }
/** since: when it came, epoch ms. What has no card is shown as its message. */
export type OpenItem = { group: InboxGroup; since: number } & (
  | { kind: 'request'; request: NumberedRequest }
  | ({ kind: 'message' } & Received)
)

type Requests = Record<RequestId, RequestRecord>
type Messages = Record<MessageId, MessageRecord>
type Deliveries = Record<MessageId, DeliveryRecord>
const NONE = {}

const openByPerson = memo((requests: Requests) => gather(openRequestsIn(requests), ({ asked }) => asked))
/** Those with a card that are open for this person. */
export const cardsFor = (requests: Requests, person: AgentId): NumberedRequest[] =>
  (openByPerson(requests).get(person) ?? []).filter(isNumbered)
const answeredByPerson = memo((requests: Requests) =>
  gather(Object.values(requests), (request: RequestRecord) => (request.answer ? [request.answer.by] : [])),
)
/** Asks without a card that are done or answered, by everyone who was asked: they are looked at for what was done lately. */
const settledAsks = memo((requests: Requests) =>
  gather(
    Object.values<RequestRecord>(requests).filter((one) => !isNumbered(one) && one.state === 'answered'),
    ({ asked, transferredBy }) => [...asked, ...(transferredBy ?? [])],
  ),
)
const bySender = memo((messages: Messages) =>
  gather(Object.values(messages), (message: MessageRecord) => [message.sender]),
)
const messagesOf = memo((deliveries: Deliveries): DeliveryRecord[] => Object.values(deliveries))

export const groupOfRequest = (request: RequestRecord): InboxGroup => {
  if (requestAlerts(request)) return 'urgent'
  if (request.kind === 'part') return 'part'
  return isAwaited(request) ? 'still' : 'action'
}

/** The messages with this person's outcome, as far as they are in the world. */
const received = (world: World, task: TaskId, ids: readonly MessageId[], person: AgentId): Received[] =>
  ids.flatMap((id) => {
    const message = world.messages[task]?.[id]
    const outcome = message === undefined ? null : selectOutcome(world, message, person)
    return message && outcome ? [{ message, outcome }] : []
  })

const tells = ({ type, instruction }: MessageRecord): boolean => type === 'fyi' && instruction === null

/** Kept while the person's deliveries and the messages of the task are the same. in: isSeen: those that they saw, or the others */
const told = memoWith((deliveries: Deliveries, messages: Messages): { seen: MessageId[]; unseen: MessageId[] } => {
  const all = messagesOf(deliveries).filter(({ message }) => {
    const record = messages[message]
    return record !== undefined && tells(record)
  })
  const idsOf = (isSeen: boolean): MessageId[] =>
    all.flatMap(({ message, shownAt }) => ((shownAt !== null) === isSeen ? [message] : []))
  return { seen: idsOf(true), unseen: idsOf(false) }
})

const toldIn = (world: World, task: TaskId, person: AgentId) =>
  told(world.deliveries[task]?.[person] ?? NONE, world.messages[task] ?? NONE)

export function openItemsOf(world: World, task: TaskId, person: AgentId): OpenItem[] {
  const asked = openByPerson(world.requests[task] ?? NONE).get(person) ?? []
  return [
    ...asked.flatMap((request): OpenItem[] => {
      const place = { group: groupOfRequest(request), since: request.openedAt }
      if (isNumbered(request)) return [{ kind: 'request', ...place, request }]
      const messages = request.message === null ? [] : [request.message]
      return received(world, task, messages, person).map((one) => ({ kind: 'message', ...place, ...one }))
    }),
    ...received(world, task, toldIn(world, task, person).unseen, person).map((one): OpenItem => {
      return { kind: 'message', group: one.message.mention ? 'mention' : 'unread', since: one.message.at, ...one }
    }),
  ]
}

/** Does it ring: an Urgent that nobody has acknowledged. */
export const isUnacknowledged = (item: OpenItem): boolean => {
  const request = item.kind === 'request' ? item.request : item.outcome.request
  return request !== null && requestAlerts(request)
}

/** FYIs to this person that they have seen. */
export const seenMessagesOf = (world: World, task: TaskId, person: AgentId): Received[] =>
  received(world, task, toldIn(world, task, person).seen, person)

/** Messages to this person that were done or answered, and have no card. */
export const settledMessagesOf = (world: World, task: TaskId, person: AgentId): Received[] =>
  received(
    world,
    task,
    (settledAsks(world.requests[task] ?? NONE).get(person) ?? []).flatMap(({ message }) => message ?? []),
    person,
  )

export const answeredRequestsOf = (world: World, task: TaskId, person: AgentId): NumberedRequest[] =>
  (answeredByPerson(world.requests[task] ?? NONE).get(person) ?? []).filter(isNumbered)

/** What this person sent in the task and asked something with; one list per act of sending, oldest first. */
export function askedByDispatch(world: World, task: TaskId, person: AgentId): MessageRecord[][] {
  const asking = sentBy(world.messages[task] ?? NONE, person).filter(({ type }) => needsReply(type))
  return [...gather(asking, ({ dispatch }) => [dispatch]).values()]
}

/** What this person sent, oldest first as far as the branch keeps that order. */
export const sentBy = (messages: Messages, person: AgentId): MessageRecord[] => bySender(messages).get(person) ?? []

/** How much this person sent in the task: messages never change, so the number says whether the list did. */
export const sentCount = (world: World, task: TaskId, person: AgentId): number =>
  sentBy(world.messages[task] ?? NONE, person).length
