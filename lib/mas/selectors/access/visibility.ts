/** Who belongs to a task's view, and which threads of the base task a person sees. Cached by branch; ask before a first event. */
import { memo, memoWith } from '@/lib/memo'
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
  if (record === undefined) return NO_PEOPLE
  const [stages, messages, requests] = [world.stages[task], world.messages[task], world.requests[task]]
  return peopleIn(record, stages ?? NO_RECORDS, messages ?? NO_RECORDS, requests ?? NO_RECORDS)
}
const NO_PEOPLE: ReadonlySet<string> = new Set()
const peopleIn = memoWith(
  (
    task: TaskRecord,
    stages: Record<string, StageRecord>,
    messages: Record<string, MessageRecord>,
    requests: Record<string, RequestRecord>,
  ): ReadonlySet<string> =>
    new Set([...ofTask(task), ...ofStages(stages), ...ofMessages(messages), ...ofRequests(requests)]),
)

/** A message that names no thread is one of its own. */
export const threadOf = (message: Pick<MessageRecord, 'id' | 'thread'>): ThreadId => message.thread ?? message.id

/** Of each person, for each thread of a task: the entry of the first message from or to them. */
const threadsIn = memo(
  (messages: Record<string, MessageRecord>): ReadonlyMap<string, ReadonlyMap<ThreadId, number>> => {
    const since = new Map<string, Map<ThreadId, number>>()
    for (const message of Object.values(messages)) {
      const thread = threadOf(message)
      for (const person of [message.sender, ...message.receivers]) {
        const own = since.get(person) ?? new Map<ThreadId, number>()
        own.set(thread, Math.min(own.get(thread) ?? message.seq, message.seq))
        since.set(person, own)
      }
    }
    return since
  },
)
const NONE: ReadonlyMap<ThreadId, number> = new Map()

const keysOf = memo((map: ReadonlyMap<ThreadId, number>): ReadonlySet<ThreadId> => new Set(map.keys()))

/** The threads of this task that the person began or is addressed in, without retired ones; since which entry. */
export function threadsSince(world: World, task: TaskId, person: AgentId): ReadonlyMap<ThreadId, number> {
  const messages = world.messages[task]
  return (messages && threadsIn(messages).get(person)) ?? NONE
}

export const threadsOf = (world: World, task: TaskId, person: AgentId): ReadonlySet<ThreadId> =>
  keysOf(threadsSince(world, task, person))

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
