/** The rows of `overview`: each task at a glance, stuck first. */

import type { AgentId, RequestId, StageId } from '@/lib/mas/ids'
import type { RequestRecord, Spent, StageRecord, TaskRecord, World } from '@/lib/mas/records'
import { selectSetUp } from '@/lib/mas/selectors/taskCost'
import { isOpen, isTaskOver } from '@/lib/mas/statuses'
import { isSameList, memo } from '@/lib/memo'
import type { AnyRow, OverviewRow, OverviewTotals, Stuck } from '@/lib/wire/rows'
import { type AccessLevel, hasAccess, seesThreadsOnly } from '../scopes'
import { openItemsOf } from './openItems'
import { addRollups, NO_ROLLUP, type Rollup, rollupOfTask } from './rollups'
import { type KeepRow, padded, paddedDown, type RowSource } from './source'
import { byAge, waitsMark, waitsOf } from './waits'
import { whoOf, whosOf } from './who'

const openCount = memo(
  (requests: Record<RequestId, RequestRecord>): number => Object.values(requests).filter(isOpen).length,
)
/** The oldest request that only a person can settle and that holds a task up without a lock. */
const oldestPart = memo((requests: Record<RequestId, RequestRecord>): RequestRecord | null => {
  const holding = Object.values(requests).filter(
    (request: RequestRecord) =>
      isOpen(request) && (request.kind === 'part' || request.kind === 'judge' || request.kind === 'limit'),
  )
  return holding.sort((a: RequestRecord, b: RequestRecord) => a.openedSeq - b.openedSeq)[0] ?? null
})
const runningStage = memo(
  (stages: Record<StageId, StageRecord>): StageRecord | null =>
    Object.values(stages).find((stage: StageRecord) => stage.state === 'running') ?? null,
)

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

type Glance = { stuck: Stuck | null; sums: Rollup; setUp: Spent | null; open: number; stage: StageRecord | null }
const NO_GLANCE: Glance = { stuck: null, sums: NO_ROLLUP, setUp: null, open: 0, stage: null }

/** What a task's row says to all who see the whole task; made once for all of them, the same object while it says the same. */
const glances = new WeakMap<TaskRecord, { inputs: readonly unknown[]; glance: Glance }>()
function makeGlance(world: World, task: TaskRecord): Glance {
  const { id } = task
  const [stages, requests, steps] = [world.stages[id], world.requests[id], world.steps[id]]
  const setUp = selectSetUp(world, id)
  const inputs = [stages, requests, steps, setUp, world.agents, waitsMark(world, id)]
  const known = glances.get(task)
  if (known && isSameList(known.inputs, inputs)) return known.glance
  const made = {
    stuck: stuckOf(world, task),
    sums: addRollups(steps ? rollupOfTask(steps) : NO_ROLLUP, { ...NO_ROLLUP, ...setUp }),
    setUp,
    open: requests ? openCount(requests) : 0,
    stage: stages ? runningStage(stages) : null,
  }
  const glance = known && isSameList(saidBy(known.glance), saidBy(made)) ? known.glance : made
  glances.set(task, { inputs, glance })
  return glance
}
const saidBy = ({ stuck, sums, setUp, open, stage }: Glance): unknown[] => [
  ...(stuck ? [stuck.kind, stuck.why, stuck.since, stuck.what, ...stuck.on] : []),
  sums.tokens,
  sums.costUsd,
  setUp,
  open,
  stage,
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
  const { stuck, sums, setUp } = isPartial ? NO_GLANCE : glance
  const { stage } = glance
  const items = openItemsOf(world, id, person)
  const openRequests = isPartial ? items.filter((item) => item.kind === 'request').length : glance.open
  return keep<OverviewRow>(id, [task, glance, isPartial, openRequests, items.length, world.agents], () => ({
    id,
    sort: sortOf(task, stuck),
    kind: 'task',
    task: id,
    name: task.name,
    intention: task.intention,
    base: task.base,
    load: task.load,
    state: task.state,
    paused: task.paused !== null,
    manager: whoOf(world, task.manager),
    members: whosOf(world, task.group),
    requestedBy: task.requestedBy === null ? null : whoOf(world, task.requestedBy),
    stage: stage
      ? { number: task.stageOrder.indexOf(stage.id) + 1, of: task.stageOrder.length, intention: stage.intention }
      : null,
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

/** Somebody paused it; else its oldest wait, blocked ones first; else what a person owes; else that it failed. */
function stuckOf(world: World, task: TaskRecord): Stuck | null {
  if (task.paused && !isTaskOver(task)) {
    return { kind: 'blocked', why: 'paused', on: [], since: task.paused.at, what: task.paused.reason }
  }
  const agents = new Set<AgentId>([...task.group, task.manager])
  const waits = [...agents].flatMap((agent) => waitsOf(world, agent, task.id)).sort(byAge)
  const wait = waits.find((one) => one.isBlocked) ?? waits[0]
  if (wait) {
    const question = wait.lock.request === null ? '' : (world.requests[task.id]?.[wait.lock.request]?.question ?? '')
    return {
      kind: wait.isBlocked ? 'blocked' : 'waiting',
      why: !wait.isBlocked ? null : wait.state === 'circle' ? 'circle' : 'noAnswer',
      on: whosOf(world, wait.on),
      since: wait.lock.at,
      what: question || whoOf(world, wait.agent).name,
    }
  }
  const requests = world.requests[task.id]
  const owed = requests ? oldestPart(requests) : null
  if (owed) return owedStuck(world, task, owed)
  if (task.state === 'failed')
    return { kind: 'failed', why: null, on: [], since: task.endedAt ?? task.createdAt, what: task.summary ?? '' }
  return null
}

/** A part, and a judgement by a person, wait for them; a limit, or a task without a judge, needs somebody to act. */
function owedStuck(world: World, task: TaskRecord, { kind, asked, openedAt, question }: RequestRecord): Stuck {
  const why = kind === 'limit' ? 'limit' : kind === 'judge' && !asked.includes(task.manager) ? 'noJudge' : null
  const on = whosOf(world, asked)
  return { kind: why === null ? 'waiting' : 'blocked', why, on, since: openedAt, what: question }
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
  const isWaiting = (row: OverviewRow): boolean => row.stuck !== null && row.stuck.kind !== 'failed'
  const counts = {
    tasks: rows.length,
    running: work.filter((row) => row.state === 'running' && !isWaiting(row)).length,
    waiting: rows.filter(isWaiting).length,
    failed: work.filter((row) => row.state === 'failed').length,
  }
  return keep<OverviewTotals>('$', Object.values(counts), () => ({ id: '$', sort: '', kind: 'totals', ...counts }))
}
