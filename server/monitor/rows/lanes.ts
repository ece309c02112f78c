/** Who works at what in a task: its stages, the agents in each, and the steps of each in their order. */
import { gather } from '@/lib/gather'
import { threadsOf } from '@/lib/mas/access/visibility'
import type { AgentId, StageId, StepId, TaskId, ThreadId } from '@/lib/mas/ids'
import type { EvictedLane, OwnSteps, StageRecord, StepRecord, StepRef, TaskRecord, World } from '@/lib/mas/records'
import { placeInPlan, selectPlan } from '@/lib/mas/stages/plan'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { NO_ROLLUP, type Rollup, rollupOf, rollupOfEvicted, sumRollups } from '@/lib/mas/steps/rollups'
import type { OpenWait } from '@/lib/mas/waits/openWaits'
import { memo, memoWith } from '@/lib/memo'
import { lastFailures, NO_FAILURES, unsettledFailures } from './failures'
import { padded } from './source'
import { openWaitsIn } from './waits'

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
  /** Its steps that have left the world; null: none, or the viewer does not see them. */
  evicted: EvictedLane | null
  /** Those that lock it. */
  waits: OpenWait[]
  failures: ReadonlySet<StepId>
}
/** place: of the line in the tree; number: of the stage in the plan, where one that was replaced shares a place. */
export type StageLanes = { stage: StageRecord | null; place: number; number?: number; shares: AgentLane[] }

/** All of its steps, also those that have left the world. */
export const sumOfShare = ({ lane, evicted }: Pick<AgentLane, 'lane' | 'evicted'>): Rollup =>
  evicted === null ? lane.sum : sumRollups([lane.sum, rollupOfEvicted(evicted)])

/** Members, and others with steps here. */
export const agentsIn = (world: World, task: TaskId): AgentId[] => {
  const members = world.tasks[task]?.group ?? []
  const others = Object.keys(world.steps[task] ?? {}) as AgentId[]
  const gone = Object.values(world.evicted[task] ?? {}).map(({ agent }) => agent)
  return [...new Set([...members, ...others, ...gone])]
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
    const waits = openWaitsIn(world, task.id, null).filter(({ who, lock }) => who === agent && lock !== null)
    const gone = person === null ? evictedOf(world, task.id, agent) : []
    const parts = groups.flatMap(({ stage }) => (stage && Object.hasOwn(stage.allocation, agent) ? [stage.id] : []))
    for (const stage of new Set([...lanes.keys(), ...gone.map((one) => one.stage), ...parts])) {
      const record = groups.find((group) => group.stage?.id === stage)?.stage ?? null
      const lane = lanes.get(stage) ?? NO_LANE
      const share: AgentLane = {
        agent,
        place,
        lane,
        evicted: gone.find((one) => one.stage === stage) ?? null,
        failures: unsettledFailures(task, record, agent, lane),
        waits: waits.filter((wait) => wait.stage === stage),
      }
      ;(shares.get(stage) ?? none.shares).push(share)
    }
  }
  return none.shares.length > 0 ? [...groups, none] : groups
}

const evictedOf = (world: World, task: TaskId, agent: AgentId): EvictedLane[] =>
  Object.values<EvictedLane>(world.evicted[task] ?? {}).filter((one) => one.agent === agent)

export const NOTHING_TODO: readonly StepRef[] = []
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
    const { steps, keys } = inOrder(own, todo, threads)
    const byStage = gather(steps, (step: StepRecord) => [step.stage])
    return new Map([...byStage].map(([stage, mine]) => [stage, laneOf(mine, keys)]))
  },
)

/** The steps of one agent in one task, in the order of their keys. in: threads: those that are seen; null: all */
export const inOrder = memoWith((own: OwnSteps, todo: readonly StepRef[], threads: ReadonlySet<ThreadId> | null) => {
  const steps = stepsIn(own).filter((step) => threads === null || isSeen(step, threads))
  const keys = orderKeys(
    steps,
    todo.map((ref) => ref.step),
  )
  return { steps: steps.sort(byKey(keys)) as readonly StepRecord[], keys }
})

function laneOf(steps: readonly StepRecord[], keys: ReadonlyMap<StepId, string>): Lane {
  const decisions = new Map<StepId, StepRecord>()
  let [startedAt, endedAt, seq]: [number | null, number | null, number] = [null, null, 0]
  for (const step of steps) {
    if (step.executor === 'tool_decision' && step.cause.step) decisions.set(step.cause.step, step)
    if (step.startedAt !== null) startedAt = Math.min(startedAt ?? step.startedAt, step.startedAt)
    if (step.endedAt !== null) endedAt = Math.max(endedAt ?? step.endedAt, step.endedAt)
    seq = Math.max(seq, lastSeq(step))
  }
  return { steps, keys, sum: rollupOf(steps), decisions, failures: lastFailures(steps), startedAt, endedAt, seq }
}

const isSeen = (step: StepRecord, threads: ReadonlySet<ThreadId>): boolean =>
  step.thread !== null && threads.has(step.thread)

const byKey =
  (keys: ReadonlyMap<StepId, string>) =>
  (a: StepRecord, b: StepRecord): number => {
    const [left, right] = [keys.get(a.id) ?? '', keys.get(b.id) ?? '']
    return left < right ? -1 : left > right ? 1 : a.createdSeq - b.createdSeq
  }

/** The last entry that changed a step. */
export const lastSeq = (step: StepRecord): number => Math.max(step.createdSeq, step.startedSeq ?? 0, step.endedSeq ?? 0)

/** The key of what began with that entry. */
export const ranAt = (seq: number): string => `1${padded(seq)}`
const ranKey = memo((step: StepRecord): string => ranAt(step.startedSeq ?? step.endedSeq ?? step.createdSeq))

/**
 * The order of an agent's steps, as text keys that stay as they are while steps come and go.
 *
 * An inserted step stands before one that was planned earlier; its key is made from the planned one's, so that nothing
 * behind it gets another key when it is inserted, runs or ends.
 *
 * in      all steps of one agent in one task, and the ids of its queue in order
 * out     id → key, compared as text
 */
function orderKeys(steps: readonly StepRecord[], queue: readonly StepId[]): ReadonlyMap<StepId, string> {
  const keys = new Map<StepId, string>()
  const queued = new Map<StepId, StepRecord | null>(queue.map((id) => [id, null]))
  for (const step of steps) {
    if (queued.has(step.id)) queued.set(step.id, step)
    else keys.set(step.id, ranKey(step))
  }
  const waiting = [...queued.values()].filter((step) => step !== null)
  for (const [id, key] of queueKeys(waiting, '2')) keys.set(id, key)
  return keys
}

/** Each step stands before its anchor, the earliest planned step behind it; keys before an anchor lie inside its key. */
function queueKeys(queue: readonly StepRecord[], prefix: string): [StepId, string][] {
  const anchors: number[] = new Array(queue.length).fill(0)
  let anchor = Number.POSITIVE_INFINITY
  for (let index = queue.length - 1; index >= 0; index--) {
    anchor = Math.min(anchor, queue[index]?.createdSeq ?? anchor)
    anchors[index] = anchor
  }
  const keys: [StepId, string][] = []
  let before: StepRecord[] = []
  queue.forEach((step, index) => {
    const own = `${prefix}${padded(anchors[index] ?? step.createdSeq)}`
    if (step.createdSeq !== anchors[index]) {
      before.push(step)
      return
    }
    for (const key of queueKeys(before, `${own}a`)) keys.push(key)
    before = []
    keys.push([step.id, `${own}b`])
  })
  return keys
}
