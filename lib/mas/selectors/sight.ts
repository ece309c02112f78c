/**
 * Who belongs to a task's view, and which threads of the base task a person sees. Answers are kept per branch: while a
 * branch is the same object, so is its answer. A decision asks before its first event: its own copies change in place.
 */

import { memo } from '../../wire/memo'
import type { AgentId, TaskId, ThreadId } from '../ids'
import type { MessageRecord, RequestRecord, StageRecord, TaskRecord, World } from '../records'

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
const NOBODY: ReadonlySet<string> = new Set()

/**
 * Everyone who is or was part of a task: members, former ones, those with parts, senders, receivers, the asked.
 * People need not be in it: all of them share the base task, so each may know each.
 * It grows, and shrinks only when records leave the world.
 */
export function peopleOf(world: World, task: TaskId): ReadonlySet<string> {
  const record = world.tasks[task]
  const stages = world.stages[task]
  const messages = world.messages[task]
  const requests = world.requests[task]
  return new Set([
    ...(record ? ofTask(record) : NOBODY),
    ...(stages ? ofStages(stages) : NOBODY),
    ...(messages ? ofMessages(messages) : NOBODY),
    ...(requests ? ofRequests(requests) : NOBODY),
  ])
}

/** A message that names no thread is one of its own. */
export const threadOf = (message: Pick<MessageRecord, 'id' | 'thread'>): ThreadId => message.thread ?? message.id

/** Threads of each person: those with a message from or to them. */
const threadsByPerson = memo((messages: Record<string, MessageRecord>): ReadonlyMap<string, ReadonlySet<ThreadId>> => {
  const threads = new Map<string, Set<ThreadId>>()
  for (const message of Object.values(messages)) {
    for (const person of [message.sender, ...message.receivers]) {
      const seen = threads.get(person) ?? new Set()
      seen.add(threadOf(message))
      threads.set(person, seen)
    }
  }
  return threads
})
const NO_THREADS: ReadonlySet<ThreadId> = new Set()

/** The threads of this task that the person began or is addressed in. One that was retired is no longer among them. */
export function threadsOf(world: World, task: TaskId, person: AgentId): ReadonlySet<ThreadId> {
  const messages = world.messages[task]
  return messages === undefined ? NO_THREADS : (threadsByPerson(messages).get(person) ?? NO_THREADS)
}

export const isVisibleMessage = (
  message: Pick<MessageRecord, 'id' | 'thread'>,
  threads: ReadonlySet<ThreadId>,
): boolean => threads.has(threadOf(message))

/** A request is seen with its thread, and by whoever is asked. */
export const isVisibleRequest = (
  request: Pick<RequestRecord, 'thread' | 'asked'>,
  threads: ReadonlySet<ThreadId>,
  person: AgentId,
): boolean => request.asked.includes(person) || (request.thread !== null && threads.has(request.thread))
