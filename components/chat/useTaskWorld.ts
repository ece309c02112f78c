/** What the chat reads of a task: its records, by the task's own log or from those of a conversation with a member. */
import { useMemo } from 'react'
import { useRecords } from '@/client'
import { whoInWorld } from '@/components/request'
import { gather } from '@/lib/gather'
import { type OutcomeSources, sourcesOf } from '@/lib/mas/asks/outcomes'
import { isNumbered } from '@/lib/mas/asks/requests'
import { type AgentId, type MessageId, type SenderId, SYSTEM_TASK, type TaskId } from '@/lib/mas/ids'
import {
  emptyWorld,
  type MessageRecord,
  type NumberedRequest,
  type RequestRecord,
  type StageRecord,
  type TaskRecord,
  type World,
} from '@/lib/mas/records'
import { selectPlan } from '@/lib/mas/stages/plan'
import type { Who } from '@/lib/wire/rows'

/** isOperator: operators may answer for others. */
type Reader = { me: AgentId; isOperator: boolean }
/** The reader, and who everybody else is. */
export type ChatPeople = Reader & { who: (id: SenderId) => Who; isPerson: (id: SenderId) => boolean }
export type TaskWorld = ChatPeople & {
  id: TaskId
  /** Null while loading, or when it may not be read. */
  task: TaskRecord | null
  isBase: boolean
  world: World
  messages: Readonly<Record<MessageId, MessageRecord>>
  /** What tells the outcomes of messages. */
  sources: OutcomeSources
  /** Those with a card, and those of each message. */
  requests: readonly NumberedRequest[]
  requestsOf: ReadonlyMap<MessageId, NumberedRequest[]>
  stages: readonly StageRecord[]
}

export const peopleIn = (world: World, { me, isOperator }: Reader): ChatPeople => ({
  me,
  isOperator,
  who: (sender) => whoInWorld(world, sender),
  isPerson: (sender) => sender !== SYSTEM_TASK && world.agents[sender]?.kind === 'human',
})

export function taskWorldOf(world: World, id: TaskId, reader: Reader): TaskWorld {
  const task = world.tasks[id] ?? null
  const requests = (Object.values(world.requests[id] ?? {}) as RequestRecord[]).filter(isNumbered)
  return {
    ...peopleIn(world, reader),
    id,
    task,
    isBase: task?.base ?? false,
    world,
    messages: world.messages[id] ?? {},
    sources: sourcesOf(world, id),
    requests,
    requestsOf: gather(requests, ({ message }) => (message === null ? [] : [message])),
    stages: selectPlan(world, id),
  }
}

/**
 * What chats, cards and composers read. Not what changes with each step of an agent (numbers of entries, shared info): all that
 * is shown of a task would be rendered again with it.
 */
const BRANCHES = [
  'team',
  'baseTask',
  'agents',
  'work',
  'tasks',
  'stages',
  'steps',
  'messages',
  'deliveries',
  'requests',
] as const satisfies readonly (keyof World)[]

const branchesOf = (world: World): Partial<World> =>
  Object.fromEntries(BRANCHES.map((branch) => [branch, world[branch]]))

/** out: the same object while nothing of it changed: the cards are memoised by it */
export function useTaskWorld(taskId: TaskId, me: AgentId, isOperator: boolean): TaskWorld {
  const branches = useRecords(`task:${taskId}`, branchesOf)
  return useMemo(
    () => taskWorldOf({ ...emptyWorld, ...branches }, taskId, { me, isOperator }),
    [branches, taskId, me, isOperator],
  )
}
