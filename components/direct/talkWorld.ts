/** The rows of a private conversation as the chat's components read them: one small world per task. Pure. */
import type { ChatEntry } from '@/components/chat/fns/lines'
import { chatEntriesOf } from '@/components/chat/fns/lines'
import { type TaskWorld, taskWorldOf } from '@/components/chat/useTaskWorld'
import { gather } from '@/lib/gather'
import type { AgentId, MessageId, TaskId } from '@/lib/mas/ids'
import {
  type AgentRecord,
  emptyWorld,
  type MessageRecord,
  type ReceiptRecord,
  type StageRecord,
  type TaskRecord,
  type World,
} from '@/lib/mas/records'
import { isTaskOver } from '@/lib/mas/statuses'
import type { TalkMessageRow, TalkRow } from '@/lib/wire/rows'

export type Talk = {
  entries: readonly ChatEntry[]
  tasks: ReadonlyMap<TaskId, TaskWorld>
  /** Running tasks that both are members of, the newest first: a message can be sent in these. */
  open: readonly TaskWorld[]
  /** The task of the newest message while it is open, else the newest open one. */
  defaultTask: TaskId | null
}

/** `direct:<agent>`, with `/all` for tasks that are over too; older pages have `@<place>` behind it */
export type TalkView = `direct:${string}`

/** Those of the pages that belong to this view: with the tasks that are over the conversation has other pages. */
export const pagesOfView = (view: TalkView, pages: readonly TalkView[]): TalkView[] =>
  pages.filter((page) => page.startsWith(`${view}@`))

type Reader = { me: AgentId; other: AgentId; isOperator: boolean }

/** in: pages: rows of the newest page and of older ones; a record may occur twice */
export function talkOf(pages: readonly (readonly TalkRow[])[], reader: Reader): Talk {
  const rows = pages.flat()
  const agents: Record<AgentId, AgentRecord> = {}
  const messages = new Map<MessageId, TalkMessageRow>()
  for (const row of rows) {
    if (row.kind === 'member') agents[row.member.id] = row.member
    if (row.kind === 'message' && !messages.has(row.message.id)) messages.set(row.message.id, row)
  }
  const byTask = gather(messages.values(), ({ message }) => [message.task])
  const tasks = new Map<TaskId, TaskWorld>()
  for (const row of rows) {
    if (row.kind !== 'task' || tasks.has(row.task.id)) continue
    const world = worldOf(row.task, row.stages, byTask.get(row.task.id) ?? [], agents)
    tasks.set(row.task.id, taskWorldOf(world, row.task.id, reader))
  }
  const entries = chatEntriesOf(
    [...messages.values()].map(({ message }) => message),
    [],
  )
  const open = [...tasks.values()]
    .filter(({ task }) => task !== null && !isTaskOver(task) && hasBoth(task.group, reader))
    .sort((a, b) => (b.task?.createdAt ?? 0) - (a.task?.createdAt ?? 0))
  const last = entries.at(-1)
  const lastTask = last?.kind === 'bubble' ? last.messages[0]?.task : undefined
  const defaultTask = open.find(({ id }) => id === lastTask) ?? open[0]
  return { entries, tasks, open, defaultTask: defaultTask?.id ?? null }
}

const hasBoth = (group: readonly AgentId[], { me, other }: Reader): boolean =>
  group.includes(me) && group.includes(other)

/** The records of one of its tasks, as they are in a log. */
function worldOf(
  task: TaskRecord,
  stages: readonly StageRecord[],
  rows: readonly TalkMessageRow[],
  agents: Record<AgentId, AgentRecord>,
): World {
  const messages: Record<MessageId, MessageRecord> = {}
  const receipts: Record<AgentId, Record<MessageId, ReceiptRecord>> = {}
  for (const { message, quoted, receipts: of } of rows) {
    if (quoted) messages[quoted.id] ??= quoted
    messages[message.id] = message
    for (const receipt of of) receipts[receipt.receiver] = { ...receipts[receipt.receiver], [message.id]: receipt }
  }
  const requests = rows.flatMap((row) => row.requests)
  return {
    ...emptyWorld,
    agents,
    tasks: { [task.id]: task },
    stages: { [task.id]: Object.fromEntries(stages.map((stage) => [stage.id, stage])) },
    messages: { [task.id]: messages },
    receipts: { [task.id]: receipts },
    requests: { [task.id]: Object.fromEntries(requests.map((request) => [request.id, request])) },
  }
}
