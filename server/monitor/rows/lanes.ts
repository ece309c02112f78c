/** Who works at what in a task: its stages, the agents in each, and the steps of each in their order. */
import { gather } from '@/lib/gather'
import type { AgentId, StageId, StepId, TaskId, ThreadId } from '@/lib/mas/ids'
import { stepsIn } from '@/lib/mas/ownSteps'
import type { OwnSteps, StageRecord, StepRecord, StepRef, TaskRecord, World } from '@/lib/mas/records'
import { threadsOf } from '@/lib/mas/selectors/access/visibility'
import { placeInPlan, selectPlan } from '@/lib/mas/selectors/tasks/plan'
import { memoWith } from '@/lib/memo'
import { lastFailures, NO_FAILURES, unsettledFailures } from './failures'
import { orderKeys } from './order'
import { NO_ROLLUP, type Rollup, rollupOf } from './rollups'
import { type Wait, waitsOf } from './waits'

/** The steps of one agent in one stage, in their order, and what they come to. */
type Lane = {
  steps: readonly StepRecord[]
  keys: ReadonlyMap<StepId, string>
  sum: Rollup
  /** Of a call of a tool, the decision that followed it. */
  decisions: ReadonlyMap<StepId, StepRecord>
  /** Steps that failed and were not tried again. */
  failures: ReadonlySet<StepId>
  startedAt: number | null
  endedAt: number | null
  seq: number
}
/** One agent in one stage; failures: those that still matter. */
export type AgentLane = {
  agent: AgentId
  place: number
  lane: Lane
  waits: Wait[]
  failures: ReadonlySet<StepId>
}
/** place: of the line in the tree; number: of the stage in the plan, where one that was replaced shares a place. */
export type StageLanes = { stage: StageRecord | null; place: number; number?: number; shares: AgentLane[] }

/** Members, and others with steps here. */
export const agentsIn = (world: World, task: TaskId): AgentId[] => {
  const members = world.tasks[task]?.group ?? []
  const others = Object.keys(world.steps[task] ?? {}) as AgentId[]
  return [...new Set([...members, ...others])]
}

/** in: person: a participant in the base task, who sees the steps of their threads and their own; null: all steps. */
export function stageLanesOf(world: World, task: TaskRecord, person: AgentId | null): StageLanes[] {
  const threads = person === null ? null : threadsOf(world, task.id, person)
  const plan = selectPlan(world, task.id)
  const groups = plan.map(
    (stage, at): StageLanes => ({ stage, place: at + 1, number: placeInPlan(plan, stage.id).number, shares: [] }),
  )
  const none: StageLanes = { stage: null, place: 9_999, shares: [] }
  const shares = new Map<StageId | null, AgentLane[]>(groups.map((group) => [group.stage?.id ?? null, group.shares]))
  for (const [place, agent] of agentsIn(world, task.id).entries()) {
    const steps = world.steps[task.id]?.[agent]
    // People see what they did themselves, in any thread.
    const seen = agent === person ? null : threads
    const lanes = steps ? lanesOf(steps, world.work[agent]?.todo ?? NOTHING_TODO, seen) : NO_LANES
    const waits = waitsOf(world, agent, task.id)
    for (const [stage, lane] of lanes) {
      const record = groups.find((group) => group.stage?.id === stage)?.stage ?? null
      const failures = unsettledFailures(task, record, agent, lane)
      const share = { agent, place, lane, failures, waits: waits.filter(({ lock }) => lock.stage === stage) }
      ;(shares.get(stage) ?? none.shares).push(share)
    }
    for (const group of groups) {
      const isPart = group.stage !== null && Object.hasOwn(group.stage.allocation, agent)
      if (isPart && group.stage && !lanes.has(group.stage.id))
        group.shares.push({ agent, place, lane: NO_LANE, failures: NO_FAILURES, waits: [] })
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
  decisions: new Map(),
  failures: NO_FAILURES,
  startedAt: null,
  endedAt: null,
  seq: 0,
}

/** The lanes of one agent in one task; kept while its steps and its queue are the same. */
const lanesOf = memoWith(
  (
    own: OwnSteps,
    todo: readonly StepRef[],
    threads: ReadonlySet<ThreadId> | null,
  ): ReadonlyMap<StageId | null, Lane> => {
    const steps = stepsIn(own).filter((step) => threads === null || isSeen(step, threads))
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
  decisions: new Map(
    steps.flatMap((step) => (step.executor === 'tool_decision' && step.cause.step ? [[step.cause.step, step]] : [])),
  ),
  failures: lastFailures(steps),
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

const known = (values: (number | null)[]): number[] => values.filter((value): value is number => value !== null)
const least = (values: (number | null)[]): number | null =>
  known(values).reduce<number | null>((low, value) => (low === null || value < low ? value : low), null)
const greatest = (values: (number | null)[]): number | null =>
  known(values).reduce<number | null>((high, value) => (high === null || value > high ? value : high), null)
/** The last entry that changed a step. */
export const lastSeq = (step: StepRecord): number => Math.max(step.createdSeq, step.startedSeq ?? 0, step.endedSeq ?? 0)
