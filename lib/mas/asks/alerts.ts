/** The alerts of a person: unacknowledged, acknowledged but unanswered, and open for long. Cached per branch. */
import { gather } from '@/lib/gather'
import { memo, memoWith } from '@/lib/memo'
import { type AgentId, type RequestId, type SenderId, SYSTEM_TASK, type TaskId } from '../ids'
import type { AgentRecord, AttemptRecord, RequestRecord, TaskRecord, World } from '../records'
import { isOpen } from '../statuses'
import { mayAct } from '../team/agents'
import { openRequestsIn } from './requests'
import { RINGS } from './rings'

/** One request that alerts one person. Times are epoch ms. */
export type PendingAlert = {
  task: TaskId
  person: AgentId
  type: RequestRecord['type']
  /** Who asks. */
  sender: SenderId
  request: RequestId
  /** When this round began: the arrival, or the last raise. */
  since: number
  /** When the person wants to be asked again; null: not snoozed. */
  snoozedUntil: number | null
  /** The attempts of this round, oldest first, also those for the next persons. */
  attempts: readonly AttemptRecord[]
  /** Everyone who is asked already. */
  known: readonly AgentId[]
}

/** Acknowledged, and not answered since. */
type MissedAlert = { task: TaskId; person: AgentId; request: RequestId; since: number }

type Requests = Record<RequestId, RequestRecord>
const NO_REQUESTS: Requests = {}

/** People, in the order of the configuration. */
export const selectPeople = memo((agents: Record<AgentId, AgentRecord>): AgentRecord[] =>
  Object.values(agents).filter(mayAct),
)

/** rings: an unacknowledged Urgent; left: acknowledged, not answered; open: what is no Urgent. */
type TaskAlerts = { rings: readonly PendingAlert[]; left: readonly MissedAlert[]; open: readonly PendingAlert[] }

/** Does it ring? One who acknowledged it ends that for all who are asked. */
export const requestAlerts = (request: Pick<RequestRecord, 'type' | 'state' | 'claimed'>): boolean =>
  RINGS[request.type] === 'urgent' && isOpen(request) && request.claimed === null

function alertsOf(requests: Requests, task: TaskId, people: readonly AgentRecord[]): TaskAlerts {
  const found = { rings: [] as PendingAlert[], left: [] as MissedAlert[], open: [] as PendingAlert[] }
  const open = openRequestsIn(requests)
  if (open.length === 0) return found
  const byPerson = gather(open, ({ asked }) => asked)
  for (const { id: person } of people) {
    for (const request of byPerson.get(person) ?? []) {
      if (requestAlerts(request)) found.rings.push(alertFor(request, person))
      else if (RINGS[request.type] === 'call') found.open.push(alertFor(request, person))
      else found.left.push({ task, person, request: request.id, since: request.claimed?.at ?? request.openedAt })
    }
  }
  return found
}

function alertFor(request: RequestRecord, person: AgentId): PendingAlert {
  const { task, id, type, openedAt, raisedAt, escalated, transfer, asker, asked, transferredBy } = request
  const came = escalated?.findLast(({ to }) => to === person)?.at ?? (transfer?.to === person ? transfer.at : openedAt)
  const since = Math.max(came, raisedAt ?? 0)
  return {
    task,
    person,
    type,
    sender: asker,
    request: id,
    since,
    snoozedUntil: request.snoozed?.[person] ?? null,
    attempts: (request.attempts ?? []).filter((one) => one.at >= since && isOwnAttempt(request, person, one)),
    known: agentsOf([asker, ...asked, ...(transferredBy ?? [])]),
  }
}

/** To reach this person, or the next one in their place. */
const isOwnAttempt = ({ escalated }: RequestRecord, owner: AgentId, { channel, person }: AttemptRecord): boolean =>
  channel === 'next' ? (escalated ?? []).some(({ from, to }) => from === owner && to === person) : person === owner

const agentsOf = (ids: readonly SenderId[]): AgentId[] => ids.filter((id): id is AgentId => id !== SYSTEM_TASK)

/** Those of all people in one task, cached until its requests change. */
const alertsOfTask = memoWith(
  (requests: Requests, { id }: TaskRecord, agents: Record<AgentId, AgentRecord>): TaskAlerts =>
    alertsOf(requests, id, selectPeople(agents)),
)

const joined = (all: readonly TaskAlerts[]): TaskAlerts => ({
  rings: all.flatMap(({ rings }) => rings),
  left: all.flatMap(({ left }) => left),
  open: all.flatMap(({ open }) => open),
})

const alertsIn = (world: World, record: TaskRecord): TaskAlerts =>
  alertsOfTask(world.requests[record.id] ?? NO_REQUESTS, record, world.agents)

export const selectAlerts = (world: World): TaskAlerts =>
  joined(Object.values<TaskRecord>(world.tasks).map((record) => alertsIn(world, record)))

type AlertPlace = Pick<PendingAlert, 'task' | 'person' | 'request'>

function alertAt<Alert extends AlertPlace>(
  world: World,
  { task, person, request }: AlertPlace,
  of: (alerts: TaskAlerts) => readonly Alert[],
): Alert | null {
  const record = world.tasks[task]
  const alerts = record === undefined ? [] : of(alertsIn(world, record))
  return alerts.find((alert) => alert.request === request && alert.person === person) ?? null
}

/** The current alert for this person; null: none (any more). */
export const findAlert = (world: World, kind: 'rings' | 'open', place: AlertPlace): PendingAlert | null =>
  alertAt(world, place, (alerts) => alerts[kind])

/** Since when an approval waits without a sign of anybody, epoch ms; null: it is none, is urgent, or is over. */
export function approvalWaitsSince({ type, claimed, openedAt, ...request }: RequestRecord): number | null {
  return type === 'approval' && isOpen(request) ? Math.max(openedAt, claimed?.at ?? 0) : null
}

export const findMissedAlert = (world: World, place: AlertPlace): MissedAlert | null =>
  alertAt(world, place, ({ left }) => left)
