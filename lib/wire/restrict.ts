/** What of the world a log view holds for a class of viewers; the same function on server and page. */
import type { AgentId, StepId, TaskId } from '../mas/ids'
import { countSteps, onlySteps, stepIn, stepsIn } from '../mas/ownSteps'
import { emptyWorld, type OwnSteps, type TaskRecord, type WorkRecord, type World } from '../mas/records'
import { isVisibleMessage, isVisibleRequest, peopleOf, threadsOf } from '../mas/selectors/access/visibility'
import { memo } from '../memo'
import { scopeOf, scopeSeesTask, type ViewScope } from './viewScope'
import type { ParsedLogView } from './views'

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

/** A world with only the view's records; unchanged branches, and an unchanged world, keep their identity. */
export function restrict(world: World, view: ParsedLogView, cls: string): World {
  const cut = { ...emptyWorld, seq: world.seq, at: world.at, ...held(world, view, scopeOf(cls)) }
  return (Object.keys(cut) as (keyof World)[]).every((key) => cut[key] === world[key]) ? world : cut
}

function held(world: World, view: ParsedLogView, scope: ViewScope): Partial<World> {
  switch (view.kind) {
    case 'task':
      return heldOfTask(world, view.task, scope)
    case 'agent':
      return heldOfAgent(world, view.agent, scope)
    case 'step':
      return heldOfStep(world, view.step)
  }
}

/** The thread in which the task was asked for is hidden: members of the task may not be allowed to read it. */
export const withoutThread = memo(
  (task: TaskRecord): TaskRecord => (task.requestedIn === null ? task : { ...task, requestedIn: null }),
)

function heldOfTask(world: World, task: TaskId, scope: ViewScope): Partial<World> {
  const people = peopleOf(world, task)
  const common = {
    team: world.team,
    baseTask: world.baseTask === task ? task : null,
    tasks: cutBranch(world.tasks, task, withoutThread),
    stages: just(world.stages, task),
    agents: only(world.agents, (agent) => agent.kind === 'human' || people.has(agent.id)),
  }
  if (scope.see !== 'person') {
    return {
      ...common,
      messages: just(world.messages, task),
      receipts: just(world.receipts, task),
      requests: just(world.requests, task),
      info: just(world.info, task),
    }
  }
  const { person } = scope
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

function heldOfAgent(world: World, agent: AgentId, scope: ViewScope): Partial<World> {
  const isSeen = scopeSeesTask(scope)
  return {
    team: world.team,
    agents: just(world.agents, agent),
    work: cutBranch(world.work, agent, (work) => (scope.see === 'all' ? work : workCut(work, isSeen))),
    memory: cutBranch(world.memory, agent, (notes) => {
      if (scope.see === 'all') return notes
      const kept = notes.filter((note) => note.task !== null && isSeen(note.task))
      return kept.length === notes.length ? notes : kept
    }),
    steps: stepsOf(world, agent, isSeen),
  }
}

/** Steps of that agent alone, by task; the same map when it holds nothing else. */
function stepsOf(world: World, agent: AgentId, isSeen: (task: TaskId) => boolean): World['steps'] {
  let isWhole = true
  const cut: World['steps'] = {}
  for (const [key, byAgent] of Object.entries(world.steps)) {
    const task = key as TaskId
    const mine = isSeen(task) ? just(byAgent, agent) : null
    const steps = mine?.[agent]
    if (mine === null || steps === undefined || countSteps(steps) === 0) {
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
/** A lock without what it is about. */
export const bareLock = <L extends Lock>(lock: L): L => ({
  ...lock,
  on: null,
  message: null,
  request: null,
  stage: null,
})

/** A step, and the one it is bound to: a tool step's state follows its instruction's. */
function heldOfStep(world: World, step: StepId): Partial<World> {
  const steps: World['steps'] = {}
  let isWhole = true
  for (const [task, byAgent] of Object.entries(world.steps)) {
    const kept: (typeof byAgent)[AgentId][] = []
    const left: typeof byAgent = {}
    for (const [agent, all] of Object.entries(byAgent)) {
      const boundTo = stepIn(all, step)?.boundTo
      const mine = isPair(all, step)
        ? onlySteps(all, (other) => other.id === step || other.boundTo === step || boundTo === other.id)
        : null
      if (mine === null || countSteps(mine) === 0) {
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
const isPair = (own: OwnSteps, step: StepId): boolean =>
  stepIn(own, step) !== undefined || stepsIn(own).some((other) => other.boundTo === step)
