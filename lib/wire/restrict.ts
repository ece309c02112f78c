/** What of the world a log view holds for a class of viewers; the same function on server and page. */
import type { AgentId, StepId, TaskId } from '../mas/ids'
import { countSteps, onlySteps, stepIn } from '../mas/ownSteps'
import { emptyWorld, type OwnSteps, type TaskRecord, type WorkRecord, type World } from '../mas/records'
import { cutEach, only, orNothing } from '../mas/reduce/branch'
import { isVisibleMessage, isVisibleRequest, peopleOf, threadsOf } from '../mas/selectors/access/visibility'
import { memo } from '../memo'
import { scopeOf, scopeSeesTask, type ViewScope } from './viewScope'
import type { ParsedLogView } from './views'

/** The map of one key, or none. */
const just = <Key extends string, Value>(map: Record<Key, Value>, key: Key): Record<Key, Value> =>
  only(map, (_, other) => other === key)

/** The map of one key with what is left of it, or none. */
const cutBranch = <Key extends string, Value extends object>(
  map: Record<Key, Value>,
  key: Key,
  change: (old: Value) => Value,
): Record<Key, Value> => cutEach(map, (old, other) => (other === key ? orNothing(change(old)) : null))

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

/** The thread in which the task was asked for, and what was asked there, are hidden: members may not be allowed to read it. */
export const withoutThread = memo((task: TaskRecord): TaskRecord => {
  if (task.requestedIn === null && task.start === undefined) return task
  const { start: _, ...rest } = task
  return { ...rest, requestedIn: null }
})

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
    receipts: cutBranch(world.receipts, task, (all) =>
      cutEach(all, (own) =>
        orNothing(only(own, ({ message }) => shown !== undefined && Object.hasOwn(shown, message))),
      ),
    ),
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

/** Steps of that agent alone, by task. */
const stepsOf = (world: World, agent: AgentId, isSeen: (task: TaskId) => boolean): World['steps'] =>
  cutEach(world.steps, (byAgent, task) =>
    isSeen(task) ? orNothing(only(byAgent, (own, other) => other === agent && countSteps(own) > 0)) : null,
  )

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
  const steps = cutEach(world.steps, (byAgent) => orNothing(cutEach(byAgent, (own) => pairIn(own, step))))
  const agent = Object.values(steps).flatMap((byAgent) => Object.keys(byAgent))[0]
  return { steps, agents: only(world.agents, (_, id) => id === agent) }
}

function pairIn(own: OwnSteps, step: StepId): OwnSteps | null {
  const boundTo = stepIn(own, step)?.boundTo
  const mine = onlySteps(own, (other) => other.id === step || other.boundTo === step || boundTo === other.id)
  return countSteps(mine) === 0 ? null : mine
}
