/** Resolves the ids of requests (a uuid, a configured id, a prefixed StateID) to records that exist. */
import { Fault } from '@/lib/faults'
import { own } from '@/lib/json'
import { canSeeTask } from '@/lib/mas/access/access'
import type { AgentId, StageId, TaskId } from '@/lib/mas/ids'
import type {
  AgentRecord,
  ErasedRecord,
  MessageRecord,
  RequestRecord,
  StageRecord,
  TaskRecord,
  World,
} from '@/lib/mas/records'
import { bareId, resolveAgent, selectName } from '@/lib/mas/team/agents'

/** Shortens text of a caller for the data of a Fault. */
export const shown = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text)

/** in: the `after` of a list whose rows have ids, or of one that counts entries, and is neither */
export const notACursor = (): Fault<'BAD_INPUT'> =>
  new Fault('BAD_INPUT', { why: 'after: not a cursor of this list; begin again without it' })

/** in: text: an id, with or without its prefix, or an id of the configuration. null: there is none */
export function resolveAgentId(world: World, text: string): AgentRecord | null {
  const id = bareId(text)
  return own<AgentRecord>(world.agents, id) ?? (Object.hasOwn(Object.prototype, id) ? null : resolveAgent(world, text))
}

/** What was looked for. in: what, id: what it is, and the text that named it. Throws NOT_FOUND. */
export function mustFind<Found>(found: Found | null | undefined, what: string, id: string): Found {
  if (found === null || found === undefined) throw new Fault('NOT_FOUND', { what, id: shown(id) })
  return found
}

/** Throws NOT_FOUND. */
export const resolveKnownAgent = (world: World, text: string): AgentRecord =>
  mustFind(resolveAgentId(world, text), 'agent', text)

/** Throws RECEIVER_UNKNOWN with the first unknown one. */
export function resolveReceivers(world: World, texts: readonly string[]): AgentId[] {
  const ids = texts.map((text) => {
    const agent = resolveAgentId(world, text)
    if (!agent) throw new Fault('RECEIVER_UNKNOWN', { id: shown(text) })
    return agent.id
  })
  return [...new Set(ids)]
}

/** in: person: who named it; throws TASK_ERASED, NOT_FOUND, also for a task that they may not see */
export function resolveTaskId(world: World, text: string, person?: AgentRecord): TaskRecord {
  const task = own<TaskRecord>(world.tasks, bareId(text))
  if (!task) assertNotErased(world, text)
  return mustFind(task && (!person || canSeeTask(world, person, task.id)) ? task : null, 'task', text)
}

/** Throws TASK_ERASED. */
export function assertNotErased(world: World, text: string): void {
  const erased = own<ErasedRecord>(world.erased, bareId(text))
  if (erased) throw new Fault('TASK_ERASED', { by: selectName(world, erased.by), at: erased.at })
}

/** null for `no_relative`. Throws NOT_FOUND. */
export function resolveStageId(world: World, task: TaskId, text: string | null): StageId | null {
  if (text === null || text === 'no_relative' || text === '') return null
  return mustFind(own<StageRecord>(world.stages[task], bareId(text)), 'stage', text).id
}

/** Looks in all tasks. Throws NOT_FOUND. */
export function resolveMessageId(world: World, text: string): MessageRecord {
  const found = Object.values(world.messages).flatMap((messages) => own<MessageRecord>(messages, text) ?? [])
  return mustFind(found[0], 'message', text)
}

/** Looks in all tasks. Throws NOT_FOUND. */
export function resolveRequestId(world: World, text: string): RequestRecord {
  const found = Object.values(world.requests).flatMap((requests) => own<RequestRecord>(requests, text) ?? [])
  return mustFind(found[0], 'request', text)
}
