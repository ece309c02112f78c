/** The rows of `direct:<agent>`: a page of a conversation with a member over all tasks, with all that a chat shows. */
import type { AgentId } from '@/lib/mas/ids'
import type { MessageRecord, RequestRecord, TaskRecord, World } from '@/lib/mas/records'
import { canReadMessage, taskAccessOf } from '@/lib/mas/selectors/access/access'
import { requestsByMessage } from '@/lib/mas/selectors/requests/requests'
import { selectPlan } from '@/lib/mas/selectors/tasks/plan'
import { isTaskOver } from '@/lib/mas/statuses'
import type { TalkMemberRow, TalkMessageRow, TalkRow, TalkTaskRow, TalkTotals } from '@/lib/wire/rows'
import type { ParsedRowView } from '@/lib/wire/views'
import type { AccessLevel } from '../scopes'
import { messagesWith, othersOf, talkTasks } from './direct'
import { sentCount } from './openItems'
import { padded, type RowSource, TOTALS } from './source'

/** Messages of one page; the view of older ones has as many. */
export const TALK_PAGE = 100

type TalkView = Extract<ParsedRowView, { kind: 'talk' }>

export function talkRows(reach: AccessLevel, person: AgentId, view: TalkView): RowSource {
  const { agent, isAll, before } = view
  return {
    inputs: (world) => [
      world.agents,
      world.tasks,
      ...talkTasks(world, reach, person).flatMap(({ id }) => [
        world.deliveries[id]?.[person],
        world.deliveries[id]?.[agent],
        sentCount(world, id, person),
        world.requests[id],
        world.stages[id],
      ]),
    ],
    rows: (world) => {
      const tasks = talkTasks(world, reach, person)
      const between = tasks
        .flatMap((task) => messagesWith(world, task.id, person))
        .filter((message) => othersOf(message, person).includes(agent) && (before === null || message.seq < before))
        .sort((a, b) => a.seq - b.seq)
      const over = new Set(tasks.filter(isTaskOver).map(({ id }) => id))
      const held = isAll ? between : between.filter((message) => !over.has(message.task))
      const page = held.slice(-TALK_PAGE)
      const first = page[0]
      const isShared = (task: TaskRecord): boolean =>
        !isTaskOver(task) && task.group.includes(person) && task.group.includes(agent)
      const about = tasks.filter((task) => isShared(task) || page.some((message) => message.task === task.id))
      return [
        {
          ...TOTALS,
          messages: held.length,
          ofOverTasks: isAll ? 0 : between.length - held.length,
          older: first && held.length > page.length ? `direct:${agent}${isAll ? '/all' : ''}@${first.seq}` : null,
        } satisfies TalkTotals,
        ...pageRows(world, person, { page, tasks: about, members: [person, agent] }),
      ]
    },
  }
}

/** Messages with all that a chat shows of them: their tasks, and everyone named in either. */
function pageRows(
  world: World,
  person: AgentId,
  {
    page,
    tasks,
    members,
  }: { page: readonly MessageRecord[]; tasks: readonly TaskRecord[]; members: readonly AgentId[] },
): TalkRow[] {
  const named = new Set<AgentId>([
    ...members,
    ...tasks.flatMap(({ group }) => group),
    ...page.flatMap(({ sender, receivers }) => (sender === 'system:task' ? receivers : [sender, ...receivers])),
  ])
  return [
    ...page.map((message) => messageRow(world, message, quotedOf(world, person, message))),
    ...tasks.map((task) => taskRow(world, task)),
    ...[...named].flatMap((id) => memberRow(world, id)),
  ]
}

/** Messages that left the live world, as rows. in: a world with them restored; page: what this person may read. */
export const pastMessageRows = (world: World, person: AgentId, page: readonly MessageRecord[]): TalkRow[] =>
  pageRows(world, person, {
    page,
    tasks: [...new Set(page.map(({ task }) => task))].flatMap((id) => world.tasks[id] ?? []),
    members: [person],
  })

/** What it replies to, if this person may read that. */
function quotedOf(world: World, person: AgentId, { task, replyTo }: MessageRecord): MessageRecord | null {
  const reader = world.agents[person]
  const quoted = replyTo === null ? undefined : world.messages[task]?.[replyTo]
  return reader && quoted && canReadMessage(taskAccessOf(world, reader, task), quoted) ? quoted : null
}

function messageRow(world: World, message: MessageRecord, quoted: MessageRecord | null): TalkMessageRow {
  const deliveries = message.receivers.flatMap((one) => world.deliveries[message.task]?.[one]?.[message.id] ?? [])
  const all = world.requests[message.task]
  const requests: RequestRecord[] = all ? (requestsByMessage(all).get(message.id) ?? []) : []
  return {
    id: message.id,
    sort: `0:${padded(message.seq)}`,
    kind: 'message',
    message,
    deliveries,
    requests,
    quoted,
  }
}

function taskRow(world: World, task: TaskRecord): TalkTaskRow {
  return {
    id: task.id,
    sort: `1:${padded(task.createdAt)}`,
    kind: 'task',
    task,
    stages: selectPlan(world, task.id),
  }
}

function memberRow(world: World, id: AgentId): TalkMemberRow[] {
  const member = world.agents[id]
  return member === undefined ? [] : [{ id, sort: `2:${member.name}`, kind: 'member', member }]
}
