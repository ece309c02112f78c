/** Records that may leave the world: ended tasks, threads of the base task, old records. R24: nothing open, waited for or alerting. */

import { gather } from '@/lib/gather'
import { threadOf } from '../access/visibility'
import { selectOutcome } from '../asks/outcomes'
import { isNumbered } from '../asks/requests'
import type { AgentId, MessageId, RequestId, StepId, TaskId, ThreadId } from '../ids'
import { isAsked } from '../members/traits'
import { hasOpenWork } from '../outside/outsideWork'
import type { DeliveryRecord, MessageRecord, RequestRecord, StepRecord, TaskRecord, World } from '../records'
import { selectRunningStage } from '../stages/plan'
import { isOpen, isStepOver, isTaskOver } from '../statuses'
import { stepsOfAll } from '../steps/ownSteps'

const HOUR_MS = 3_600_000
export const TASK_ARCHIVE_AFTER_MS = 24 * HOUR_MS
export const THREAD_RETIRE_AFTER_MS = HOUR_MS
/** Records that a person has not seen yet stay longer, but not permanently. */
export const UNSEEN_ARCHIVE_AFTER_MS: Record<'task' | 'thread', number> = {
  task: 7 * 24 * HOUR_MS,
  thread: 24 * HOUR_MS,
}
/** The number of records of each kind that stay in an open task. */
export const WINDOW = 500
/** They leave some at a time, not one by one. */
export const EVICT_AT = WINDOW + 100

/** since: epoch ms of the last change. unseen: a person has not seen it yet. */
export type Archivable = { since: number; unseen: boolean }

/** When it may leave, epoch ms. */
export const archivableAt = (rest: Archivable, kind: 'task' | 'thread'): number =>
  rest.since +
  (rest.unseen ? UNSEEN_ARCHIVE_AFTER_MS[kind] : kind === 'task' ? TASK_ARCHIVE_AFTER_MS : THREAD_RETIRE_AFTER_MS)

/** The effect of a delivery on its message: it keeps it, it is unseen, or neither. What is asked of a person is their request's. */
function holdOf(world: World, message: MessageRecord, delivery: DeliveryRecord): 'held' | 'unseen' | null {
  if (delivery.state === 'queued') return 'held'
  // For an agent, a message has become a step.
  if (!isAsked(world, delivery.receiver)) return null
  return selectOutcome(world, message, delivery.receiver)?.shownAt == null ? 'unseen' : null
}

const timesOf = (delivery: DeliveryRecord): number =>
  Math.max(delivery.deliveredAt ?? 0, delivery.shownAt ?? 0, delivery.acknowledgedAt ?? 0, delivery.settledAt ?? 0)

/** The combined state of several records; null if one of them keeps all. */
function restOf(
  world: World,
  task: TaskId,
  records: { messages: MessageRecord[]; requests: RequestRecord[]; steps: StepRecord[] },
): Archivable | null {
  let [since, unseen] = [0, false]
  for (const step of records.steps) {
    if (!isStepOver(step)) return null
    since = Math.max(since, step.endedAt ?? step.createdAt)
  }
  for (const request of records.requests) {
    if (isOpen(request)) return null
    since = Math.max(since, request.endedAt ?? request.openedAt)
  }
  for (const message of records.messages) {
    since = Math.max(since, message.at)
    for (const receiver of message.receivers) {
      const delivery = world.deliveries[task]?.[receiver]?.[message.id]
      const hold = delivery ? holdOf(world, message, delivery) : null
      if (hold === 'held') return null
      if (hold === 'unseen') unseen = true
      if (delivery) since = Math.max(since, timesOf(delivery))
    }
  }
  return { since, unseen }
}

const locksIn = (world: World, task: TaskId): World['work'][AgentId]['locks'] =>
  Object.values(world.work).flatMap(({ locks }) => locks.filter((lock) => lock.task === task))

/** Whether a task may be archived: it has ended, or is an idle conversation. */
export const isArchivable = (world: World, task: TaskRecord): boolean =>
  !task.base &&
  (isTaskOver(task) ||
    (task.conversation === true && task.paused === null && selectRunningStage(world, task.id) === null))

/** When an ended task, or an idle conversation, may leave; null: something is open, or the task continues. */
export function selectTaskArchivable(world: World, task: TaskRecord): Archivable | null {
  if (!isArchivable(world, task) || Object.keys(world.effects[task.id] ?? {}).length > 0) return null
  if (locksIn(world, task.id).length > 0) return null
  if (task.conversation === true && hasOpenWork(world, task.id)) return null
  const rest = restOf(world, task.id, {
    messages: Object.values(world.messages[task.id] ?? {}),
    requests: Object.values(world.requests[task.id] ?? {}),
    steps: stepsOfAll(world.steps[task.id]),
  })
  return rest && { ...rest, since: Math.max(rest.since, task.endedAt ?? task.createdAt) }
}

/** The inactive threads of the base task. A thread with a running task stays. */
export function selectArchivableThreads(world: World): Map<ThreadId, Archivable> {
  const rests = new Map<ThreadId, Archivable>()
  const { baseTask } = world
  if (baseTask === null) return rests
  type Parts = { messages: MessageRecord[]; requests: RequestRecord[]; steps: StepRecord[] }
  const threads = new Map<ThreadId, Parts>()
  const partsOf = (thread: ThreadId): Parts => {
    const known = threads.get(thread) ?? { messages: [], requests: [], steps: [] }
    threads.set(thread, known)
    return known
  }
  for (const message of Object.values(world.messages[baseTask] ?? {})) partsOf(threadOf(message)).messages.push(message)
  for (const request of Object.values(world.requests[baseTask] ?? {}))
    if (request.thread !== null) partsOf(request.thread).requests.push(request)
  for (const step of stepsOfAll(world.steps[baseTask])) if (step.thread !== null) partsOf(step.thread).steps.push(step)

  const busy = new Set<ThreadId>()
  for (const task of Object.values(world.tasks))
    if (task.requestedIn !== null && !isTaskOver(task)) busy.add(task.requestedIn.thread)
  const effects = Object.values(world.effects[baseTask] ?? {})
  const locks = locksIn(world, baseTask)
  for (const [thread, parts] of threads) {
    if (busy.has(thread)) continue
    const steps = new Set(parts.steps.map((step) => step.id))
    const messages = new Set(parts.messages.map((message) => message.id))
    if (effects.some((effect) => steps.has(effect.step))) continue
    const isWaitedFor = locks.some(
      (lock) => steps.has(lock.step) || (lock.message !== null && messages.has(lock.message)),
    )
    const rest = isWaitedFor ? null : restOf(world, baseTask, parts)
    if (rest) rests.set(thread, rest)
  }
  return rests
}

/** The records that may leave an open task, oldest first, so that WINDOW of each kind stay. */
type Evictable = { steps: Record<AgentId, StepId[]>; messages: MessageId[]; requests: RequestId[] }

/**
 * Old records of a task, beyond the number that stays of each kind.
 *
 * out     null if there is nothing to evict. Never: open records, records that open ones refer to, records that a person must answer or
 *         has not seen for a day, the newest WINDOW steps of an agent in a running stage (prompts show them, limits count them)
 */
export function selectEvictable(world: World, task: TaskId): Evictable | null {
  const steps = stepsOfAll(world.steps[task])
  const named = namedByOpen(world, task, steps)
  const messages = oldest(Object.values(world.messages[task] ?? {}), (message: MessageRecord) => {
    if (named.has(message.id)) return false
    return message.receivers.every((receiver) => {
      const delivery = world.deliveries[task]?.[receiver]?.[message.id]
      const hold = delivery ? holdOf(world, message, delivery) : null
      return hold === null || (hold === 'unseen' && world.at - message.at > UNSEEN_ARCHIVE_AFTER_MS.thread)
    })
  }).map((message) => message.id)
  const requests: RequestRecord[] = Object.values(world.requests[task] ?? {})
  const gone = new Set(messages)
  const found: Evictable = {
    steps: idsByAgent(oldest(steps, (step) => mayLeave(step, named), keepsOfRunning(world, task, steps))),
    messages,
    requests: [
      ...oldest(requests.filter(isNumbered), (request) => !isOpen(request) && !named.has(request.id)),
      // What became of a message leaves with it.
      ...requests.filter((one) => !isNumbered(one) && one.message !== null && gone.has(one.message)),
    ].map((request) => request.id),
  }
  const isNone = found.messages.length + found.requests.length + Object.keys(found.steps).length === 0
  return isNone ? null : found
}

const bornAt = (record: StepRecord | MessageRecord | RequestRecord): number =>
  'createdSeq' in record ? record.createdSeq : 'openedSeq' in record ? record.openedSeq : record.seq

/** The oldest removable ones, as many as exceed the limit. */
function oldest<Item extends StepRecord | MessageRecord | RequestRecord>(
  all: Item[],
  mayLeave: (item: Item) => boolean,
  stays: ReadonlySet<Item> = new Set(),
): Item[] {
  if (all.length <= WINDOW) return []
  const byAge = [...all].sort((a, b) => bornAt(a) - bornAt(b))
  return byAge.slice(0, all.length - WINDOW).filter((item) => !stays.has(item) && mayLeave(item))
}

const mayLeave = (step: StepRecord, named: ReadonlySet<string>): boolean => isStepOver(step) && !named.has(step.id)

/** Ids in open records: coming steps, open requests, locks, running calls. */
function namedByOpen(world: World, task: TaskId, steps: StepRecord[]): ReadonlySet<string> {
  const named = new Set<string>()
  const add = (...ids: (string | null | undefined)[]): void => {
    for (const id of ids) if (id) named.add(id)
  }
  for (const step of steps) {
    if (isStepOver(step)) continue
    add(step.cause.message, step.cause.step, step.answers?.message, step.boundTo, step.retryOf, step.held)
    add(...(step.input?.questions.map(({ request }) => request) ?? []))
  }
  for (const request of Object.values(world.requests[task] ?? {}))
    if (isOpen(request)) add(request.message, request.step)
  for (const work of Object.values(world.work))
    for (const lock of work.locks) if (lock.task === task) add(lock.step, lock.message, lock.request)
  for (const effect of Object.values(world.effects[task] ?? {})) add(effect.step)
  return named
}

/** The newest WINDOW steps of each part in a running stage. */
function keepsOfRunning(world: World, task: TaskId, steps: StepRecord[]): ReadonlySet<StepRecord> {
  const lanes = gather(steps, ({ stage, agent }) =>
    stage === null || world.stages[task]?.[stage]?.state !== 'running' ? [] : [`${stage} ${agent}`],
  )
  const stays = new Set<StepRecord>()
  for (const lane of lanes.values())
    for (const step of lane.sort((a, b) => a.createdSeq - b.createdSeq).slice(-WINDOW)) stays.add(step)
  return stays
}

const idsByAgent = (steps: StepRecord[]): Record<AgentId, StepId[]> =>
  Object.fromEntries([...gather(steps, ({ agent }) => [agent])].map(([agent, own]) => [agent, own.map(({ id }) => id)]))

/** Whether a task has so many records of a kind that some should leave. */
export function isCrowded(world: World, task: TaskId): boolean {
  const steps = stepsOfAll(world.steps[task]).length
  return (
    steps >= EVICT_AT ||
    Object.keys(world.messages[task] ?? {}).length >= EVICT_AT ||
    Object.keys(world.requests[task] ?? {}).length >= EVICT_AT
  )
}
