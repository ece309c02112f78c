/** The rows of `direct`: everyone with whom I have a talk or may begin one, the latest first; of talks of others that they exist. */
import { selectOutcome } from '@/lib/mas/asks/outcomes'
import { type AgentId, SYSTEM_TASK } from '@/lib/mas/ids'
import type { AgentRecord, MessageRecord, TaskRecord, World } from '@/lib/mas/records'
import { isSettled } from '@/lib/mas/statuses'
import { otherIn, selectTalkable } from '@/lib/mas/tasks/talks'
import { memo } from '@/lib/memo'
import type { DirectRow, DirectTotals, OthersTalkRow } from '@/lib/wire/rows'
import { whoOf, whosOf } from '@/lib/wire/who'
import { type AccessLevel, hasAccess } from '../scopes'
import { padded, paddedDown, type RowSource, TOTALS } from './source'

/** Members without a talk; those with one are all there. */
const MOST_SILENT = 300
const LAST_LENGTH = 120

const talksIn = memo((tasks: World['tasks']): readonly TaskRecord[] =>
  Object.values<TaskRecord>(tasks).filter(({ talk, opened }) => talk === true && opened === undefined),
)

export function directRows(reach: AccessLevel, person: AgentId): RowSource {
  const isMine = (world: World, { id }: TaskRecord): boolean => hasAccess(world, reach, person, id)
  const shownTalks = (world: World): TaskRecord[] =>
    talksIn(world.tasks).filter((task) => reach === 'all' || isMine(world, task))
  return {
    inputs: (world) => [
      world.agents,
      world.tasks,
      ...shownTalks(world).flatMap(({ id }) => [
        world.messages[id],
        world.deliveries[id]?.[person],
        world.requests[id],
      ]),
    ],
    rows: (world) => {
      const reader = world.agents[person]
      if (reader === undefined) return []
      const talks = shownTalks(world)
      const mine = talks.filter((task) => isMine(world, task))
      const rows = rowsOfMine(world, reader, mine)
      const totals: DirectTotals = { ...TOTALS, unread: rows.reduce((sum, { unread }) => sum + unread, 0) }
      return [totals, ...rows, ...talks.filter((task) => !mine.includes(task)).map((task) => othersRow(world, task))]
    },
  }
}

function rowsOfMine(world: World, reader: AgentRecord, talks: readonly TaskRecord[]): DirectRow[] {
  const known = talks.flatMap((task) => {
    const other = otherIn(task, reader.id)
    return other === null ? [] : [directRow(world, reader.id, other, task)]
  })
  const begun = new Set(known.map(({ agent }) => agent))
  const others = selectTalkable(world, reader).filter(({ id }) => !begun.has(id))
  return [...known, ...others.slice(0, MOST_SILENT).map(({ id }) => directRow(world, reader.id, id, null))]
}

/** What the two wrote, in the order of the journal; nothing that the task itself says. */
const saidIn = (world: World, task: TaskRecord): MessageRecord[] =>
  Object.values<MessageRecord>(world.messages[task.id] ?? {})
    .filter(({ sender }) => sender !== SYSTEM_TASK)
    .sort((a, b) => a.seq - b.seq)

function isUnread(world: World, message: MessageRecord, person: AgentId): boolean {
  const outcome = selectOutcome(world, message, person)
  return outcome !== null && outcome.shownAt === null && !isSettled(outcome.state)
}

function directRow(world: World, person: AgentId, agent: AgentId, talk: TaskRecord | null): DirectRow {
  const who = whoOf(world, agent)
  const said = talk === null ? [] : saidIn(world, talk)
  const last = said.at(-1)
  const at = last?.at ?? talk?.createdAt ?? null
  return {
    id: agent,
    sort:
      at === null
        ? `1:${who.kind === 'human' ? 0 : 1}:${who.name}`
        : `0:${paddedDown(at)}:${padded(last?.seq ?? talk?.changedAt ?? 0)}`,
    kind: 'direct',
    agent,
    who,
    talk: talk?.id ?? null,
    unread: said.filter((message) => message.sender === agent && isUnread(world, message, person)).length,
    last:
      last === undefined
        ? null
        : { text: last.text.slice(0, LAST_LENGTH), at: last.at, isMine: last.sender === person },
  }
}

function othersRow(world: World, task: TaskRecord): OthersTalkRow {
  const said = saidIn(world, task)
  const at = said.at(-1)?.at ?? null
  return {
    id: task.id,
    sort: `2:${paddedDown(at ?? task.createdAt)}`,
    kind: 'othersTalk',
    task: task.id,
    members: whosOf(world, task.group),
    messages: said.length,
    createdAt: task.createdAt,
    at,
  }
}
