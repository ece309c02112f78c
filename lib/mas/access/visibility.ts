/** Which threads of the base task a person sees. Cached by branch. */
import { memo } from '@/lib/memo'
import { type AgentId, asId, type MessageId, type TaskId, type ThreadId } from '../ids'
import type { Audience } from '../messages/records'
import type { MessageRecord, RequestRecord, TaskRecord, World } from '../records'
import { isMember, isOperator } from '../team/agents'

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

/** Whether the message is for this person: the one rule of who reads it, where its task is theirs to read. */
export const isInAudience = ({ audience }: Pick<MessageRecord, 'audience'>, person: AgentId): boolean =>
  audience === 'task' || audience.members.includes(person)

const NO_MEMBER = asId<AgentId>('')

/** Who reads what belongs to the task: of a talk its two members, of every other task by the rights in it. */
export function audienceOf(task: Pick<TaskRecord, 'talk' | 'group'> | undefined): Audience {
  if (!task?.talk) return 'task'
  // One that is missing is nobody: a talk is never for the readers of other tasks.
  const [first = NO_MEMBER, second = NO_MEMBER] = task.group
  return { members: [first, second] }
}

/** Is the task for this person at all, whatever their access? */
export const isForReader = (task: Pick<TaskRecord, 'talk' | 'group'> | undefined, person: AgentId): boolean =>
  isInAudience({ audience: audienceOf(task) }, person)

export const isVisibleMessage = (
  message: Pick<MessageRecord, 'id' | 'thread' | 'audience'>,
  threads: ReadonlySet<ThreadId>,
  person: AgentId,
): boolean => isInAudience(message, person) && threads.has(threadOf(message))

/** A request is visible with its thread, and to those who are asked. */
export const isVisibleRequest = (
  request: Pick<RequestRecord, 'thread' | 'asked' | 'audience'>,
  threads: Pick<ReadonlySet<ThreadId>, 'has'>,
  person: AgentId,
): boolean =>
  request.asked.includes(person) ||
  (isInAudience({ audience: request.audience ?? 'task' }, person) &&
    request.thread !== null &&
    threads.has(request.thread))

/** May this person be asked about something of the task: a member, or an operator for whom it is? */
export const mayBeAskedIn = (world: World, task: TaskId, person: AgentId): boolean =>
  isForReader(world.tasks[task], person) && (isOperator(world, person) || isMember(world, task, person))

/** Who can read it: of its audience operators, and members of the task; in the base task those of its thread. */
export function mayBePutTo(world: World, task: TaskId, message: MessageId, person: AgentId): boolean {
  const record = world.messages[task]?.[message]
  if (record !== undefined && !isInAudience(record, person)) return false
  if (isOperator(world, person)) return true
  if (!isMember(world, task, person)) return false
  if (world.tasks[task]?.base !== true || record === undefined) return true
  return threadsOf(world, task, person).has(threadOf(record))
}

/** Everyone who is or was part of the task, and since which entry. */
export const involvedIn = (world: World, task: TaskId): Readonly<Record<AgentId, number>> =>
  world.involved[task] ?? NOBODY
const NOBODY: Readonly<Record<AgentId, number>> = {}
