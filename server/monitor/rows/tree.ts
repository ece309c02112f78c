/**
 * The rows of a task's tree: stages, the agents in each, their steps; and pages of steps that the tree leaves out.
 *
 * Owns: which rows there are, their order, state chips, counts.
 * Not here: full records (opened by id over HTTP), older history than the world holds.
 */

import type { AgentId, StageId, StepId, TaskId, ThreadId } from '@/lib/mas/ids'
import type { StageRecord, StepRecord, StepRef, TaskRecord, World } from '@/lib/mas/records'
import { isOpen } from '@/lib/mas/reduce/request'
import { selectWorkingState } from '@/lib/mas/selectors/agents'
import { isSameList, memoWith } from '@/lib/wire/memo'
import type { AnyRow, TreeRow, TreeTotals } from '@/lib/wire/rows'
import { threadsOf } from '@/lib/wire/sight'
import type { ParsedRowView } from '@/lib/wire/views'
import { gather } from './gather'
import { orderKeys } from './order'
import { addRollups, NO_ROLLUP, type Rollup, rollupOf, rollupOfStep } from './rollups'
import { createKeeper, type Keep, type RowSource } from './source'
import { byAge, type Wait, waitsOf } from './waits'
import { whoOf, whosOf } from './who'

/** Steps shown per agent and stage, and per page. Of many that have not run, this many of the next are shown. */
export const TREE_STEPS = 100
const NEXT_STEPS = 40
/** The group of steps that belong to no stage. */
export const NO_STAGE = '-'

type TreeView = Extract<ParsedRowView, { kind: 'tree' }>
type Chip = TreeRow['chip']
/** The steps of one agent in one stage, in their order, and what they come to. */
type Lane = {
  steps: readonly StepRecord[]
  keys: ReadonlyMap<StepId, string>
  sum: Rollup
  isQueued: boolean
  startedAt: number | null
  endedAt: number | null
  seq: number
}
/** One agent in one stage. */
type Share = { agent: AgentId; place: number; lane: Lane; waits: Wait[] }
type Group = { stage: StageRecord | null; place: number; shares: Share[] }

/** `person`: a participant in the base task, who sees the steps of their threads only; null: all steps. */
export function treeRows(view: TreeView, person: AgentId | null): RowSource {
  const { task, older } = view
  const lanes = createLaneRows()
  return {
    inputs: (world) => [
      world.tasks[task],
      world.stages[task],
      world.steps[task],
      world.requests[task],
      world.agents,
      person === null ? null : world.messages[task],
      ...agentsIn(world, task).map((agent) => world.work[agent]),
    ],
    rows: (world, keep) => {
      const record = world.tasks[task]
      if (record === undefined) return []
      const groups = groupsOf(world, record, person)
      if (older === null) return wholeTree(world, keep, lanes, groups)
      const group = groups.find((one) => (one.stage?.id ?? null) === older.stage)
      const share = group?.shares.find((one) => one.agent === older.agent)
      if (!group || !share) return []
      const from = Math.max(0, older.before - TREE_STEPS)
      return share.lane.steps.slice(from, older.before).map((step) => stepRow(world, keep, group, share, step))
    },
  }
}

const agentsIn = (world: World, task: TaskId): AgentId[] => {
  const members = world.tasks[task]?.group ?? []
  const others = Object.keys(world.steps[task] ?? {}) as AgentId[]
  return [...new Set([...members, ...others])]
}

function groupsOf(world: World, task: TaskRecord, person: AgentId | null): Group[] {
  const threads = person === null ? null : threadsOf(world, task.id, person)
  const stages = world.stages[task.id] ?? {}
  const groups: Group[] = task.stageOrder.flatMap((id, index) => {
    const stage = (stages as Partial<typeof stages>)[id]
    return stage ? [{ stage, place: index + 1, shares: [] }] : []
  })
  const none: Group = { stage: null, place: 9_999, shares: [] }
  const shares = new Map<StageId | null, Share[]>(groups.map((group) => [group.stage?.id ?? null, group.shares]))
  for (const [place, agent] of agentsIn(world, task.id).entries()) {
    const steps = world.steps[task.id]?.[agent]
    const lanes = steps ? lanesOf(steps, world.work[agent]?.todo ?? NOTHING_TODO, threads) : NO_LANES
    const waits = waitsOf(world, agent, task.id)
    for (const [stage, lane] of lanes) {
      const share = { agent, place, lane, waits: waits.filter(({ lock }) => lock.stage === stage) }
      ;(shares.get(stage) ?? none.shares).push(share)
    }
    for (const group of groups) {
      const isPart = group.stage !== null && Object.hasOwn(group.stage.allocation, agent)
      if (isPart && group.stage && !lanes.has(group.stage.id))
        group.shares.push({ agent, place, lane: NO_LANE, waits: [] })
    }
  }
  return none.shares.length > 0 ? [...groups, none] : groups
}

const NOTHING_TODO: readonly StepRef[] = []
const NO_LANES: ReadonlyMap<StageId | null, Lane> = new Map()
const NO_LANE: Lane = {
  steps: [],
  keys: new Map(),
  sum: NO_ROLLUP,
  isQueued: false,
  startedAt: null,
  endedAt: null,
  seq: 0,
}

/** The lanes of one agent in one task; kept while its steps and its queue are the same. */
const lanesOf = memoWith(
  (
    branch: Record<StepId, StepRecord>,
    todo: readonly StepRef[],
    threads: ReadonlySet<ThreadId> | null,
  ): ReadonlyMap<StageId | null, Lane> => {
    const steps = Object.values(branch).filter((step: StepRecord) => threads === null || isSeen(step, threads))
    const keys = orderKeys(
      steps,
      todo.map((ref) => ref.step),
    )
    const byStage = gather(steps.sort(byKey(keys)), (step: StepRecord) => [step.stage])
    return new Map([...byStage].map(([stage, mine]) => [stage, laneOf(mine, keys)]))
  },
)

const laneOf = (steps: readonly StepRecord[], keys: ReadonlyMap<StepId, string>): Lane => ({
  steps,
  keys,
  sum: rollupOf(steps),
  isQueued: steps.some((step) => step.state === 'init' || step.state === 'pending'),
  startedAt: least(steps.map((step) => step.startedAt)),
  endedAt: greatest(steps.map((step) => step.endedAt)),
  seq: greatest(steps.map(lastSeq)) ?? 0,
})

const isSeen = (step: StepRecord, threads: ReadonlySet<ThreadId>): boolean =>
  step.thread !== null && threads.has(step.thread)

const byKey =
  (keys: ReadonlyMap<StepId, string>) =>
  (a: StepRecord, b: StepRecord): number => {
    const [left, right] = [keys.get(a.id) ?? '', keys.get(b.id) ?? '']
    return left < right ? -1 : left > right ? 1 : a.createdSeq - b.createdSeq
  }

function wholeTree(world: World, keep: Keep, lanes: LaneRows, groups: Group[]): AnyRow[] {
  const rows: AnyRow[] = []
  let [all, waits, failedParts]: [Rollup, number, number] = [NO_ROLLUP, 0, 0]
  for (const group of groups) {
    const sum = group.shares.map(({ lane }) => lane.sum).reduce(addRollups, NO_ROLLUP)
    rows.push(stageRow(world, keep, group, sum))
    for (const share of group.shares) {
      rows.push(agentRow(world, keep, group, share))
      for (const row of lanes.rows(world, group, share)) rows.push(row)
    }
    all = addRollups(all, sum)
    waits += group.shares.reduce((count, share) => count + share.waits.length, 0)
    failedParts += Object.values(group.stage?.parts ?? {}).filter((state) => state === 'failed').length
  }
  lanes.turn()
  const errors = all.failed + failedParts
  rows.push(
    keep<TreeTotals>('$', [all.steps, errors, waits], () => ({
      id: '$',
      sort: '',
      kind: 'totals',
      steps: all.steps,
      errors,
      waits,
    })),
  )
  return rows
}

const stageIdOf = (group: Group): string => group.stage?.id ?? NO_STAGE
const stageSort = (group: Group): string => String(group.place).padStart(4, '0')
const shareId = (group: Group, agent: AgentId): string => `${stageIdOf(group)}/${agent}`
const shareSort = (group: Group, { place }: Share): string => `${stageSort(group)}/${String(place).padStart(4, '0')}`

const plain = {
  who: null,
  executor: null,
  stepType: null,
  waitsFor: [],
  waitingSince: null,
  reason: null,
  startedAt: null,
  endedAt: null,
  tokens: null,
  costUsd: null,
  stage: null,
  agent: null,
  step: null,
  byHand: false,
  attempt: 1,
  seq: 0,
  more: null,
} satisfies Partial<TreeRow>

function stageRow(world: World, keep: Keep, group: Group, sum: Rollup): AnyRow {
  const { stage } = group
  const waits = group.shares.flatMap((share) => share.waits).sort(byAge)
  const first = waits[0]
  const failedParts = Object.values(stage?.parts ?? {}).filter((state) => state === 'failed').length
  const request = stage === null ? null : openPartOf(world, stage)
  const state = stage?.state ?? (sum.running > 0 ? 'running' : 'init')
  const chip: Chip =
    state === 'finished'
      ? 'done'
      : state === 'failed'
        ? 'failed'
        : state === 'init'
          ? 'idle'
          : sum.running === 0 && (first || request)
            ? waits.length > 0 && waits.every((wait) => wait.isBlocked)
              ? 'blocked'
              : 'waiting'
            : 'running'
  const isStuck = chip === 'waiting' || chip === 'blocked'
  const waitsFor = !isStuck ? [] : first ? whosOf(world, first.on) : whosOf(world, request?.asked ?? [])
  const deps = [
    stage,
    group.place,
    chip,
    state,
    sum.steps,
    sum.failed,
    sum.tokens,
    sum.costUsd,
    waits.length,
    first?.lock.at,
  ]
  return keep<TreeRow>(stageIdOf(group), [...deps, request, ...waitsFor], () => ({
    ...plain,
    id: stageIdOf(group),
    sort: stageSort(group),
    kind: 'stage',
    parent: null,
    level: 1,
    name: stage?.intention ?? '',
    state,
    chip,
    waitsFor,
    waitingSince: isStuck ? (first?.lock.at ?? request?.openedAt ?? null) : null,
    reason: stage?.reason ?? null,
    startedAt: stage?.startedAt ?? null,
    endedAt: stage?.endedAt ?? null,
    tokens: sum.tokens,
    costUsd: sum.costUsd,
    counts: { waiting: waits.length, failed: sum.failed + failedParts, steps: sum.steps },
    stage: stage?.id ?? null,
    attempt: stage ? tries(stage, (id: StageId) => world.stages[stage.task]?.[id]) : 1,
  }))
}

/** A person's share of the stage that is still open. */
const openPartOf = (world: World, stage: StageRecord) =>
  Object.values(world.requests[stage.task] ?? {}).find(
    (request) => request.kind === 'part' && request.stage === stage.id && isOpen(request),
  ) ?? null

/** How many tries this one is, following what it repeats. */
function tries<Id, Item extends { retryOf: Id | null }>(item: Item, find: (id: Id) => Item | undefined): number {
  let count = 1
  for (let before = item.retryOf; before !== null && count < 50; count++) before = find(before)?.retryOf ?? null
  return count
}

function agentRow(world: World, keep: Keep, group: Group, share: Share): AnyRow {
  const { agent, lane } = share
  const { sum, isQueued, startedAt, seq } = lane
  const { stage } = group
  const who = whoOf(world, agent)
  const part = stage?.parts[agent]
  const record = world.agents[agent]
  const waits = [...share.waits].sort(byAge)
  const first = waits[0]
  const request = stage && record?.kind === 'human' ? openPartFor(world, stage, agent) : null
  const chip: Chip =
    part === 'finished'
      ? 'done'
      : part === 'failed'
        ? 'failed'
        : first
          ? waits.every((wait) => wait.isBlocked)
            ? 'blocked'
            : 'waiting'
          : request
            ? 'waiting'
            : record?.paused && (isQueued || sum.running > 0)
              ? 'blocked'
              : sum.running > 0 ||
                  (isQueued && !world.tasks[stage?.task ?? lane.steps[0]?.task ?? ('' as TaskId)]?.paused)
                ? 'running'
                : 'idle'
  const isStuck = chip === 'waiting' || chip === 'blocked'
  const waitsFor = !isStuck ? [] : first ? whosOf(world, first.on) : request ? [who] : []
  const state = part ?? selectWorkingState(world, agent)
  const endedAt = part === 'finished' || part === 'failed' ? lane.endedAt : null
  const reason = stage?.partReasons[agent] ?? record?.paused?.reason ?? null
  const id = shareId(group, agent)
  const deps = [
    stage?.id,
    group.place,
    share.place,
    who,
    chip,
    state,
    seq,
    startedAt,
    endedAt,
    reason,
    first?.lock,
    waits.length,
    request,
  ]
  return keep<TreeRow>(id, [...deps, sum.steps, sum.failed, sum.tokens, sum.costUsd, ...waitsFor], () => ({
    ...plain,
    id,
    sort: shareSort(group, share),
    kind: 'agent',
    parent: stageIdOf(group),
    level: 2,
    name: who.name,
    state,
    chip,
    who,
    waitsFor,
    waitingSince: isStuck ? (first?.lock.at ?? request?.openedAt ?? record?.paused?.at ?? null) : null,
    reason,
    startedAt,
    endedAt,
    tokens: sum.tokens,
    costUsd: sum.costUsd,
    counts: { waiting: waits.length, failed: sum.failed, steps: sum.steps },
    stage: stage?.id ?? null,
    agent,
    seq,
  }))
}

const openPartFor = (world: World, stage: StageRecord, person: AgentId) =>
  Object.values(world.requests[stage.task] ?? {}).find(
    (request) =>
      request.kind === 'part' && request.stage === stage.id && request.asked.includes(person) && isOpen(request),
  ) ?? null

const known = (values: (number | null)[]): number[] => values.filter((value): value is number => value !== null)
const least = (values: (number | null)[]): number | null =>
  known(values).reduce<number | null>((low, value) => (low === null || value < low ? value : low), null)
const greatest = (values: (number | null)[]): number | null =>
  known(values).reduce<number | null>((high, value) => (high === null || value > high ? value : high), null)
const lastSeq = (step: StepRecord): number => Math.max(step.createdSeq, step.startedSeq ?? 0, step.endedSeq ?? 0)

type LaneRows = { rows: (world: World, group: Group, share: Share) => readonly AnyRow[]; turn: () => void }

/** The step rows of each lane as a whole: one that did not change costs one look, not one per step. */
function createLaneRows(): LaneRows {
  type Kept = { deps: readonly unknown[]; rows: readonly AnyRow[]; keeper: ReturnType<typeof createKeeper> }
  let [last, next]: [Map<string, Kept>, Map<string, Kept>] = [new Map(), new Map()]
  return {
    rows: (world, group, share) => {
      const id = shareId(group, share.agent)
      const waits = share.waits.flatMap((wait) => [wait.lock, wait.isBlocked, ...whosOf(world, wait.on)])
      const deps = [share.lane, share.place, group.place, whoOf(world, share.agent), ...waits]
      const old = last.get(id)
      if (old && isSameList(old.deps, deps)) {
        next.set(id, old)
        return old.rows
      }
      const keeper = old?.keeper ?? createKeeper()
      const rows = stepRows(world, keeper.keep, group, share)
      keeper.turn()
      next.set(id, { deps, rows, keeper })
      return rows
    },
    turn: () => {
      last = next
      next = new Map()
    },
  }
}

/** The newest that ran and the next ones; what is left out on either side is one row that says how much it is. */
function stepRows(world: World, keep: Keep, group: Group, share: Share): AnyRow[] {
  const { steps } = share.lane
  const firstUnrun = steps.findIndex((step) => step.startedAt === null && step.endedAt === null)
  const isShort = steps.length <= TREE_STEPS
  const to =
    isShort || firstUnrun < 0 ? steps.length : Math.min(steps.length, Math.max(firstUnrun + NEXT_STEPS, TREE_STEPS))
  const from = Math.max(0, to - TREE_STEPS)
  const rows = steps.slice(from, to).map((step) => stepRow(world, keep, group, share, step))
  if (from > 0) rows.unshift(moreRow(keep, group, share, 'earlier', from, from))
  if (to < steps.length) {
    rows.push(moreRow(keep, group, share, 'later', steps.length - to, Math.min(steps.length, to + TREE_STEPS)))
  }
  return rows
}

function moreRow(
  keep: Keep,
  group: Group,
  share: Share,
  which: 'earlier' | 'later',
  count: number,
  before: number,
): AnyRow {
  const { agent } = share
  const { steps } = share.lane
  const id = `${shareId(group, agent)}/${which}`
  const task = group.stage?.task ?? steps[0]?.task ?? ''
  return keep<TreeRow>(id, [count, before, group.place, share.place], () => ({
    ...plain,
    id,
    sort: `${shareSort(group, share)}/${which === 'earlier' ? '0' : '9'}`,
    kind: 'older',
    parent: shareId(group, agent),
    level: 3,
    name: '',
    state: 'init',
    chip: 'idle',
    counts: { waiting: 0, failed: 0, steps: count },
    stage: group.stage?.id ?? null,
    agent,
    more: `tree:${task}/${stageIdOf(group)}/${agent}@${before}`,
  }))
}

function stepRow(world: World, keep: Keep, group: Group, share: Share, step: StepRecord): AnyRow {
  const wait = share.waits.find(({ lock }) => lock.step === step.id)
  const chip = wait ? (wait.isBlocked ? 'blocked' : 'waiting') : chipOfStep(step)
  const waitsFor = wait ? whosOf(world, wait.on) : []
  const who = whoOf(world, step.agent)
  const key = share.lane.keys.get(step.id) ?? ''
  const deps = [step, key, group.place, share.place, chip, wait?.lock.at, who, ...waitsFor]
  return keep<TreeRow>(step.id, deps, () => {
    const sum = rollupOfStep(step)
    return {
      ...plain,
      id: step.id,
      sort: `${shareSort(group, share)}/${key}`,
      kind: 'step',
      parent: shareId(group, share.agent),
      level: 3,
      name: step.intention || step.executor,
      state: step.state,
      chip,
      who,
      executor: step.executor,
      stepType: step.type,
      waitsFor,
      waitingSince: wait?.lock.at ?? null,
      reason: step.reason,
      startedAt: step.startedAt,
      endedAt: step.endedAt,
      tokens: sum.tokens,
      costUsd: sum.costUsd,
      counts: { waiting: 0, failed: 0, steps: 0 },
      stage: step.stage,
      agent: step.agent,
      step: step.id,
      byHand: step.byHand,
      attempt: step.retryOf === null ? 1 : tries(step, (id: StepId) => world.steps[step.task]?.[step.agent]?.[id]),
      seq: lastSeq(step),
    }
  })
}

function chipOfStep(step: StepRecord): Chip {
  switch (step.state) {
    case 'init':
      return 'idle'
    case 'pending':
      return step.held === null ? 'idle' : 'waiting'
    case 'running':
      return 'running'
    case 'finished':
      return 'done'
    case 'failed':
      return 'failed'
  }
}
