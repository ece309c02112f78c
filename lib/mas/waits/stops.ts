/** Why a step, an agent or a wait cannot continue by itself, followed to its cause. A chain back to its beginning is a deadlock. */

import { gather } from '@/lib/gather'
import { memo } from '@/lib/memo'
import { selectNumberedRequests } from '../asks/requests'
import type { AgentId, RequestId, TaskId } from '../ids'
import { selectLimitStop } from '../limits/limits'
import { runsSteps } from '../members/traits'
import type { AgentRecord, RequestRecord, StepRecord, TaskRecord, WorkRecord, World } from '../records'
import { refsIn, selectStep } from '../team/agents'
import { selectCircleReplyStep } from './circleReply'
import { selectPlanRequest } from './planRequest'
import { selectReply } from './reply'
import { selectWaits, type WaitEdge, whyNoAnswer } from './waits'
import { type OpenQuestion, selectOpenQuestions } from './waitsForAnswer'

/** Why an operator has to act. noAnswer: none of those who were asked can answer. */
export type BlockedCause = 'paused' | 'limit' | 'circle' | 'noAnswer' | 'noJudge'

/** Why something takes no step, and where this can be resolved. */
export type Stop = {
  /** waiting: an asked person can answer; blocked: an operator must act. */
  state: 'waiting' | 'blocked'
  /** null: it only waits. */
  cause: BlockedCause | null
  /** The asked persons; may be empty. */
  on: readonly AgentId[]
  /** Epoch ms. */
  since: number
  /** The task in which it can be resolved, possibly another one that blocks the agent. null: none. */
  task: TaskId | null
  /** The agent that blocks it; null: the task itself. */
  agent: AgentId | null
  /** The question that a person can answer. */
  request: RequestId | null
}

/** All about stops in one world; each question is answered once. */
export type Stops = {
  /** null: it runs, or will run in turn. */
  ofStep(step: StepRecord): Stop | null
  /** What stops the agent completely: a pause, or a wait that does not end by itself. */
  ofAgent(agent: AgentId): Stop | null
  /** null: the member waited for works on the answer. */
  ofEdge(edge: WaitEdge): Stop | null
  /** The step that the agent may run although it waits. */
  bypassOf(agent: AgentId): StepRecord | null
  /** Steps that are not over, in the order of their agents' lists. */
  workIn(task: TaskId): readonly StepRecord[]
  workOf(agent: AgentId): readonly StepRecord[]
}

export const stopsIn = memo((world: World): Stops => {
  const steps = remembering((step: StepRecord): Stop | null => stopOfStep(world, stops, step), deadlockAt)
  const agents = remembering(
    (agent: AgentId): Stop | null => stopOfAgent(world, stops, agent),
    (agent) => deadlockOf(world, agent),
  )
  // Looking for it walks the agent's whole list: once for an agent that waits, never for others.
  const bypasses = remembering(
    (agent: AgentId) => (world.work[agent]?.locks.length ? selectCircleReplyStep(world, agent) : null),
    () => null,
  )
  const byTask = new Map<TaskId, StepRecord[]>()
  let workers: ReadonlyMap<TaskId, readonly AgentId[]> | null = null
  const stops: Stops = {
    ofStep: steps,
    ofAgent: agents,
    ofEdge: (edge) => stopOfEdge(world, stops, edge),
    bypassOf: bypasses,
    workIn: (task) => {
      workers ??= workersByTask(world)
      const known = byTask.get(task) ?? workIn(world, task, workers.get(task) ?? [])
      byTask.set(task, known)
      return known
    },
    workOf: (agent) => workOf(world, agent),
  }
  return stops
})

/** A function of one value that is asked once for each; asked for a value that is being worked out, it says `again`. */
function remembering<Of, Answer>(find: (of: Of) => Answer, again: (of: Of) => Answer): (of: Of) => Answer {
  const known = new Map<Of, { answer: Answer } | null>()
  return (of) => {
    const before = known.get(of)
    if (before === null) return again(of)
    if (before) return before.answer
    known.set(of, null)
    const answer = find(of)
    known.set(of, { answer })
    return answer
  }
}

function workOf(world: World, agent: AgentId): StepRecord[] {
  const work: WorkRecord | undefined = world.work[agent]
  if (!work) return []
  return refsIn(work).flatMap(({ task, step }) => selectStep(world, task, agent, step) ?? [])
}

const refsByTask = memo((work: WorkRecord) => gather(refsIn(work), ({ task }) => [task]))

/** Whose lists hold something of each task. */
const workersByTask = (world: World): ReadonlyMap<TaskId, readonly AgentId[]> =>
  gather(Object.keys(world.work) as AgentId[], (agent) => {
    const work = world.work[agent]
    return work ? [...refsByTask(work).keys()] : []
  })

function workIn(world: World, task: TaskId, agents: readonly AgentId[]): StepRecord[] {
  return agents.flatMap((agent) => {
    const work = world.work[agent]
    return ((work && refsByTask(work).get(task)) ?? []).flatMap(
      ({ step }) => selectStep(world, task, agent, step) ?? [],
    )
  })
}

function stopOfStep(world: World, stops: Stops, step: StepRecord): Stop | null {
  const agent = world.agents[step.agent]
  const task = world.tasks[step.task]
  if (!agent || !task) return null
  if (world.work[step.agent]?.running?.step === step.id) return askedByCall(world, step)
  if (task.paused) return pausedTask(task)
  if (step.byHand) return stopOfRunning(world, step.agent)
  if (agent.removed) return blocked('noAnswer', [agent.id], step.createdAt, step)
  if (agent.paused && !step.prioritized) return pausedAgent(agent)
  const limit = stopOfLimit(world, step)
  if (limit) return limit
  // Of a circle of waits one reply runs although its agent waits; the others follow from it.
  const bypassing = stops.bypassOf(step.agent)
  if (bypassing && (step.bypassesLock || bypassing.id === step.id)) return null
  const plan = selectPlanRequest(world, step)
  if (plan) return stopOfRequest(world, plan)
  return worst([
    ...selectOpenQuestions(world, step).map((question) => stopOfQuestion(world, stops, step, question)),
    stops.ofAgent(step.agent),
  ])
}

/** What runs keeps its agent from all else. */
function stopOfRunning(world: World, agent: AgentId): Stop | null {
  const ref = world.work[agent]?.running
  const running = ref ? selectStep(world, ref.task, agent, ref.step) : null
  return running && askedByCall(world, running)
}

/** The running tool call asks a question. */
function askedByCall(world: World, step: StepRecord): Stop | null {
  const asks = (request: RequestRecord): boolean => request.kind === 'tool' && request.step === step.id
  const request = selectNumberedRequests(world, step.task).find(asks)
  return request ? stopOfRequest(world, request) : null
}

function stopOfLimit(world: World, step: StepRecord): Stop | null {
  const stopped = selectLimitStop(world, step)
  if (stopped === null) return null
  const id = world.budgets[stopped.task]?.stops?.[stopped.key]?.request
  const request = id === undefined ? undefined : world.requests[stopped.task]?.[id]
  return request ? stopOfRequest(world, request) : blocked('limit', [], step.createdAt, step)
}

/** A question without a lock for which the step waits. */
function stopOfQuestion(world: World, stops: Stops, step: StepRecord, { message, on }: OpenQuestion): Stop | null {
  return worst(
    on.map((receiver): Stop | null => {
      const who = world.agents[receiver]
      if (!who || who.removed) return blocked('noAnswer', [receiver], message.at, step)
      if (runsSteps(world, receiver)) {
        const reply = workOf(world, receiver).find((one) => one.cause.message === message.id)
        return reply ? stops.ofStep(reply) : stops.ofAgent(receiver)
      }
      const request = selectNumberedRequests(world, step.task).find((one) => one.message === message.id)
      if (request) return stopOfRequest(world, request)
      return { ...blocked('noAnswer', [receiver], message.at, step), state: 'waiting', cause: null }
    }),
  )
}

function stopOfAgent(world: World, stops: Stops, id: AgentId): Stop | null {
  const agent = world.agents[id]
  if (agent?.paused) return pausedAgent(agent)
  return worst([stopOfRunning(world, id), ...(selectWaits(world).byAgent.get(id) ?? []).map(stops.ofEdge)])
}

function stopOfEdge(world: World, stops: Stops, { agent, lock, on, state, isBlocked }: WaitEdge): Stop | null {
  const { at: since, task, request } = lock
  const stop = { on, since, task, agent, request }
  if (isBlocked) return { ...stop, state: 'blocked', cause: state === 'circle' ? 'circle' : 'noAnswer' }
  const [only] = on
  if (only !== undefined && runsSteps(world, only)) {
    const reply = selectReply(world, only, lock.id)
    return reply === null ? null : stops.ofStep(reply)
  }
  return { ...stop, state: 'waiting', cause: null }
}

/** A limit, a task without a judge and an unanswerable question need an operator; others wait for an answer. */
export function stopOfRequest(world: World, { task, kind, asked, asker, openedAt, id }: RequestRecord): Stop {
  const manager = world.tasks[task]?.manager
  const isUnjudged = kind === 'judge' && (manager == null || !asked.includes(manager))
  const isUnanswered = whyNoAnswer(world, { kind: 'confirm', task, request: id, id }, asked) !== null
  const cause = kind === 'limit' ? 'limit' : isUnjudged ? 'noJudge' : isUnanswered ? 'noAnswer' : null
  const agent = asker === 'system:task' ? null : asker
  return { state: cause === null ? 'waiting' : 'blocked', cause, on: asked, since: openedAt, task, agent, request: id }
}

const blocked = (
  cause: BlockedCause,
  on: readonly AgentId[],
  since: number,
  { task, agent }: Pick<Stop, 'task' | 'agent'>,
): Stop => ({
  state: 'blocked',
  cause,
  on,
  since,
  task,
  agent,
  request: null,
})
export const pausedTask = ({ id, paused }: TaskRecord): Stop | null =>
  paused && blocked('paused', [], paused.at, { task: id, agent: null })
export const pausedAgent = ({ id, paused }: AgentRecord): Stop | null =>
  paused && blocked('paused', [id], paused.at, { task: null, agent: id })

const deadlockAt = (step: StepRecord): Stop => blocked('circle', [step.agent], step.createdAt, step)
function deadlockOf(world: World, agent: AgentId): Stop {
  const lock = world.work[agent]?.locks[0]
  return blocked('circle', [agent], lock?.at ?? world.at, { task: lock?.task ?? null, agent })
}

/** Blocked before waiting, each the oldest first; null: nothing is stopped. */
export function worst(stops: readonly (Stop | null)[]): Stop | null {
  return stops.reduce(
    (found, stop) => (stop !== null && (found === null || weighsMore(stop, found)) ? stop : found),
    null,
  )
}
const weighsMore = (a: Stop, b: Stop): boolean => (a.state === b.state ? a.since < b.since : a.state === 'blocked')
