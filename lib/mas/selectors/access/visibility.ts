/** Who belongs to a task's view, and which threads of the base task a person sees. Cached by branch; ask before a first event. */
import { memo } from '@/lib/memo'
import type { AgentId, MessageId, TaskId, ThreadId } from '../../ids'
import type { MessageRecord, RequestRecord, StageRecord, TaskRecord, World } from '../../records'
import { isMember, isOperator } from '../agents/agents'

const ofTask = memo((task: TaskRecord): ReadonlySet<string> => {
  const asker = task.requestedBy === null ? [] : [task.requestedBy]
  return new Set<string>([task.manager, ...task.group, ...Object.keys(task.former), ...asker])
})
const ofStages = memo(
  (stages: Record<string, StageRecord>): ReadonlySet<string> =>
    new Set(Object.values(stages).flatMap((stage) => Object.keys(stage.allocation))),
)
const ofMessages = memo(
  (messages: Record<string, MessageRecord>): ReadonlySet<string> =>
    new Set(Object.values(messages).flatMap((message) => [message.sender, ...message.receivers])),
)
const ofRequests = memo(
  (requests: Record<string, RequestRecord>): ReadonlySet<string> =>
    new Set(Object.values(requests).flatMap((request) => [request.asker, ...request.asked])),
)
const NO_RECORDS = {}

/** Everyone who is or was part of a task, also by a message or question. People need not be in it: each may know each. */
export function peopleOf(world: World, task: TaskId): ReadonlySet<string> {
  const record = world.tasks[task]
  return new Set([
    ...(record ? ofTask(record) : []),
    ...ofStages(world.stages[task] ?? NO_RECORDS),
    ...ofMessages(world.messages[task] ?? NO_RECORDS),
    ...ofRequests(world.requests[task] ?? NO_RECORDS),
  ])
}

/** A message that names no thread is one of its own. */
export const threadOf = (message: Pick<MessageRecord, 'id' | 'thread'>): ThreadId => message.thread ?? message.id

/** The threads of a task, from its messages. seq: of an entry. */
type Threads = {
  /** Of each person, for each thread: when the first message from or to them was sent. */
  since: ReadonlyMap<string, ReadonlyMap<ThreadId, number>>
  /** When each thread began. */
  begun: ReadonlyMap<ThreadId, number>
}

const earlier = (times: Map<ThreadId, number>, thread: ThreadId, seq: number): void => {
  times.set(thread, Math.min(times.get(thread) ?? seq, seq))
}

const threadsIn = memo((messages: Record<string, MessageRecord>): Threads => {
  const since = new Map<string, Map<ThreadId, number>>()
  const begun = new Map<ThreadId, number>()
  for (const message of Object.values(messages)) {
    const thread = threadOf(message)
    earlier(begun, thread, message.seq)
    for (const person of [message.sender, ...message.receivers]) {
      const own = since.get(person) ?? new Map<ThreadId, number>()
      earlier(own, thread, message.seq)
      since.set(person, own)
    }
  }
  return { since, begun }
})
const requestsBegun = memo((requests: Record<string, RequestRecord>): ReadonlyMap<ThreadId, number> => {
  const begun = new Map<ThreadId, number>()
  for (const { thread, openedSeq } of Object.values(requests)) if (thread !== null) earlier(begun, thread, openedSeq)
  return begun
})
const NONE: ReadonlyMap<ThreadId, number> = new Map()

const keysOf = memo((map: ReadonlyMap<ThreadId, number>): ReadonlySet<ThreadId> => new Set(map.keys()))

/** The threads of this task that the person began or is addressed in, without retired ones. */
export function threadsOf(world: World, task: TaskId, person: AgentId): ReadonlySet<ThreadId> {
  const messages = world.messages[task]
  return keysOf((messages && threadsIn(messages).since.get(person)) ?? NONE)
}

/**
 * Those of them with entries from before the person joined: a view that grows by one of these lacks the earlier
 * entries. The view saw all others from their beginning.
 *
 * out     a text for each, which changes when the person joins the thread again
 */
export function joinedLate(world: World, task: TaskId, person: AgentId): string[] {
  const messages = world.messages[task]
  if (messages === undefined) return []
  const { since, begun } = threadsIn(messages)
  const asked = requestsBegun(world.requests[task] ?? NO_RECORDS)
  return [...(since.get(person) ?? NONE)].flatMap(([thread, came]) => {
    const isLate = (begun.get(thread) ?? came) < came || (asked.get(thread) ?? came) < came
    return isLate ? [`${thread} ${came}`] : []
  })
}

export const isVisibleMessage = (
  message: Pick<MessageRecord, 'id' | 'thread'>,
  threads: ReadonlySet<ThreadId>,
): boolean => threads.has(threadOf(message))

/** A request is visible with its thread, and to those who are asked. */
export const isVisibleRequest = (
  request: Pick<RequestRecord, 'thread' | 'asked'>,
  threads: Pick<ReadonlySet<ThreadId>, 'has'>,
  person: AgentId,
): boolean => request.asked.includes(person) || (request.thread !== null && threads.has(request.thread))

/** Who can read it: operators, and members of the task; in the base task those of its thread. */
export function mayBePutTo(world: World, task: TaskId, message: MessageId, person: AgentId): boolean {
  if (isOperator(world, person)) return true
  if (!isMember(world, task, person)) return false
  const record = world.messages[task]?.[message]
  if (world.tasks[task]?.base !== true || record === undefined) return true
  return threadsOf(world, task, person).has(threadOf(record))
}
