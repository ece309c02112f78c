/**
 * What of the world, and of each entry, a log view holds for a class of viewers. Pure, and the same on both sides: the
 * server cuts what it sends, the page cuts back what its reducers made.
 *
 * Owns: the classes of log views, restrict, concerns, cut.
 * Not here: who is of which class (server/monitor/classes.ts), sending (server/monitor), row views.
 *
 * The law that holds them together, for every event that leaves the class as it is:
 *   restrict(reduce(world, entry)) = restrict(reduce(restrict(world), cut(entry))) when it concerns, else unchanged.
 */

import type { Entry, MasEvent, StepSeed } from '../mas/events'
import { type AgentId, type StepId, SYSTEM_TASK, type TaskId } from '../mas/ids'
import { emptyWorld, type WorkRecord, type World } from '../mas/records'
import { isVisibleMessage, isVisibleRequest, peopleOf, threadsOf } from './sight'
import type { ParsedLogView } from './views'

/**
 * What a class of a log view lets see, written as text so that classes compare by ===.
 *
 * all      everything the view holds
 * person   base task only: the threads that this person began or is addressed in
 * tasks    agent views: only what the agent does in these tasks
 */
export type Sight = { see: 'all' } | { see: 'person'; person: AgentId } | { see: 'tasks'; tasks: readonly TaskId[] }

/** `mark` makes a class differ when what it shows of others changes at once (who belongs to the view). */
export const classText = (sight: Sight, mark: string): string => {
  const what =
    sight.see === 'all' ? 'all' : sight.see === 'person' ? `person:${sight.person}` : `tasks:${sight.tasks.join(',')}`
  return `${what}|${mark}`
}

/** Read a class back; one that cannot be read sees the least. */
export function sightOf(cls: string): Sight {
  const what = cls.slice(0, cls.indexOf('|'))
  if (what === 'all') return { see: 'all' }
  if (what.startsWith('person:')) return { see: 'person', person: what.slice(7) as AgentId }
  const tasks = what.startsWith('tasks:') ? what.slice(6) : ''
  return { see: 'tasks', tasks: tasks === '' ? [] : (tasks.split(',') as TaskId[]) }
}

/** The map with only the entries that pass; the same map when all do. */
function only<Key extends string, Value>(
  map: Record<Key, Value>,
  passes: (value: Value, key: Key) => boolean,
): Record<Key, Value> {
  const keys = Object.keys(map) as Key[]
  const kept = keys.filter((key) => passes(map[key], key))
  if (kept.length === keys.length) return map
  return Object.fromEntries(kept.map((key) => [key, map[key]])) as Record<Key, Value>
}

/** The map of one key, or none; the same map when that is all it holds. */
function just<Key extends string, Value>(map: Record<Key, Value>, key: Key): Record<Key, Value> {
  return only(map, (_, other) => other === key)
}

/** One branch of a map replaced by what is left of it; gone when nothing is. */
function cutBranch<Key extends string, Value extends object>(
  map: Record<Key, Value>,
  key: Key,
  change: (old: Value) => Value,
): Record<Key, Value> {
  const mine = just(map, key)
  const old = (mine as Partial<Record<Key, Value>>)[key]
  if (old === undefined) return mine
  const next = change(old)
  if (Object.keys(next).length === 0) return only(mine, () => false)
  return next === old ? mine : { ...mine, [key]: next }
}

/**
 * What a log view holds of the world.
 *
 * out     a world with only those records; what is whole keeps its identity, and a restricted world comes back as it is
 */
export function restrict(world: World, view: ParsedLogView, cls: string): World {
  const cut = { ...emptyWorld, seq: world.seq, at: world.at, ...held(world, view, sightOf(cls)) }
  return (Object.keys(cut) as (keyof World)[]).every((key) => cut[key] === world[key]) ? world : cut
}

function held(world: World, view: ParsedLogView, sight: Sight): Partial<World> {
  switch (view.kind) {
    case 'task':
      return heldOfTask(world, view.task, sight)
    case 'agent':
      return heldOfAgent(world, view.agent, sight)
    case 'step':
      return heldOfStep(world, view.step)
  }
}

function heldOfTask(world: World, task: TaskId, sight: Sight): Partial<World> {
  const people = peopleOf(world, task)
  const common = {
    team: world.team,
    baseTask: world.baseTask === task ? task : null,
    tasks: just(world.tasks, task),
    stages: just(world.stages, task),
    agents: only(world.agents, (agent) => agent.kind === 'human' || people.has(agent.id)),
  }
  if (sight.see !== 'person') {
    return {
      ...common,
      messages: just(world.messages, task),
      receipts: just(world.receipts, task),
      requests: just(world.requests, task),
      info: just(world.info, task),
    }
  }
  const { person } = sight
  const threads = threadsOf(world, task, person)
  const messages = cutBranch(world.messages, task, (all) => only(all, (message) => isVisibleMessage(message, threads)))
  const shown = messages[task]
  return {
    ...common,
    messages,
    receipts: cutBranch(world.receipts, task, (all) => {
      const cut = Object.entries(all).map(([agent, receipts]) => {
        const left = only(receipts, (receipt) => shown !== undefined && Object.hasOwn(shown, receipt.message))
        return [agent as AgentId, left] as const
      })
      const kept = cut.filter(([, left]) => Object.keys(left).length > 0)
      const isWhole = kept.length === Object.keys(all).length && kept.every(([agent, left]) => all[agent] === left)
      return isWhole ? all : Object.fromEntries(kept)
    }),
    requests: cutBranch(world.requests, task, (all) =>
      only(all, (request) => isVisibleRequest(request, threads, person)),
    ),
  }
}

function heldOfAgent(world: World, agent: AgentId, sight: Sight): Partial<World> {
  const isSeen = taskTest(sight)
  return {
    team: world.team,
    agents: just(world.agents, agent),
    work: cutBranch(world.work, agent, (work) => (sight.see === 'all' ? work : workCut(work, isSeen))),
    memory: cutBranch(world.memory, agent, (notes) => {
      if (sight.see === 'all') return notes
      const kept = notes.filter((note) => note.task !== null && isSeen(note.task))
      return kept.length === notes.length ? notes : kept
    }),
    steps: stepsOf(world, agent, isSeen),
  }
}

const taskTest = (sight: Sight): ((task: TaskId) => boolean) => {
  if (sight.see === 'all') return () => true
  if (sight.see === 'person') return () => false
  const seen = new Set<string>(sight.tasks)
  return (task) => seen.has(task)
}

/** Steps of that agent alone, by task; the same map when it holds nothing else. */
function stepsOf(world: World, agent: AgentId, isSeen: (task: TaskId) => boolean): World['steps'] {
  let isWhole = true
  const cut: World['steps'] = {}
  for (const [key, byAgent] of Object.entries(world.steps)) {
    const task = key as TaskId
    const mine = isSeen(task) ? just(byAgent, agent) : null
    const steps = mine?.[agent]
    if (mine === null || steps === undefined || Object.keys(steps).length === 0) {
      isWhole = false
      continue
    }
    if (mine !== byAgent) isWhole = false
    cut[task] = mine
  }
  return isWhole ? world.steps : cut
}

/** That an agent works, waits and for how long is seen by all who see the agent; on what, only by who sees the task. */
function workCut(work: WorkRecord, isSeen: (task: TaskId) => boolean): WorkRecord {
  if (work.locks.every((lock) => isSeen(lock.task) || isBare(lock))) return work
  return { ...work, locks: work.locks.map((lock) => (isSeen(lock.task) || isBare(lock) ? lock : bareLock(lock))) }
}
type Lock = Pick<WorkRecord['locks'][number], 'on' | 'message' | 'request' | 'stage'>
const isBare = (lock: Lock): boolean =>
  lock.on === null && lock.message === null && lock.request === null && lock.stage === null
const bareLock = <L extends Lock>(lock: L): L => ({ ...lock, on: null, message: null, request: null, stage: null })

/** A step, and the one it is bound to: a tool step's state follows its instruction's. */
function heldOfStep(world: World, step: StepId): Partial<World> {
  const steps: World['steps'] = {}
  let isWhole = true
  for (const [task, byAgent] of Object.entries(world.steps)) {
    const kept: (typeof byAgent)[AgentId][] = []
    const left: typeof byAgent = {}
    for (const [agent, all] of Object.entries(byAgent)) {
      const mine = isPair(all, step)
        ? only(all, (other) => other.id === step || other.boundTo === step || all[step]?.boundTo === other.id)
        : null
      if (mine === null || Object.keys(mine).length === 0) {
        isWhole = false
        continue
      }
      if (mine !== all) isWhole = false
      left[agent as AgentId] = mine
      kept.push(mine)
    }
    if (kept.length > 0) steps[task as TaskId] = left
    else isWhole = false
  }
  const agent = Object.values(steps).flatMap((byAgent) => Object.keys(byAgent))[0] as AgentId | undefined
  return {
    steps: isWhole ? world.steps : steps,
    agents: agent === undefined ? only(world.agents, () => false) : just(world.agents, agent),
  }
}
const isPair = (steps: Record<StepId, { boundTo: StepId | null }>, step: StepId): boolean =>
  Object.hasOwn(steps, step) || Object.values(steps).some((other) => other.boundTo === step)

/**
 * Does the view change by this event, or might it?
 *
 * in      the world after the decision: only what never changes is read from it (whose thread, who belongs)
 */
export function concerns(world: World, event: MasEvent, view: ParsedLogView, cls: string): boolean {
  switch (view.kind) {
    case 'task':
      return concernsTask(world, event, view.task, sightOf(cls))
    case 'agent':
      return concernsAgent(event, view.agent, sightOf(cls))
    case 'step':
      return concernsStep(world, event, view.step)
  }
}

function concernsTask(world: World, event: MasEvent, task: TaskId, sight: Sight): boolean {
  switch (event.type) {
    case 'config.applied':
      return true
    case 'agent.created':
      return event.config.kind === 'human' || peopleOf(world, task).has(event.agent)
    case 'agent.changed':
    case 'agent.paused':
    case 'agent.resumed':
    case 'agent.removed':
    case 'human.accessChanged':
      return world.agents[event.agent]?.kind === 'human' || peopleOf(world, task).has(event.agent)
    case 'task.added':
    case 'task.started':
    case 'task.participantsAdded':
    case 'task.participantsRemoved':
    case 'task.managerChanged':
    case 'task.paused':
    case 'task.resumed':
    case 'task.finished':
    case 'stage.added':
    case 'stage.started':
    case 'stage.agentStateChanged':
    case 'stage.completionSubmitted':
    case 'stage.judging':
    case 'stage.finished':
    case 'stage.failed':
      return event.task === task
    case 'info.shared':
      return event.task === task && sight.see !== 'person'
    case 'message.sent':
      return (
        event.task === task &&
        (sight.see !== 'person' ||
          isVisibleMessage({ ...event, id: event.message }, threadsOf(world, task, sight.person)))
      )
    case 'message.receipt':
    case 'message.undone': {
      if (event.task !== task || sight.see !== 'person') return event.task === task
      const message = world.messages[task]?.[event.message]
      return message !== undefined && isVisibleMessage(message, threadsOf(world, task, sight.person))
    }
    case 'request.opened':
    case 'request.claimed':
    case 'request.answered':
    case 'request.released':
    case 'request.expired':
    case 'request.superseded': {
      if (event.task !== task || sight.see !== 'person') return event.task === task
      const request = world.requests[task]?.[event.request]
      return request !== undefined && isVisibleRequest(request, threadsOf(world, task, sight.person), sight.person)
    }
    default:
      return false
  }
}

function concernsAgent(event: MasEvent, agent: AgentId, sight: Sight): boolean {
  switch (event.type) {
    case 'config.applied':
      return true
    case 'agent.created':
    case 'agent.changed':
    case 'agent.paused':
    case 'agent.resumed':
    case 'agent.removed':
    case 'human.accessChanged':
    case 'memory.removed':
    case 'lock.added':
    case 'lock.released':
    case 'step.added':
    case 'step.inserted':
    case 'step.started':
    case 'step.held':
    case 'step.finished':
    case 'step.failed':
    case 'step.cancelled':
    case 'step.requeued':
    case 'step.interrupted':
    case 'step.retired':
      return event.agent === agent
    case 'memory.added':
      return (
        event.agent === agent && (sight.see === 'all' || (event.note.task !== null && taskTest(sight)(event.note.task)))
      )
    // These change the step's record alone, never the queue.
    case 'step.instructed':
    case 'step.approved':
    case 'step.moved':
    case 'model.called':
      return event.agent === agent && taskTest(sight)(event.task)
    default:
      return false
  }
}

function concernsStep(world: World, event: MasEvent, step: StepId): boolean {
  switch (event.type) {
    case 'step.added':
    case 'step.inserted':
      return (
        event.step === step || event.boundTo === step || boundOf(world, event.task, event.agent, step) === event.step
      )
    case 'step.started':
    case 'step.instructed':
    case 'step.held':
    case 'step.approved':
    case 'step.finished':
    case 'step.failed':
    case 'step.cancelled':
    case 'step.requeued':
    case 'step.interrupted':
    case 'step.moved':
    case 'model.called':
      return (
        event.step === step ||
        boundOf(world, event.task, event.agent, event.step) === step ||
        boundOf(world, event.task, event.agent, step) === event.step
      )
    case 'step.retired':
      return event.steps.some(
        (other) =>
          other === step ||
          boundOf(world, event.task, event.agent, other) === step ||
          boundOf(world, event.task, event.agent, step) === other,
      )
    case 'agent.created':
    case 'agent.changed':
    case 'agent.paused':
    case 'agent.resumed':
    case 'agent.removed':
    case 'human.accessChanged':
      return Object.values(world.steps).some((byAgent) => byAgent[event.agent]?.[step] !== undefined)
    default:
      return false
  }
}
const boundOf = (world: World, task: TaskId, agent: AgentId, step: StepId): StepId | null | undefined =>
  world.steps[task]?.[agent]?.[step]?.boundTo

/**
 * The entry as this class may see it: what happens in a task that is hidden from it loses its content, and keeps what
 * moves the agent's queue and locks.
 */
export function cut(entry: Entry, view: ParsedLogView, cls: string): Entry {
  if (view.kind === 'step') return { ...entry, cause: '' }
  if (view.kind !== 'agent') return entry
  const sight = sightOf(cls)
  const { event } = entry
  if (sight.see === 'all' || !('task' in event) || event.task === null || taskTest(sight)(event.task)) return entry
  return { ...entry, by: '', cause: '', event: bare(event) }
}

const NO_RESULT = { kind: 'none', text: '', body: null, made: null } as const
const bareSeed = <Seed extends StepSeed>(seed: Seed): Seed => ({
  ...seed,
  stage: null,
  thread: null,
  intention: '',
  executor: '',
  text: '',
  cause: { message: null, step: null },
  answers: null,
  boundTo: null,
  retryOf: null,
})

function bare(event: MasEvent): MasEvent {
  switch (event.type) {
    case 'step.added':
    case 'step.inserted':
      return bareSeed(event)
    case 'step.finished':
      return { ...event, result: NO_RESULT, repairs: [] }
    case 'step.failed':
      return { ...event, reason: '', result: null, repairs: [] }
    case 'step.cancelled':
    case 'step.interrupted':
      return { ...event, reason: '' }
    case 'lock.added':
      return { ...event, lock: bareLock(event.lock) }
    case 'lock.released':
      return { ...event, by: event.by === null ? null : SYSTEM_TASK }
    default:
      return event
  }
}
