/** The alerts of a person: unacknowledged, acknowledged but unanswered, and open for long. Cached per branch. */

import { memo, memoWith } from '@/lib/memo'
import { type AgentId, type MessageId, type RequestId, type SenderId, SYSTEM_TASK, type TaskId } from '../../ids'
import type {
  AgentRecord,
  AttemptAbout,
  AttemptRecord,
  DeliveryRecord,
  MessageRecord,
  RequestRecord,
  TaskRecord,
  World,
} from '../../records'
import { needsReply } from '../../records/messages'
import { isOpen, isSettled } from '../../statuses'
import { mayAct } from '../agents/agents'
import { isHandedOn } from './recipients'
import { isAskedBy, openRequestsIn, requestReceivers } from './requests'

/** One item that alerts one person. Times are epoch ms. */
export type PendingAlert = {
  task: TaskId
  person: AgentId
  /** Who asks. */
  sender: SenderId
  about: AttemptAbout
  /** The request; null: a message without a request. */
  request: RequestId | null
  /** When this round began: the arrival, or the last raise. */
  since: number
  /** When the person wants to be asked again; null: not snoozed. */
  snoozedUntil: number | null
  /** The attempts of this round, oldest first, also those for the next persons. */
  attempts: readonly AttemptRecord[]
  /** Everyone who is asked already. */
  known: readonly AgentId[]
}

/** Acknowledged or claimed, and not answered since. */
type MissedAlert = { task: TaskId; person: AgentId; about: AttemptAbout; since: number }

type Requests = Record<RequestId, RequestRecord>
type Messages = Record<MessageId, MessageRecord>
type Deliveries = Record<MessageId, DeliveryRecord>

/** Whether a message without a request alerts its receiver. */
export const messageAlerts = (
  message: Pick<MessageRecord, 'type'>,
  delivery: Pick<DeliveryRecord, 'state' | 'acknowledgedAt'>,
): boolean => message.type === 'urgent' && !isSettled(delivery.state) && delivery.acknowledgedAt === null

export const unsettledDeliveries = memo((deliveries: Deliveries): DeliveryRecord[] =>
  Object.values(deliveries).filter((delivery: DeliveryRecord) => !isSettled(delivery.state)),
)
export type Received = { message: MessageRecord; delivery: DeliveryRecord }
/** in: deliveries of one person in one task; messages of that task. out: those whose message is in the world */
export const withMessages = (deliveries: readonly DeliveryRecord[], messages: Messages): Received[] =>
  deliveries.flatMap((delivery) => {
    const message = messages[delivery.message]
    return message === undefined ? [] : [{ message, delivery }]
  })
const NO_REQUESTS: Requests = {}
const NO_MESSAGES: Messages = {}
const NO_DELIVERIES: Deliveries = {}
const NOBODYS: Record<AgentId, Deliveries> = {}

/** People, in the order of the configuration. */
export const selectPeople = memo((agents: Record<AgentId, AgentRecord>): AgentRecord[] =>
  Object.values(agents).filter(mayAct),
)

/** rings: an unacknowledged Urgent; left: acknowledged, not answered; open: Actions, and requests that block nothing. */
type TaskAlerts = { rings: readonly PendingAlert[]; left: readonly MissedAlert[]; open: readonly PendingAlert[] }
const NO_ALERTS: TaskAlerts = { rings: [], left: [], open: [] }

function alertsOf(
  requests: Requests,
  deliveries: Deliveries | undefined,
  messages: Messages,
  task: TaskId,
  person: AgentId,
): TaskAlerts {
  const asked = openRequestsIn(requests).filter((request) => request.asked.includes(person))
  // No message was sent to them here: only a request without a message can alert them.
  if (deliveries === undefined && asked.length === 0) return NO_ALERTS
  const found = { rings: [] as PendingAlert[], left: [] as MissedAlert[], open: [] as PendingAlert[] }
  for (const request of asked) {
    const delivery = request.message === null ? null : (deliveries?.[request.message] ?? null)
    const alert = alertOfRequest(request, delivery, person)
    if (requestAlerts({ request, delivery })) found.rings.push(alert)
    else if (!request.urgent) found.open.push(alert)
    else found.left.push({ task, person, about: alert.about, since: leftSince(request, delivery) })
  }
  for (const { message, delivery } of plainOf(deliveries ?? NO_DELIVERIES, messages, requests, person)) {
    const alert = alertOfMessage(message, delivery)
    if (messageAlerts(message, delivery)) found.rings.push(alert)
    else if (message.type !== 'urgent') found.open.push(alert)
    else found.left.push({ task, person, about: alert.about, since: delivery.acknowledgedAt ?? message.at })
  }
  return found
}

/** Messages that ask this person directly: without a request, and not transferred. */
const plainOf = (deliveries: Deliveries, messages: Messages, requests: Requests, person: AgentId): Received[] =>
  withMessages(unsettledDeliveries(deliveries), messages).filter(
    ({ message: { id, type, instruction }, delivery }) =>
      needsReply(type) && instruction === null && !isAskedBy(requests, id, person) && !isHandedOn(delivery),
  )

/** Open Urgents of people, also acknowledged ones, and open Actions of this person, in all tasks. */
export const selectUnalerted = (world: World, person: AgentId): Received[] =>
  Object.values<TaskRecord>(world.tasks).flatMap(({ id }) => {
    const deliveries = world.deliveries[id]?.[person]
    if (deliveries === undefined) return []
    return plainOf(deliveries, world.messages[id] ?? NO_MESSAGES, world.requests[id] ?? NO_REQUESTS, person)
  })

function alertOfRequest(request: RequestRecord, delivery: DeliveryRecord | null, person: AgentId): PendingAlert {
  const { task, id, message, openedAt, raisedAt, escalated, handing, asker } = request
  const came = escalated?.findLast(({ to }) => to === person)?.at ?? (handing?.to === person ? handing.at : openedAt)
  const since = Math.max(came, raisedAt ?? 0, delivery?.raisedAt ?? 0)
  return {
    task,
    person,
    sender: asker,
    about: delivery === null || message === null ? { request: id } : { message, receiver: person },
    request: id,
    since,
    snoozedUntil: latest(request.snoozed?.[person], delivery?.remindAt),
    attempts: [...(delivery?.attempts ?? []), ...(request.attempts ?? [])].filter(({ at }) => at >= since),
    known: agentsOf([asker, ...requestReceivers(request)]),
  }
}

const leftSince = (request: RequestRecord, delivery: DeliveryRecord | null): number =>
  Math.max(request.claimed?.at ?? 0, delivery?.acknowledgedAt ?? 0)

const latest = (...times: (number | null | undefined)[]): number | null =>
  times.reduce<number | null>((a, b) => (b === null || b === undefined ? a : Math.max(a ?? 0, b)), null)

const agentsOf = (ids: readonly SenderId[]): AgentId[] => ids.filter((id): id is AgentId => id !== SYSTEM_TASK)

function alertOfMessage(message: MessageRecord, delivery: DeliveryRecord): PendingAlert {
  const { handing, receiver } = delivery
  const came = Math.max(delivery.deliveredAt ?? message.at, handing?.to === receiver ? handing.at : 0)
  const since = Math.max(came, delivery.raisedAt ?? 0)
  return {
    task: message.task,
    person: delivery.receiver,
    sender: message.sender,
    about: { message: message.id, receiver: delivery.receiver },
    request: null,
    since,
    snoozedUntil: delivery.remindAt ?? null,
    attempts: (delivery.attempts ?? []).filter(({ at }) => at >= since),
    known: agentsOf([message.sender, ...message.receivers]),
  }
}

const joined = (all: readonly TaskAlerts[]): TaskAlerts => ({
  rings: all.flatMap(({ rings }) => rings),
  left: all.flatMap(({ left }) => left),
  open: all.flatMap(({ open }) => open),
})

/** Those of all people in one task, cached until its inputs change. */
const alertsOfTask = memoWith(
  (
    { id: task }: TaskRecord,
    requests: Requests,
    deliveries: Record<AgentId, Deliveries>,
    messages: Messages,
    agents: Record<AgentId, AgentRecord>,
  ): TaskAlerts => joined(selectPeople(agents).map(({ id }) => alertsOf(requests, deliveries[id], messages, task, id))),
)

export const selectAlerts = (world: World): TaskAlerts =>
  joined(
    Object.values<TaskRecord>(world.tasks).map((record) =>
      alertsOfTask(
        record,
        world.requests[record.id] ?? NO_REQUESTS,
        world.deliveries[record.id] ?? NOBODYS,
        world.messages[record.id] ?? NO_MESSAGES,
        world.agents,
      ),
    ),
  )

const alertsIn = (world: World, task: TaskId, person: AgentId): TaskAlerts =>
  alertsOf(
    world.requests[task] ?? NO_REQUESTS,
    world.deliveries[task]?.[person],
    world.messages[task] ?? NO_MESSAGES,
    task,
    person,
  )

export const isSameAbout = (a: AttemptAbout, b: AttemptAbout): boolean => keyOfAbout(a) === keyOfAbout(b)
const keyOfAbout = (about: AttemptAbout): string =>
  'request' in about ? about.request : `${about.message}/${about.receiver}`

/** The current alert for this person; null: none (any more). */
export function findAlert(
  world: World,
  kind: 'rings' | 'open',
  task: TaskId,
  person: AgentId,
  about: AttemptAbout,
): PendingAlert | null {
  return alertsIn(world, task, person)[kind].find((alert) => isSameAbout(alert.about, about)) ?? null
}
export const findMissedAlert = (
  world: World,
  { task, person, about }: Omit<MissedAlert, 'since'>,
): MissedAlert | null => alertsIn(world, task, person).left.find((left) => isSameAbout(left.about, about)) ?? null

/** Does the request ring for who has this delivery of its message? null: its message is none of theirs, or it has none. */
export const requestAlerts = ({
  request,
  delivery,
}: {
  request: Pick<RequestRecord, 'urgent' | 'state' | 'claimed'>
  delivery: Pick<DeliveryRecord, 'acknowledgedAt'> | null
}): boolean =>
  request.urgent && isOpen(request) && request.claimed === null && (delivery?.acknowledgedAt ?? null) === null
