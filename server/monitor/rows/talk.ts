/** The records of `direct:<agent>`: a page of a conversation with a member over all tasks, with all that a chat shows. */

import { canReadMessage, taskAccessOf } from '@/lib/mas/access/access'
import { requestsByMessage } from '@/lib/mas/asks/requests'
import type { AgentId } from '@/lib/mas/ids'
import type { DeliveryRecord, MessageRecord, RequestRecord, TaskRecord, World } from '@/lib/mas/records'
import { selectPlan } from '@/lib/mas/stages/plan'
import { isTaskOver } from '@/lib/mas/statuses'
import { type RecordRow, recordRow } from '@/lib/wire/records'
import type { TalkTotals } from '@/lib/wire/rows'
import type { ParsedRowView } from '@/lib/wire/views'
import { withoutThread } from '../records/sections'
import type { AccessLevel } from '../scopes'
import { messagesWith, othersOf, talkTasks } from './direct'
import { sentCount } from './openItems'
import { type RowSource, TOTALS } from './source'

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
          ofOverTasks: isAll ? 0 : between.length - held.length,
          older: first && held.length > page.length ? `direct:${agent}${isAll ? '/all' : ''}@${first.seq}` : null,
        } satisfies TalkTotals,
        ...recordsOf(world, person, { page, tasks: about, members: [person, agent] }),
      ]
    },
  }
}

type TalkPart = { page: readonly MessageRecord[]; tasks: readonly TaskRecord[]; members: readonly AgentId[] }

/** Messages with all that a chat shows of them: what they reply to, their tasks, and everyone named in either. */
function recordsOf(world: World, person: AgentId, { page, tasks, members }: TalkPart): RecordRow[] {
  const own = new Set(page)
  const quoted = new Set(page.flatMap((message) => quotedBy(world, person, message) ?? []))
  const named = new Set<AgentId>([
    ...members,
    ...tasks.flatMap(({ group }) => group),
    ...page.flatMap(({ sender, receivers }) => (sender === 'system:task' ? receivers : [sender, ...receivers])),
  ])
  return [
    ...page.flatMap((message) => [
      recordRow('message', message),
      ...deliveriesOf(world, message).map((one) => recordRow('delivery', one)),
      ...requestsOf(world, message).map((one) => recordRow('request', one)),
    ]),
    ...[...quoted].filter((message) => !own.has(message)).map((message) => recordRow('quote', message)),
    ...tasks.flatMap((task) => [
      recordRow('task', withoutThread(task)),
      ...selectPlan(world, task.id).map((stage) => recordRow('stage', stage)),
    ]),
    ...[...named].flatMap((id) => world.agents[id] ?? []).map((member) => recordRow('agent', member)),
  ]
}

/** Messages that left the live world, as a page of them. in: a world with them restored; page: what this person may read. */
export const pastMessageRows = (world: World, person: AgentId, page: readonly MessageRecord[]): RecordRow[] =>
  recordsOf(world, person, {
    page,
    tasks: [...new Set(page.map(({ task }) => task))].flatMap((id) => world.tasks[id] ?? []),
    members: [person],
  })

/** What it replies to, if this person may read that. */
function quotedBy(world: World, person: AgentId, { task, replyTo }: MessageRecord): MessageRecord | null {
  const reader = world.agents[person]
  const quoted = replyTo === null ? undefined : world.messages[task]?.[replyTo]
  return reader && quoted && canReadMessage(taskAccessOf(world, reader, task), quoted) ? quoted : null
}

const deliveriesOf = (world: World, { id, task, receivers }: MessageRecord): DeliveryRecord[] =>
  receivers.flatMap((one) => world.deliveries[task]?.[one]?.[id] ?? [])

function requestsOf(world: World, { id, task }: MessageRecord): RequestRecord[] {
  const all = world.requests[task]
  return all ? (requestsByMessage(all).get(id) ?? []) : []
}
