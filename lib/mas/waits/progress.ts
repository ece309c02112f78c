/** The progress of a task, stage, part or agent, never stored: it can take a step itself, or somebody else must act first. */

import { selectNumberedRequests } from '../asks/requests'
import type { AgentId } from '../ids'
import { isAsked } from '../members/traits'
import type { RequestRecord, StageRecord, StepRecord, TaskRecord, World } from '../records'
import { selectOperators, selectUnjudged } from '../stages/judge'
import { isPartOver, isPartReady, isStageOver, isStepOver, isTaskOver } from '../statuses'
import { managerIn } from '../team/agents'
import { pausedAgent, pausedTask, type Stop, type Stops, stopOfRequest, stopsIn, worst } from './stops'
import { selectWaits, type WaitEdge } from './waits'

/** redone: it was sent back, and another try took its place; that is no failure. */
export type Progress = { state: 'idle' | 'running' | 'done' | 'redone' | 'failed' } | Stop

const IDLE: Progress = { state: 'idle' }
const RUNNING: Progress = { state: 'running' }
const over = (state: string): Progress => ({ state: state === 'failed' ? 'failed' : 'done' })
const overIn = ({ replacedBy }: StageRecord, state: string): Progress =>
  state === 'failed' && (replacedBy ?? null) !== null ? { state: 'redone' } : over(state)

/** Stopped: it waits or is blocked. */
export const isStop = (progress: Progress): progress is Stop => 'since' in progress

/** A task that is not begun is idle, unless its planning is stopped. */
export function selectTaskProgress(world: World, task: TaskRecord): Progress {
  if (isTaskOver(task)) return over(task.state)
  const stops = stopsIn(world)
  const work = [...stops.workIn(task.id), ...planning(stops, task)]
  if (!task.paused && work.some((step) => stops.ofStep(step) === null)) return task.state === 'init' ? IDLE : RUNNING
  return pausedTask(task) ?? worst([...work.map(stops.ofStep), ...stopsOfTask(world, task)]) ?? IDLE
}

/** What a person or an outside system must end in a task; null: nothing. Waiting for a working agent does not count. */
export function selectTaskStop(
  world: World,
  task: TaskRecord,
  progress = selectTaskProgress(world, task),
): Stop | null {
  if (isStop(progress)) return progress
  if (progress.state !== 'running') return null
  const stops = stopsIn(world)
  const edges = [...new Set([...managerIn(task), ...task.group])].flatMap((agent) => edgesOf(world, agent))
  return worst([...edges.filter(({ lock }) => lock.task === task.id).map(stops.ofEdge), ...stopsOfTask(world, task)])
}

/** While a stage is judged, the work of its judge counts as its own. */
export function selectStageProgress(world: World, stage: StageRecord): Progress {
  const task = world.tasks[stage.task]
  if (isStageOver(stage)) return overIn(stage, stage.state)
  if (stage.state === 'init' || !task) return IDLE
  const stops = stopsIn(world)
  const judge = stage.judging ? task.manager : null
  const isOfStage = (one: Pick<StepRecord, 'stage'>, by: string): boolean =>
    one.stage === stage.id || (one.stage === null && by === judge)
  return reached(world, task, {
    work: stops.workIn(task.id).filter((step) => isOfStage(step, step.agent)),
    requests: selectNumberedRequests(world, task.id).filter((request) => isOfStage(request, request.asker)),
    more: [...stopsOfParts(world, stage), stopOfJudge(world, task)],
  })
}

/** in: agent: one with a part in the stage. Unlike its stage, a part waits also for an agent that works. */
export function selectPartProgress(world: World, stage: StageRecord, agent: AgentId): Progress {
  const part = stage.parts[agent]
  const task = world.tasks[stage.task]
  if (isPartOver(part) && part !== undefined) return overIn(stage, part)
  if (stage.state !== 'running' || !task || !isPartReady(stage, agent)) return IDLE
  const isOwn = ({ stage: of, asker, kind, asked }: RequestRecord): boolean =>
    of === stage.id && (kind === 'part' ? asked.includes(agent) : asker === agent)
  const progress = reached(world, task, {
    work: stopsIn(world)
      .workIn(task.id)
      .filter((step) => step.agent === agent && step.stage === stage.id),
    requests: selectNumberedRequests(world, task.id).filter(isOwn),
    more: [stopOfPart(world, stage, agent)],
  })
  return progress.state === 'running' ? (awaitedBy(world, agent) ?? progress) : progress
}

/**
 * Steps of one task that belong to no stage, or to nobody's part: those of a thread, of a judge, of an agent that was only told something.
 *
 * in      steps: those in the world; count: including evicted ones
 * out     done once each is over and nothing is asked
 */
export function selectStepsProgress(
  world: World,
  task: TaskRecord,
  steps: readonly StepRecord[],
  count = steps.length,
): Progress {
  const work = steps.filter((step) => !isStepOver(step))
  const asked = selectNumberedRequests(world, task.id).filter(({ step }) => step !== null)
  const ids = asked.length === 0 ? null : new Set(steps.map(({ id }) => id))
  const requests = asked.filter(({ step }) => step !== null && ids?.has(step))
  if (count > 0 && work.length === 0 && requests.length === 0) return over('finished')
  return reached(world, task, { work, requests, more: [] })
}

/** In all tasks. A person is idle, unless a tool that they started runs. */
export function selectAgentProgress(world: World, id: AgentId): Progress {
  const agent = world.agents[id]
  if (!agent || agent.removed) return IDLE
  const stops = stopsIn(world)
  const stop = pausedAgent(agent) ?? stops.ofAgent(id) ?? awaitedBy(world, id)
  if (stop) return stop
  const work = stops.workOf(id)
  if (work.some((step) => stops.ofStep(step) === null)) return RUNNING
  return worst(work.map(stops.ofStep)) ?? IDLE
}

const edgesOf = (world: World, agent: AgentId): readonly WaitEdge[] => selectWaits(world).byAgent.get(agent) ?? []

/** It waits for an agent that works on the answer; null: it does not, or can take a step meanwhile. */
function awaitedBy(world: World, agent: AgentId): Stop | null {
  if (world.work[agent]?.running) return null
  const [edge] = [...edgesOf(world, agent)].sort((a, b) => a.lock.at - b.lock.at)
  if (!edge) return null
  const { at, task, request } = edge.lock
  return { state: 'waiting', cause: null, on: edge.on, since: at, task, agent, request }
}

function reached(
  world: World,
  task: TaskRecord,
  { work, requests, more }: { work: StepRecord[]; requests: RequestRecord[]; more: (Stop | null)[] },
): Progress {
  const stops = stopsIn(world)
  if (task.paused) return pausedTask(task) ?? IDLE
  if (work.some((step) => stops.ofStep(step) === null)) return RUNNING
  return worst([...work.map(stops.ofStep), ...requests.map((one) => stopOfRequest(world, one)), ...more]) ?? IDLE
}

/** The steps that plan it, in the thread of its request. */
const planning = (stops: Stops, { requestedIn, manager, stageOrder }: TaskRecord): StepRecord[] =>
  requestedIn === null || stageOrder.length > 0
    ? []
    : stops.workIn(requestedIn.task).filter((step) => step.agent === manager && step.thread === requestedIn.thread)

/** Open questions of the task, and of the thread that plans it; parts whose agents can do nothing; a judge that lacks. */
function stopsOfTask(world: World, task: TaskRecord): (Stop | null)[] {
  const { requestedIn, stageOrder, id } = task
  const isPlanned = requestedIn === null || stageOrder.length > 0
  const asked = isPlanned
    ? []
    : selectNumberedRequests(world, requestedIn.task).filter(({ thread }) => thread === requestedIn.thread)
  const running = Object.values<StageRecord>(world.stages[id] ?? {}).filter(({ state }) => state === 'running')
  return [
    ...[...selectNumberedRequests(world, id), ...asked].map((request) => stopOfRequest(world, request)),
    ...running.flatMap((stage) => stopsOfParts(world, stage)),
    stopOfJudge(world, task),
  ]
}

const stopsOfParts = (world: World, stage: StageRecord): (Stop | null)[] =>
  (Object.keys(stage.allocation) as AgentId[])
    .filter((agent) => !isPartOver(stage.parts[agent]) && isPartReady(stage, agent))
    .map((agent) => stopOfPart(world, stage, agent))

/** The agent of a part is paused, gone, or held elsewhere, also before it has a step; or nothing asks its person for it. */
function stopOfPart(world: World, { task, id: stage, startedAt }: StageRecord, id: AgentId): Stop | null {
  const agent = world.agents[id]
  const asksForIt = ({ kind, stage: of, asked }: RequestRecord): boolean =>
    kind === 'part' && of === stage && asked.includes(id)
  const isLost = isAsked(world, id) && !selectNumberedRequests(world, task).some(asksForIt)
  if (agent && !agent.removed && !isLost) return stopsIn(world).ofAgent(id)
  return { state: 'blocked', cause: 'noAnswer', on: [id], since: startedAt ?? 0, task, agent: id, request: null }
}

function stopOfJudge(world: World, task: TaskRecord): Stop | null {
  if (selectUnjudged(world, task) === null) return null
  const on = selectOperators(world)
  return { state: 'blocked', cause: 'noJudge', on, since: task.createdAt, task: task.id, agent: null, request: null }
}
