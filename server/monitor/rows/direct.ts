/** The rows of `direct`: everyone whom I can write to or wrote with, the latest first. */
import { gather } from '@/lib/gather'
import { selectOutcome } from '@/lib/mas/asks/outcomes'
import { isNumbered } from '@/lib/mas/asks/requests'
import type { AgentId, MessageId, TaskId } from '@/lib/mas/ids'
import type { MessageRecord, RequestRecord, TaskRecord, World } from '@/lib/mas/records'
import { isSettled, isTaskOver } from '@/lib/mas/statuses'
import { memo } from '@/lib/memo'
import type { DirectRow, DirectTotals } from '@/lib/wire/rows'
import { whoOf } from '@/lib/wire/who'
import { type AccessLevel, hasAccess } from '../scopes'
import { sentBy, sentCount } from './openItems'
import { padded, paddedDown, type RowSource, TOTALS } from './source'

/** Members without a word yet; those with one are all there. */
const MOST_SILENT = 300
const LAST_LENGTH = 120

const NO_REQUESTS: World['requests'][TaskId] = {}
/** Asks without a card that were put to more people than their message. */
const passedAsks = memo((requests: World['requests'][TaskId]) =>
  gather(Object.values<RequestRecord>(requests), (one) =>
    isNumbered(one) || !(one.transfer || one.transferredBy || one.escalated) ? [] : one.asked,
  ),
)

/** What one wrote to me, or I to them, in the order of the journal; nothing that the task itself says. */
export function messagesWith(world: World, task: TaskId, person: AgentId): MessageRecord[] {
  const messages = world.messages[task]
  if (messages === undefined) return []
  const toMe = Object.keys(world.deliveries[task]?.[person] ?? {}).flatMap((id) => messages[id as MessageId] ?? [])
  const passed = passedAsks(world.requests[task] ?? NO_REQUESTS).get(person) ?? []
  const toMeToo = passed.flatMap(({ message }) => (message === null ? [] : (messages[message] ?? [])))
  const others = toMeToo.filter((message) => !message.receivers.includes(person))
  return [...toMe, ...others, ...sentBy(messages, person)]
    .filter((message) => message.sender !== 'system:task')
    .sort((a, b) => a.seq - b.seq)
}

/** With whom a message is a conversation with a member of this person. */
export const othersOf = (message: MessageRecord, person: AgentId): AgentId[] => {
  if (message.sender === person) return message.receivers.filter((id) => id !== person)
  return message.sender === 'system:task' ? [] : [message.sender]
}

/** Tasks where this person has, or may have, a conversation. */
export const talkTasks = (world: World, reach: AccessLevel, person: AgentId): TaskRecord[] =>
  Object.values(world.tasks).filter(
    (task: TaskRecord) =>
      hasAccess(world, reach, person, task.id) &&
      (task.group.includes(person) ||
        world.deliveries[task.id]?.[person] !== undefined ||
        sentCount(world, task.id, person) > 0),
  )

function isUnread(world: World, message: MessageRecord, person: AgentId): boolean {
  const outcome = selectOutcome(world, message, person)
  return outcome !== null && outcome.shownAt === null && !isSettled(outcome.state)
}

type Told = { unread: number; last: MessageRecord | null; tasks: TaskRecord[] }

export function directRows(reach: AccessLevel, person: AgentId): RowSource {
  return {
    inputs: (world) => [
      world.agents,
      world.tasks,
      ...talkTasks(world, reach, person).flatMap(({ id }) => [
        world.deliveries[id]?.[person],
        world.requests[id],
        sentCount(world, id, person),
      ]),
    ],
    rows: (world) => {
      const told = toldOf(world, reach, person)
      const rows = [...told].flatMap(([agent, about]) => {
        const isGone = world.agents[agent]?.removed ?? true
        return isGone && about.last === null ? [] : [directRow(world, person, agent, about)]
      })
      const unread = [...told.values()].reduce((sum, about) => sum + about.unread, 0)
      const silent = rows.filter(({ last }) => last === null).slice(MOST_SILENT)
      const totals: DirectTotals = { ...TOTALS, unread }
      return [totals, ...rows.filter((row) => !silent.includes(row))]
    },
  }
}

function toldOf(world: World, reach: AccessLevel, person: AgentId): Map<AgentId, Told> {
  const told = new Map<AgentId, Told>()
  const of = (agent: AgentId): Told => {
    const about = told.get(agent) ?? { unread: 0, last: null, tasks: [] }
    told.set(agent, about)
    return about
  }
  for (const task of talkTasks(world, reach, person)) {
    // A task's end puts its conversations away.
    if (isTaskOver(task)) continue
    if (task.group.includes(person)) {
      for (const member of task.group) if (member !== person) of(member).tasks.push(task)
    }
    for (const message of messagesWith(world, task.id, person)) {
      for (const other of othersOf(message, person)) {
        const about = of(other)
        if (about.last === null || about.last.seq < message.seq) about.last = message
        if (message.sender === other && isUnread(world, message, person)) about.unread += 1
      }
    }
  }
  return told
}

function directRow(world: World, person: AgentId, agent: AgentId, about: Told): DirectRow {
  const who = whoOf(world, agent)
  const { last, unread, tasks } = about
  const sort = last ? `0:${paddedDown(last.at)}:${padded(last.seq)}` : `1:${who.kind === 'human' ? 0 : 1}:${who.name}`
  return {
    id: agent,
    sort,
    kind: 'direct',
    agent,
    who,
    unread,
    last: last && {
      text: last.text.slice(0, LAST_LENGTH),
      at: last.at,
      isMine: last.sender === person,
      task: last.task,
    },
    tasks: tasks.map(({ id, name }) => ({ id, name })),
  }
}
