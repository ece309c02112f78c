/** Search by words or by id in what a person may read: team members in the world, all else in the index of the store. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { plainText } from '@/lib/format/plainText'
import { matchRanges, queryOf } from '@/lib/format/searchWords'
import { own } from '@/lib/json'
import {
  canReadMessage,
  canReadRequest,
  canReadStep,
  canSeeAll,
  type TaskAccess,
  taskAccessOf,
} from '@/lib/mas/access/access'
import { audienceOf } from '@/lib/mas/access/visibility'
import { decodeEntry } from '@/lib/mas/decode'
import type { Entry } from '@/lib/mas/events'
import { type AgentId, asId, type MessageId, type SenderId, type StepId, SYSTEM_TASK } from '@/lib/mas/ids'
import type { AgentRecord, MessageRecord, RequestRecord, StageRecord, TaskRecord, World } from '@/lib/mas/records'
import { stepIn } from '@/lib/mas/steps/ownSteps'
import { stepTitle } from '@/lib/mas/steps/stepTitle'
import { bareId, findStep, resolveAgent, selectName } from '@/lib/mas/team/agents'
import type { SearchAnswer, SearchHit, SearchKind } from '@/lib/wire'
import type { RestoredTasks } from '../../engine/snapshots/restoredTasks'
import { type FoundLine, LINE_KINDS, type LineKind, searchLineOf } from '../../search'
import { takingTurns } from '../../shared/pieces'
import type { Store } from '../../store'

import { worldWithRestored } from './restoredWorld'

type SearchParts = {
  world: () => World
  store: Pick<Store, 'journal' | 'search'>
  past: Pick<RestoredTasks, 'task'>
  /** The last entry that is indexed. */
  upTo: () => number
}

/** kind null: the first few of each kind. before: entries before that one only; needs a kind. */
type SearchAsked = { query: string; kind: SearchKind | null; before: number | null; limit: number }

/** Characters of a text around a match. */
const AROUND = 60
/** Matches that one search reads for a kind. A caller who may read few of them gets a short page and a cursor. */
const MOST_LOOKED_AT = 400
const AT_ONCE = 40

/** What the person may read and the words fit; an id finds its record alone. out: next: cursor of the next page */
export async function search(parts: SearchParts, person: AgentRecord, asked: SearchAsked): Promise<SearchAnswer> {
  const about = { indexedTo: parts.upTo(), head: parts.world().seq }
  const byId = await findById(parts, person, asked.query)
  if (byId) return { hits: [byId], next: null, ...about }
  const agents = asked.kind === null || asked.kind === 'agent' ? findAgents(parts.world(), person, asked) : []
  const kinds = LINE_KINDS.filter((kind) => asked.kind === null || asked.kind === kind)
  const tasks = canSeeAll(person) ? null : await tasksOf(parts, person)
  const pages = []
  for (const kind of kinds) pages.push(await findLines(parts, person, { ...asked, kind, tasks }))
  const [first] = pages
  const [ofTasks, ...others] =
    asked.kind === null ? pages.map(({ hits }) => hits) : [[], ...pages.map(({ hits }) => hits)]
  return {
    // Tasks first, then members of the team, then the other kinds.
    hits: [...(ofTasks ?? []), ...agents, ...others.flat()],
    next: asked.kind === null ? null : (first?.next ?? null),
    ...about,
  }
}

/** Tasks that a participant may search; each hit is checked again. */
async function tasksOf({ world, store }: SearchParts, person: AgentRecord): Promise<string[]> {
  const now = world()
  const live = Object.values<TaskRecord>(now.tasks).filter(({ id }) => taskAccessOf(now, person, id) !== null)
  const was = await store.search.tasksOf(person.id)
  return [...new Set([...live.map(({ id }) => id as string), ...was])]
}

function findAgents(world: World, person: AgentRecord, { query, limit }: SearchAsked): SearchHit[] {
  const words = query.toLocaleLowerCase().split(/\s+/u).filter(Boolean)
  if (words.length === 0) return []
  const fits = ({ name, role }: AgentRecord): boolean => {
    const text = `${name} ${role}`.toLocaleLowerCase()
    return words.every((word) => text.includes(word))
  }
  return Object.values<AgentRecord>(world.agents)
    .filter((agent) => !agent.removed && fits(agent) && (canSeeAll(person) || sharesTask(world, person, agent)))
    .slice(0, limit)
    .map((agent) => agentHit(agent))
}
const agentHit = ({ id, name, role }: AgentRecord): SearchHit => ({
  kind: 'agent',
  id,
  task: null,
  taskName: '',
  title: name,
  text: role,
  at: 0,
})

const sharesTask = (world: World, person: AgentRecord, agent: AgentRecord): boolean =>
  Object.values<TaskRecord>(world.tasks).some(({ group }) => group.includes(person.id) && group.includes(agent.id))

async function findLines(
  parts: SearchParts,
  person: AgentRecord,
  {
    query,
    kind,
    before,
    limit,
    tasks,
  }: Omit<SearchAsked, 'kind'> & { kind: LineKind; tasks: readonly string[] | null },
): Promise<{ hits: SearchHit[]; next: number | null }> {
  const lookup = { parts: queryOf(query), kind, tasks }
  const found = new Map<string, SearchHit>()
  const turn = takingTurns()
  let next = before ?? Number.MAX_SAFE_INTEGER
  for (let looked = 0; looked < MOST_LOOKED_AT; ) {
    // One query blocks the event loop: many frequent words take 0.1 s.
    await nextTurn()
    const seqs = await parts.store.search.find({ ...lookup, before: next, limit: Math.min(AT_ONCE, limit + 1) })
    for (const seq of seqs) {
      // Only a message has several receivers: its other rows belong to the same hit.
      if (found.size === limit && kind !== 'message') return { hits: [...found.values()], next }
      await turn()
      const entry = await entryAt(parts, seq)
      // A step is indexed by its intention and its result, a message once per receiver: it is listed once.
      const one = entry?.line.dispatch ?? entry?.line.id
      if (found.size === limit && (one === undefined || !found.has(one))) return { hits: [...found.values()], next }
      next = seq
      looked += 1
      if (entry === null || one === undefined || found.has(one)) continue
      const hit = await hitOf(parts, person, entry, query)
      if (hit) found.set(one, hit)
    }
    if (seqs.length < Math.min(AT_ONCE, limit + 1)) return { hits: [...found.values()], next: null }
  }
  return { hits: [...found.values()], next }
}

type Found = { entry: Entry; line: FoundLine }

async function entryAt({ store }: SearchParts, seq: number): Promise<Found | null> {
  const [stored] = await store.journal.read(seq - 1, 1, seq)
  if (!stored) return null
  const entry = decodeEntry(stored)
  const line = searchLineOf(entry)
  return line && { entry, line }
}

/** An entry as a hit; null when this person may not read it. */
async function hitOf(
  parts: SearchParts,
  person: AgentRecord,
  { entry, line }: Found,
  query: string,
): Promise<SearchHit | null> {
  const now = parts.world()
  // A person who may read everything needs no rights from the restored task.
  const world = canSeeAll(person) ? now : await worldWithRestored(now, parts.past, line.task)
  if (!mayRead(world, person, entry, line)) return null
  const known = world.tasks[line.task]?.name
  const taskName = known ?? ''
  const nameOf = (id: SenderId): string => (id === SYSTEM_TASK ? taskName : selectName(world, id))
  const [name = '', ...rest] = line.kind === 'task' ? line.text.split('\n') : ['', line.text]
  return {
    kind: line.kind,
    id: line.id,
    task: line.task,
    taskName: line.kind === 'task' ? (known ?? name) : taskName,
    title: line.kind === 'task' ? (known ?? name) : line.by === null ? taskName : nameOf(line.by),
    text: cutAround(rest.join('\n') || name, query),
    at: entry.at,
  }
}

function mayRead(world: World, person: AgentRecord, { seq, event }: Entry, line: FoundLine): boolean {
  // Talks do not leave the world, so that a task that it does not hold is none.
  if (canSeeAll(person) && !world.tasks[line.task]?.talk) return true
  const reach = taskAccessOf(world, person, line.task)
  if (reach === null || seq > reach.upTo) return false
  switch (line.kind) {
    case 'task':
    case 'stage':
      return true
    case 'message':
      return canReadMessage(reach, {
        seq,
        id: asId<MessageId>(line.id),
        thread: line.thread,
        audience: audienceOf(world.tasks[line.task]),
      })
    case 'request': {
      const asked = event.type === 'request.opened' ? event.seed.asked : []
      return canReadRequest(reach, { openedSeq: seq, thread: line.thread, asked })
    }
    case 'step':
      return reachesLine(world, reach, seq, line)
  }
}

function reachesLine(world: World, reach: TaskAccess, seq: number, { id, by, thread }: FoundLine): boolean {
  const step = findStep(world, asId<StepId>(id))
  if (step) return canReadStep(reach, step)
  return by !== null && by !== SYSTEM_TASK && canReadStep(reach, { createdSeq: seq, agent: by, thread })
}

/** The record with an id: a uuid, a StateID, a configured id or an outside URI. null: none that this person may read. */
export async function findOne(parts: SearchParts, person: AgentRecord, id: string): Promise<SearchHit | null> {
  const agent = resolveAgent(parts.world(), id)
  if (agent) return canSeeAll(person) || sharesTask(parts.world(), person, agent) ? agentHit(agent) : null
  return findById(parts, person, id)
}

async function findById(parts: SearchParts, person: AgentRecord, query: string): Promise<SearchHit | null> {
  const id = bareId(query.trim())
  if (!/^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id)) return null
  const now = parts.world()
  const agent = now.agents[id as AgentId]
  if (agent) return canSeeAll(person) || sharesTask(now, person, agent) ? agentHit(agent) : null
  const world = await worldWithRestored(now, parts.past, id)
  for (const task of Object.values<TaskRecord>(world.tasks)) {
    if (task.opened !== undefined) continue
    const reach = taskAccessOf(world, person, task.id)
    const about = reach === null ? null : findInTask(world, task, reach, id)
    if (about) return { task: task.id, taskName: task.name, ...about, text: cutAround(about.text, query) }
  }
  return null
}

function findInTask(
  world: World,
  task: TaskRecord,
  reach: TaskAccess,
  id: string,
): Omit<SearchHit, 'task' | 'taskName'> | null {
  const nameOf = (who: SenderId): string => (who === SYSTEM_TASK ? task.name : selectName(world, who))
  if (task.id === id) return { kind: 'task', id, title: task.name, text: task.intention, at: task.createdAt }
  const stage = own<StageRecord>(world.stages[task.id], id)
  if (stage)
    return { kind: 'stage', id, title: task.name, text: stage.intention, at: stage.startedAt ?? task.createdAt }
  const message = own<MessageRecord>(world.messages[task.id], id)
  if (message && canReadMessage(reach, message))
    return { kind: 'message', id, title: nameOf(message.sender), text: message.text, at: message.at }
  const request = own<RequestRecord>(world.requests[task.id], id)
  if (request && canReadRequest(reach, request))
    return { kind: 'request', id, title: nameOf(request.asker), text: request.question, at: request.openedAt }
  for (const steps of Object.values(world.steps[task.id] ?? {})) {
    const step = stepIn(steps, asId<StepId>(id))
    if (step && canReadStep(reach, step))
      return {
        kind: 'step',
        id,
        title: nameOf(step.agent),
        text: stepTitle(step, world.team.language),
        at: step.createdAt,
      }
  }
  return null
}

function cutAround(text: string, query: string): string {
  const line = plainText(text)
  const at = matchRanges(line, query)[0]?.[0] ?? 0
  const from = Math.max(0, at - AROUND)
  const to = Math.min(line.length, at + AROUND * 2)
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`
}
