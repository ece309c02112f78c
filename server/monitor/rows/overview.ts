/** The rows of `overview`: each task at a glance, stuck first. */
import { type AgentId, SYSTEM_TASK, type TaskId } from '@/lib/mas/ids'
import type { ExecutionState, Spent, StageRecord, TaskRecord, World } from '@/lib/mas/records'
import { selectPlan, selectStagePlace } from '@/lib/mas/stages/plan'
import { isTaskOver } from '@/lib/mas/statuses'
import { NO_ROLLUP, type Rollup, rollupOfAllEvicted, rollupOfTask, sumRollups } from '@/lib/mas/steps/rollups'
import { selectSetUp } from '@/lib/mas/tasks/taskResult'
import { selectStageProgress, selectTaskProgress, selectTaskStop } from '@/lib/mas/waits/progress'
import type { Stop } from '@/lib/mas/waits/stops'
import { memo, memoWith } from '@/lib/memo'
import type { Chip, OverviewRow, OverviewTotals, Stuck } from '@/lib/wire/rows'
import { whoOf, whosOf } from '@/lib/wire/who'
import { type AccessLevel, hasAccess, seesThreadsOnly } from '../scopes'
import { openItemsOf } from './openItems'
import { padded, paddedDown, type RowSource, TOTALS } from './source'

const membersOf = memoWith((group: readonly AgentId[], agents: World['agents']) => whosOf({ agents }, group))
/** The stage that runs; of a task that is over the last one of its plan. */
const shownStage = (task: TaskRecord, planned: readonly StageRecord[]): StageRecord | null => {
  if (isTaskOver(task)) return planned.findLast(({ replacedBy }) => replacedBy === null) ?? null
  return planned.find(({ state }) => state === 'running') ?? null
}

export function overviewRows(reach: AccessLevel, person: AgentId): RowSource {
  const tasksOf = (world: World): TaskRecord[] =>
    Object.values(world.tasks).filter((task: TaskRecord) => !task.talk && hasAccess(world, reach, person, task.id))
  return {
    inputs: (world) => [
      world.agents,
      world.tasks,
      world.stages,
      world.steps,
      world.evicted,
      world.requests,
      world.work,
      ...tasksOf(world).map((task) => world.deliveries[task.id]?.[person]),
    ],
    rows: (world) => {
      const rows = tasksOf(world).map((task) => taskRow(world, reach, person, task))
      return [totals(rows), ...rows]
    },
  }
}

type Glance = {
  chip: Chip
  stop: Stop | null
  sums: Rollup
  setUp: Spent | null
  stage: { record: StageRecord; chip: Chip } | null
}

/** What a task's row says to all who see the whole task. */
function makeGlance(world: World, task: TaskRecord): Glance {
  const { id } = task
  const [steps, evicted] = [world.steps[id], world.evicted[id]]
  const setUp = selectSetUp(world, id)
  const stage = shownStage(task, selectPlan(world, id))
  const progress = selectTaskProgress(world, task)
  return {
    chip: progress.state,
    stop: selectTaskStop(world, task, progress),
    sums: sumRollups([
      steps ? rollupOfTask(steps) : NO_ROLLUP,
      evicted ? rollupOfAllEvicted(evicted) : NO_ROLLUP,
      { ...NO_ROLLUP, ...setUp },
    ]),
    setUp,
    stage: stage && { record: stage, chip: selectStageProgress(world, stage).state },
  }
}

/** All who look in one tick look at the same world. */
const glancesOf = memo((_: World) => new Map<TaskRecord, Glance>())
function glanceOf(world: World, task: TaskRecord): Glance {
  const known = glancesOf(world)
  const glance = known.get(task) ?? makeGlance(world, task)
  known.set(task, glance)
  return glance
}

function taskRow(world: World, reach: AccessLevel, person: AgentId, task: TaskRecord): OverviewRow {
  const { id } = task
  // In the base task a participant sees some threads only: its waits and costs are others' affairs.
  const isPartial = seesThreadsOnly(world, reach, id)
  const glance = glanceOf(world, task)
  const { sums, setUp } = isPartial ? { sums: NO_ROLLUP, setUp: null } : glance
  const { chip, stage } = glance
  const stuck = isPartial ? null : stuckOf(world, task, glance.stop, (one) => hasAccess(world, reach, person, one))
  const items = openItemsOf(world, id, person)
  return {
    id,
    sort: sortOf(task, stuck),
    kind: 'task',
    task: id,
    name: task.name,
    intention: task.intention,
    base: task.base,
    state: task.state,
    chip,
    paused: task.paused !== null,
    manager: whoOf(world, task.manager ?? SYSTEM_TASK),
    members: membersOf(task.group, world.agents),
    requestedBy: task.requestedBy === null ? null : whoOf(world, task.requestedBy),
    demo: isDemo(world, task),
    stage: stage && {
      ...selectStagePlace(world, id, stage.record.id),
      id: stage.record.id,
      intention: stage.record.intention,
      chip: stage.chip,
    },
    stuck,
    mine: items.length,
    tokens: sums.tokens,
    promptTokens: sums.promptTokens,
    cachedTokens: sums.cachedTokens,
    costUsd: sums.costUsd,
    setUp,
    createdAt: task.createdAt,
    endedAt: task.endedAt,
  }
}

/** Asked for by the demo's message, which stays in the world as long as the task runs. */
const isDemo = ({ messages }: World, { requestedIn }: TaskRecord): boolean =>
  requestedIn !== null && messages[requestedIn.task]?.[requestedIn.thread]?.said?.say === 'demoWork'

/** in: isSeen: a task that the reader may see; of another task they only see that its agent is blocked there */
function stuckOf(world: World, task: TaskRecord, stop: Stop | null, isSeen: (task: TaskId) => boolean): Stuck | null {
  if (stop === null) {
    if (task.state !== 'failed') return null
    const since = task.endedAt ?? task.createdAt
    return { kind: 'failed', why: null, on: [], since, what: task.summary ?? '', elsewhere: null, request: null }
  }
  const { state: kind, cause: why, since } = stop
  const isHere = stop.task === null || stop.task === task.id
  const where = stop.task === null ? undefined : world.tasks[stop.task]
  const who = stop.agent === null ? null : whoOf(world, stop.agent)
  if (!isHere && where && !isSeen(where.id))
    return { kind, why, on: who ? [who] : [], since, what: who?.name ?? '', elsewhere: null, request: null }
  const request = stop.request === null || !where ? undefined : world.requests[where.id]?.[stop.request]
  const what =
    request?.question ?? (stop.agent === null ? task.paused?.reason : world.agents[stop.agent]?.paused?.reason)
  return {
    kind,
    why,
    on: whosOf(world, stop.on),
    since,
    what: what || (who?.name ?? ''),
    elsewhere: !isHere && where && who ? { who, task: where.id, taskName: where.name } : null,
    request: stop.request,
  }
}

/** The base task is pinned; then blocked, waiting (longest first), failed, running, not begun, done (newest first). */
function sortOf(task: TaskRecord, stuck: Stuck | null): string {
  if (task.base) return '0'
  if (stuck?.kind === 'blocked') return `1:${padded(stuck.since)}`
  if (stuck?.kind === 'waiting') return `2:${padded(stuck.since)}`
  return `${STATE_ORDER[task.state]}:${paddedDown(task.endedAt ?? task.createdAt)}`
}
const STATE_ORDER: Record<ExecutionState, number> = { failed: 3, running: 4, init: 5, finished: 6 }

function totals(rows: OverviewRow[]): OverviewTotals {
  const work = rows.filter((row) => !row.base)
  return {
    ...TOTALS,
    tasks: rows.length,
    running: work.filter((row) => row.chip === 'running').length,
    waiting: rows.filter((row) => row.chip === 'waiting' || row.chip === 'blocked').length,
    failed: work.filter((row) => row.state === 'failed').length,
  }
}
