/** The rows of a conversation with a member as the chat's components read them: one small world for all of its tasks. Pure. */
import type { ChatEntry } from '@/components/chat/fns/lines'
import { chatEntriesOf } from '@/components/chat/fns/lines'
import { type ChatPeople, peopleIn, type TaskWorld, taskWorldOf } from '@/components/chat/useTaskWorld'
import { gather } from '@/lib/gather'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import { emptyWorld, type World } from '@/lib/mas/records'
import { isTaskOver } from '@/lib/mas/statuses'
import type { TalkMessageRow, TalkRow } from '@/lib/wire/rows'

export type Talk = {
  people: ChatPeople
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

/** in: pages: rows of the newest page and of older ones; of a record that occurs twice the newest counts */
export function talkOf(pages: readonly (readonly TalkRow[])[], reader: Reader): Talk {
  const newest = new Map(
    pages
      .flat()
      .toReversed()
      .map((row) => [row.id, row]),
  )
  const rows = [...newest.values()].toReversed()
  const messages = rows.filter((row) => row.kind === 'message')
  const world = worldOf(rows, messages)
  const ids = rows.flatMap((row) => (row.kind === 'task' ? [row.task.id] : []))
  const tasks = new Map(ids.map((id) => [id, taskWorldOf(world, id, reader)]))
  const entries = chatEntriesOf(
    messages.map(({ message }) => message),
    [],
  )
  const open = [...tasks.values()]
    .filter(({ task }) => task !== null && !isTaskOver(task) && hasBoth(task.group, reader))
    .sort((a, b) => (b.task?.createdAt ?? 0) - (a.task?.createdAt ?? 0))
  const last = entries.at(-1)
  const lastTask = last?.kind === 'bubble' ? last.messages[0]?.task : undefined
  const defaultTask = open.find(({ id }) => id === lastTask) ?? open[0]
  return { people: peopleIn(world, reader), entries, tasks, open, defaultTask: defaultTask?.id ?? null }
}

const hasBoth = (group: readonly AgentId[], { me, other }: Reader): boolean =>
  group.includes(me) && group.includes(other)

const byId = <Item extends { id: string }>(items: readonly Item[]): Record<string, Item> =>
  Object.fromEntries(items.map((item) => [item.id, item]))

/** The records of all of its tasks, as they are in logs. */
function worldOf(rows: readonly TalkRow[], all: readonly TalkMessageRow[]): World {
  const byTask = [...gather(all, ({ message }) => [message.task])]
  const inTasks = <Records>(recordsOf: (own: TalkMessageRow[]) => Records): Record<TaskId, Records> =>
    Object.fromEntries(byTask.map(([task, own]) => [task, recordsOf(own)]))
  const tasks = rows.filter((row) => row.kind === 'task')
  const deliveriesOf = (own: TalkMessageRow[]) => [
    ...gather(
      own.flatMap(({ deliveries }) => deliveries),
      ({ receiver }) => [receiver],
    ),
  ]
  return {
    ...emptyWorld,
    agents: byId(rows.flatMap((row) => (row.kind === 'member' ? [row.member] : []))),
    tasks: byId(tasks.map(({ task }) => task)),
    stages: Object.fromEntries(tasks.map(({ task, stages }) => [task.id, byId(stages)])),
    messages: inTasks((own) => byId(own.flatMap(({ message, quoted }) => (quoted ? [quoted, message] : [message])))),
    deliveries: inTasks((own) =>
      Object.fromEntries(
        deliveriesOf(own).map(([receiver, mine]) => [
          receiver,
          Object.fromEntries(mine.map((one) => [one.message, one])),
        ]),
      ),
    ),
    requests: inTasks((own) => byId(own.flatMap(({ requests }) => requests))),
  }
}
