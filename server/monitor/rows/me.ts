/** The rows of `me`: what needs me, what I wait for, what I did lately, notices. */

import { taskAccessOf } from '@/lib/mas/access/access'
import { isNoticeSettled } from '@/lib/mas/asks/notices'
import { recipientsOf, selectOutcome, sourcesOf } from '@/lib/mas/asks/outcomes'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import { SYSTEM_TASK } from '@/lib/mas/ids'
import type { MessageRecord, NoticeRecord, TaskRecord, World } from '@/lib/mas/records'
import { isSettled } from '@/lib/mas/statuses'
import {
  type AnyRow,
  INBOX_GROUPS,
  type InboxGroup,
  type MessageRow,
  type MeTotals,
  type NoticeRow,
  type RequestRow,
  type WaitingRow,
} from '@/lib/wire/rows'
import { whoOf } from '@/lib/wire/who'
import { type AccessLevel, hasAccess } from '../scopes'
import {
  answeredRequestsOf,
  askedByDispatch,
  isUnacknowledged,
  type OpenItem,
  openItemsOf,
  type Received,
  seenMessagesOf,
  sentCount,
  settledMessagesOf,
} from './openItems'
import { heldBy, type Reader, requestRowOf } from './requestRow'
import { padded, paddedDown, type RowSource, TOTALS } from './source'

/** Rows of each kind that are sent; the totals count all. */
export const ME_LIMITS = { open: 50, waiting: 50, done: 20, seen: 50, notices: 50 } as const

/** Place of each part among the rows; the open groups come first, in their order. */
const PARTS = { waiting: 6, info: 7, done: 8 } as const
/** `.` comes before `:`. */
const openSort = (group: InboxGroup, since: number, isResult: boolean): string =>
  `${INBOX_GROUPS.indexOf(group)}${isResult ? '.' : ':'}${padded(since)}`
const newestFirst = (part: 'info' | 'done', at: number): string => `${PARTS[part]}:${paddedDown(at)}`

/** A limit that stops an agent in a talk is put to operators, who read nothing else of it. */
const isAskedInTalk = (world: World, task: TaskId, person: AgentId): boolean =>
  world.tasks[task]?.talk === true && openItemsOf(world, task, person).length > 0

export function meRows(reach: AccessLevel, person: AgentId): RowSource {
  const tasksOf = (world: World): TaskId[] =>
    (Object.keys(world.tasks) as TaskId[]).filter(
      (task) => hasAccess(world, reach, person, task) || isAskedInTalk(world, task, person),
    )
  return {
    inputs: (world) => [
      world.agents,
      world.team,
      world.tasks,
      world.notices[person],
      ...tasksOf(world).flatMap((task) => inputsOfTask(world, task, person)),
    ],
    rows: (world) => {
      const tasks = tasksOf(world)
      const open = tasks.flatMap((task) => openItemsOf(world, task, person))
      const waiting = tasks.flatMap((task) => waitingOf(world, task, person))
      const notices = world.notices[person] ?? []
      const reader = { reach, person, tasks }
      return [
        totalsRow(world, person, open, waiting.length, notices.length),
        ...openRows(world, reader, open),
        ...newest(waiting, ME_LIMITS.waiting, ([first]) => -first.at).map((sent) => waitingRow(world, sent)),
        ...doneRows(world, reader),
        ...infoRows(world, person, tasks, notices),
      ]
    },
  }
}

/** Only what can change the person's rows: others' deliveries and the stages count where the person has something there. */
function inputsOfTask(world: World, task: TaskId, person: AgentId): unknown[] {
  const mine = world.deliveries[task]?.[person]
  const sent = sentCount(world, task, person)
  const requests = world.requests[task]
  return [
    requests,
    world.reminders[task]?.[person],
    mine,
    sent,
    sent > 0 ? world.deliveries[task] : null,
    requests ? world.stages[task] : null,
    requests ? heldMark(world, task, person) : '',
  ]
}

/** A text that changes when others begin or stop waiting for what is put to this person. */
const heldMark = (world: World, task: TaskId, person: AgentId): string =>
  openItemsOf(world, task, person)
    .flatMap((item) => (item.kind === 'request' ? heldBy(world, item.request).slice(1) : []))
    .join()

const newest = <Item>(items: Item[], limit: number, at: (item: Item) => number): Item[] =>
  items.sort((a, b) => at(b) - at(a)).slice(0, limit)

const idOf = (item: OpenItem): string => (item.kind === 'request' ? item.request.id : item.message.id)
/**
 * In the order of their rows, without the texts that rows are sorted by: most items of a full inbox get no row. Within its group a
 * result that the person asked for comes first.
 */
function openRows(world: World, reader: Reader, items: OpenItem[]): (RequestRow | MessageRow)[] {
  const results = new Set(items.filter((item) => isOwnResult(world, reader.person, item)))
  const compare = (a: OpenItem, b: OpenItem): number =>
    INBOX_GROUPS.indexOf(a.group) - INBOX_GROUPS.indexOf(b.group) ||
    Number(results.has(b)) - Number(results.has(a)) ||
    a.since - b.since ||
    (idOf(a) < idOf(b) ? -1 : 1)
  return [...items]
    .sort(compare)
    .slice(0, ME_LIMITS.open)
    .map((item) => openRow(world, reader, item, openSort(item.group, item.since, results.has(item))))
}

function isOwnResult(world: World, person: AgentId, item: OpenItem): boolean {
  if (item.kind !== 'message') return false
  const ended = endedTask(world, item.message, person)
  return ended !== null && world.tasks[ended]?.requestedBy === person
}

const openRow = (world: World, reader: Reader, item: OpenItem, sort: string): RequestRow | MessageRow =>
  item.kind === 'request'
    ? requestRowOf(world, reader, item.request, item.group, sort)
    : messageRow(world, item, item.group, sort)

function messageRow(
  world: World,
  { message, outcome }: Received,
  group: MessageRow['group'],
  sort: string,
): MessageRow {
  const ended = endedTask(world, message, outcome.receiver)
  const remindAt = world.reminders[message.task]?.[outcome.receiver]?.[message.id]
  return {
    id: message.id,
    sort,
    kind: 'message',
    group,
    message,
    outcome,
    ...(remindAt === undefined ? {} : { remindAt }),
    sender: whoOf(world, message.sender),
    taskName: world.tasks[message.task]?.name ?? '',
    ...(ended === null ? {} : { ended, ...headlineOf(world, ended) }),
  }
}

function headlineOf(world: World, task: TaskId): Pick<MessageRow, 'headline'> {
  const headline = world.tasks[task]?.result?.headline ?? null
  return headline === null ? {} : { headline }
}

/** The task whose end the message tells, where its reader may read the task: to its members in it, to its asker where they asked. */
function endedTask(world: World, { sender, task, thread, instruction }: MessageRecord, reader: AgentId): TaskId | null {
  if (sender !== SYSTEM_TASK) return null
  const told =
    instruction?.type === 'finish_task'
      ? world.tasks[task]
      : Object.values<TaskRecord>(world.tasks).find(
          ({ requestedIn, endedAt }) => endedAt !== null && thread !== null && requestedIn?.thread === thread,
        )
  const person = world.agents[reader]
  return told && person && taskAccessOf(world, person, told.id) !== null ? told.id : null
}

/** The messages of one act of sending. */
type Sent = readonly [MessageRecord, ...MessageRecord[]]

/** What I asked of others and is not settled for all of them. */
const waitingOf = (world: World, task: TaskId, person: AgentId): Sent[] =>
  askedByDispatch(world, task, person).flatMap(([first, ...rest]): Sent[] => {
    const sent = first && ([first, ...rest] as const)
    const isOpenStill = sent?.some((message) =>
      message.receivers.some((id) => {
        const outcome = selectOutcome(world, message, id)
        return outcome !== null && !isSettled(outcome.state)
      }),
    )
    return sent && isOpenStill ? [sent] : []
  })

function waitingRow(world: World, messages: Sent): WaitingRow {
  const [first] = messages
  const outcomes = messages.flatMap((message) =>
    recipientsOf(sourcesOf(world, message.task), message).flatMap(({ receiver, outcome }) => {
      if (outcome === null) return []
      const { state, settledAt, reassigned, transferredTo } = outcome
      return [{ who: whoOf(world, receiver), state, settledAt, reassigned, transferredTo }]
    }),
  )
  return {
    id: `waiting:${first.dispatch}`,
    sort: `${PARTS.waiting}:${padded(first.at)}`,
    kind: 'waiting',
    group: 'waiting',
    message: first,
    outcomes,
    taskName: world.tasks[first.task]?.name ?? '',
  }
}

type Done = { at: number; row: (sort: string) => RequestRow | MessageRow }

function doneRows(world: World, reader: Reader): AnyRow[] {
  const { person, tasks } = reader
  const done = tasks.flatMap((task): Done[] => [
    ...answeredRequestsOf(world, task, person).map((request) => ({
      at: request.answer?.at ?? request.openedAt,
      row: (sort: string) => requestRowOf(world, reader, request, 'done', sort),
    })),
    ...settledMessagesOf(world, task, person).map((item) => ({
      at: item.outcome.settledAt ?? item.message.at,
      row: (sort: string) => messageRow(world, item, 'done', sort),
    })),
  ])
  return newest(done, ME_LIMITS.done, ({ at }) => at).map(({ at, row }) => row(newestFirst('done', at)))
}

function infoRows(world: World, person: AgentId, tasks: TaskId[], notices: NoticeRecord[]): AnyRow[] {
  const seen = tasks.flatMap((task) => seenMessagesOf(world, task, person))
  return [
    ...newest(seen, ME_LIMITS.seen, ({ message }) => message.at).map((item) =>
      messageRow(world, item, 'info', newestFirst('info', item.message.at)),
    ),
    ...notices.slice(-ME_LIMITS.notices).map((notice) => noticeRow(world, person, notice)),
  ]
}

const noticeRow = (world: World, person: AgentId, notice: NoticeRecord): NoticeRow => ({
  id: notice.id,
  sort: newestFirst('info', notice.at),
  kind: 'notice',
  group: 'info',
  notice,
  taskName: world.tasks[notice.task]?.name ?? '',
  isSettled: isNoticeSettled(world, person, notice),
})

function totalsRow(
  world: World,
  person: AgentId,
  open: OpenItem[],
  waitingOnOthers: number,
  notices: number,
): MeTotals {
  const counts = INBOX_GROUPS.map((group) => open.filter((item) => item.group === group).length)
  return {
    ...TOTALS,
    me: whoOf(world, person),
    needsMe: open.length,
    urgentUnacknowledged: open.filter(isUnacknowledged).length,
    byGroup: Object.fromEntries(INBOX_GROUPS.map((group, index) => [group, counts[index] ?? 0])) as Record<
      InboxGroup,
      number
    >,
    waitingOnOthers,
    notices,
    rehearsal: world.team.rehearsal,
    language: world.team.language,
  }
}
