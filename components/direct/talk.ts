/** The records of a conversation with a member as the chat's components read them: one small world for all of its tasks. Pure. */
import type { ChatEntry } from '@/components/chat/fns/lines'
import { chatEntriesOf } from '@/components/chat/fns/lines'
import { type ChatPeople, peopleIn, type TaskWorld, taskWorldOf } from '@/components/chat/useTaskWorld'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import { emptyWorld } from '@/lib/mas/records'
import { isTaskOver } from '@/lib/mas/statuses'
import { type RecordRow, withRecords } from '@/lib/wire/records'

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

/** in: pages: records of the newest page and of older ones; of a record that occurs twice the newest counts */
export function talkOf(pages: readonly (readonly RecordRow[])[], reader: Reader): Talk {
  const records = pages.toReversed().flat()
  const world = withRecords(emptyWorld, records, [])
  const ids = Object.keys(world.tasks) as TaskId[]
  const tasks = new Map(ids.map((id) => [id, taskWorldOf(world, id, reader)]))
  const messages = new Map(records.flatMap((row) => (row.of === 'message' ? [[row.id, row.record]] : [])))
  const entries = chatEntriesOf([...messages.values()], [])
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
