/** What the chat reads of a task's log, branch by branch: unchanged branches keep their identity. */
import { useCallback, useMemo, useRef } from 'react'
import { shallow } from 'zustand/shallow'
import { useLog, useViewStatus, type ViewStatus } from '@/client'
import { whoInWorld } from '@/components/request'
import { gather } from '@/lib/gather'
import type { AgentId, MessageId, SenderId, TaskId } from '@/lib/mas/ids'
import {
  emptyWorld,
  type MessageRecord,
  type RequestRecord,
  type StageRecord,
  type TaskRecord,
  type World,
} from '@/lib/mas/records'
import type { Who } from '@/lib/wire/rows'
import { type ChatEntry, chatEntriesOf } from './fns/lines'
import type { ReceiptsOfTask } from './fns/receipts'

export type TaskWorld = {
  id: TaskId
  status: ViewStatus
  /** Null while loading, or when it may not be read. */
  task: TaskRecord | null
  isBase: boolean
  me: AgentId
  /** Operators may answer for others. */
  isOperator: boolean
  world: World
  messages: Readonly<Record<MessageId, MessageRecord>>
  receipts: ReceiptsOfTask
  requests: readonly RequestRecord[]
  requestsOf: ReadonlyMap<MessageId, RequestRecord[]>
  stages: readonly StageRecord[]
  entries: readonly ChatEntry[]
  who: (id: SenderId) => Who
  isPerson: (id: SenderId) => boolean
}

const NO_RECEIPTS: ReceiptsOfTask = {}
const NO_MESSAGES: Readonly<Record<MessageId, MessageRecord>> = {}

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
  'receipts',
  'requests',
] as const satisfies readonly (keyof World)[]
const branchesOf = (world: World): Partial<World> =>
  Object.fromEntries(BRANCHES.map((branch) => [branch, world[branch]]))

/** The same object as before while its fields are. */
function useSame<Fields extends object>(fields: Fields): Fields {
  const last = useRef(fields)
  if (!shallow(last.current, fields)) last.current = fields
  return last.current
}

export function useTaskWorld(taskId: TaskId, me: AgentId, isOperator: boolean): TaskWorld {
  const view = `task:${taskId}` as const
  const status = useViewStatus(view)
  const branches = useLog(view, branchesOf)
  const world = useMemo((): World => ({ ...emptyWorld, ...branches }), [branches])
  const { agents } = world
  const task = world.tasks[taskId] ?? null
  const [messages, receipts, requests, stages] = [
    world.messages[taskId],
    world.receipts[taskId],
    world.requests[taskId],
    world.stages[taskId],
  ]
  const requestList = useMemo(() => Object.values(requests ?? {}) as RequestRecord[], [requests])
  const requestsOf = useMemo(
    () => gather(requestList, ({ message }) => (message === null ? [] : [message])),
    [requestList],
  )
  const entries = useMemo(
    () => chatEntriesOf(Object.values(messages ?? {}) as MessageRecord[], requestList),
    [messages, requestList],
  )
  const stageList = useMemo(
    () => (task?.stageOrder ?? []).flatMap((id): StageRecord[] => (stages?.[id] ? [stages[id]] : [])),
    [task, stages],
  )
  const who = useCallback((id: SenderId) => whoInWorld({ agents }, id), [agents])
  const isPerson = useCallback((id: SenderId) => id !== 'system:task' && agents[id]?.kind === 'human', [agents])
  // The same object while nothing changed: the cards are memoised by it.
  return useSame({
    id: taskId,
    status,
    task,
    isBase: task?.base ?? false,
    me,
    isOperator,
    world,
    messages: messages ?? NO_MESSAGES,
    receipts: receipts ?? NO_RECEIPTS,
    requests: requestList,
    requestsOf,
    stages: stageList,
    entries,
    who,
    isPerson,
  })
}
