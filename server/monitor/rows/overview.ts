/** The rows of `overview`: each task at a glance, stuck first. */
import type { AgentId, RequestId, StageId, TaskId } from '@/lib/mas/ids'
import type { RequestRecord, Spent, StageRecord, TaskRecord, World } from '@/lib/mas/records'
import { selectStageProgress, selectTaskProgress, selectTaskStop } from '@/lib/mas/selectors/progress'
import type { Stop } from '@/lib/mas/selectors/stops'
import { selectSetUp } from '@/lib/mas/selectors/taskCost'
import { isOpen, isTaskOver } from '@/lib/mas/statuses'
import { isSameList, memo } from '@/lib/memo'
import type { AnyRow, Chip, OverviewRow, OverviewTotals, Stuck } from '@/lib/wire/rows'
import { type AccessLevel, hasAccess, seesThreadsOnly } from '../scopes'
import { openItemsOf } from './openItems'
import { addRollups, NO_ROLLUP, type Rollup, rollupOfTask } from './rollups'
import { type KeepRow, padded, paddedDown, type RowSource } from './source'
import { whoOf, whosOf } from './who'

const openCount = memo(
  (requests: Record<RequestId, RequestRecord>): number => Object.values(requests).filter(isOpen).length,
)
/** The stage that runs; of a task that is over the last one of its plan. */
const shownStage = (task: TaskRecord, stages: Record<StageId, StageRecord>): StageRecord | null => {
  const planned = task.stageOrder.flatMap((id) => stages[id] ?? [])
  if (isTaskOver(task)) return planned.findLast(({ replacedBy }) => replacedBy === null) ?? null
  return planned.find(({ state }) => state === 'running') ?? null
}

export function overviewRows(reach: AccessLevel, person: AgentId): RowSource {
  const tasksOf = (world: World): TaskRecord[] =>
    Object.values(world.tasks).filter((task) => hasAccess(world, reach, person, task.id))
  return {
    inputs: (world) => [
      world.agents,
      world.tasks,
      world.stages,
      world.steps,
      world.requests,
      world.work,
      ...tasksOf(world).map((task) => world.receipts[task.id]?.[person]),
    ],
    rows: (world, keep) => {
      const rows = tasksOf(world).map((task) => taskRow(world, keep, reach, person, task))
      return [totals(keep, rows.filter(isTaskRow)), ...rows]
    },
  }
}

type Glance = {
  chip: Chip
  stop: Stop | null
  sums: Rollup
  setUp: Spent | null
  open: number
  stage: { record: StageRecord; chip: Chip } | null
}

/** What a task's row says to all who see the whole task; made once for all of them, the same object while it says the same. */
const glances = new WeakMap<TaskRecord, Glance>()
function makeGlance(world: World, task: TaskRecord): Glance {
  const { id } = task
  const [stages, requests, steps] = [world.stages[id], world.requests[id], world.steps[id]]
  const setUp = selectSetUp(world, id)
  const stage = stages ? shownStage(task, stages) : null
  const progress = selectTaskProgress(world, task)
  const made: Glance = {
    chip: progress.state,
    stop: selectTaskStop(world, task, progress),
    sums: addRollups(steps ? rollupOfTask(steps) : NO_ROLLUP, { ...NO_ROLLUP, ...setUp }),
    setUp,
    open: requests ? openCount(requests) : 0,
    stage: stage && { record: stage, chip: selectStageProgress(world, stage).state },
  }
  const known = glances.get(task)
  const glance = known && isSameList(saidBy(known), saidBy(made)) ? known : made
  glances.set(task, glance)
  return glance
}
const saidBy = ({ chip, stop, sums, setUp, open, stage }: Glance): unknown[] => [
  chip,
  ...(stop ? [stop.state, stop.cause, stop.since, stop.task, stop.agent, stop.request, ...stop.on] : []),
  sums.tokens,
  sums.costUsd,
  setUp,
  open,
  stage?.record,
  stage?.chip,
]

/** All who look in one tick look at the same world. */
const glancesOf = memo((_: World) => new Map<TaskRecord, Glance>())
function glanceOf(world: World, task: TaskRecord): Glance {
  const known = glancesOf(world)
  const glance = known.get(task) ?? makeGlance(world, task)
  known.set(task, glance)
  return glance
}

function taskRow(world: World, keep: KeepRow, reach: AccessLevel, person: AgentId, task: TaskRecord): AnyRow {
  const { id } = task
  // In the base task a participant sees some threads only: its waits and costs are others' affairs.
  const isPartial = seesThreadsOnly(world, reach, id)
  const glance = glanceOf(world, task)
  const { sums, setUp } = isPartial ? { sums: NO_ROLLUP, setUp: null } : glance
  const { chip, stage } = glance
  const stuck = isPartial ? null : stuckOf(world, task, glance.stop, (one) => hasAccess(world, reach, person, one))
  const items = openItemsOf(world, id, person)
  const openRequests = isPartial ? items.filter((item) => item.kind === 'request').length : glance.open
  const deps = [
    task,
    glance,
    isPartial,
    openRequests,
    items.length,
    world.agents,
    stuck?.what,
    stuck?.elsewhere?.taskName,
  ]
  return keep<OverviewRow>(id, deps, () => ({
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
    manager: whoOf(world, task.manager),
    members: whosOf(world, task.group),
    requestedBy: task.requestedBy === null ? null : whoOf(world, task.requestedBy),
    stage: stage && stageOf(world, task, stage.record, stage.chip),
    stuck,
    openRequests,
    mine: items.length,
    tokens: sums.tokens,
    promptTokens: sums.promptTokens,
    cachedTokens: sums.cachedTokens,
    costUsd: sums.costUsd,
    setUp,
    createdAt: task.createdAt,
    endedAt: task.endedAt,
  }))
}

function stageOf(world: World, { id: task, stageOrder }: TaskRecord, { id, intention }: StageRecord, chip: Chip) {
  // A stage and the better ones that replaced it are one place of the plan.
  const kept = stageOrder.filter((one) => one === id || (world.stages[task]?.[one]?.replacedBy ?? null) === null)
  return { id, number: kept.indexOf(id) + 1, of: kept.length, intention, chip }
}

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
  switch (task.state) {
    case 'failed':
      return `3:${paddedDown(task.endedAt ?? task.createdAt)}`
    case 'running':
      return `4:${paddedDown(task.createdAt)}`
    case 'init':
      return `5:${paddedDown(task.createdAt)}`
    case 'finished':
      return `6:${paddedDown(task.endedAt ?? task.createdAt)}`
  }
}

const isTaskRow = (row: AnyRow): row is OverviewRow => 'kind' in row && row.kind === 'task'

function totals(keep: KeepRow, rows: OverviewRow[]): AnyRow {
  const work = rows.filter((row) => !row.base)
  const counts = {
    tasks: rows.length,
    running: work.filter((row) => row.chip === 'running').length,
    waiting: rows.filter((row) => row.chip === 'waiting' || row.chip === 'blocked').length,
    failed: work.filter((row) => row.state === 'failed').length,
  }
  return keep<OverviewTotals>('$', Object.values(counts), () => ({ id: '$', sort: '', kind: 'totals', ...counts }))
}
