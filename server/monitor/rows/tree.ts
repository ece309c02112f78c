/** The rows of a task's tree: stages, the agents in each, their steps; and pages of steps that the tree leaves out. */
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { TaskRecord, World } from '@/lib/mas/records'
import { NO_ROLLUP, type Rollup, sumRollups } from '@/lib/mas/steps/rollups'
import type { OpenWait } from '@/lib/mas/waits/openWaits'
import { keeping } from '@/lib/memo'
import type { AnyRow, TreeTotals } from '@/lib/wire/rows'
import type { ParsedRowView } from '@/lib/wire/views'
import { whoOf, whosOf } from '@/lib/wire/who'
import { failedPartsOf, isTriedAgain } from './failures'
import { type AgentLane, agentsIn, type StageLanes, stageLanesOf, sumOfShare } from './lanes'
import { type RowPart, type RowSource, TOTALS } from './source'
import { agentRow, moreRow, stageRow, stepRow } from './treeRow'
import { openWaitsIn, progressMark } from './waits'

/** Steps shown per agent and stage, and per page. Of many that have not run, this many of the next are shown. */
export const TREE_STEPS = 100
const NEXT_STEPS = 40

type TreeView = Extract<ParsedRowView, { kind: 'tree' }>

/** `person`: a participant in the base task, who sees the steps of their threads and their own; null: all steps. */
export function treeRows(view: TreeView, person: AgentId | null): RowSource {
  const { task, older } = view
  return {
    inputs: (world) => [
      world.tasks[task],
      world.stages[task],
      world.steps[task],
      world.evicted[task],
      world.requests[task],
      world.agents,
      person === null ? null : world.messages[task],
      ...agentsIn(world, task).map((agent) => world.work[agent]),
    ],
    mark: (world) => (world.tasks[task] ? progressMark(world, world.tasks[task]) : ''),
    rows: (world) => {
      const record = world.tasks[task]
      if (record === undefined) return []
      const groups = stageLanesOf(world, record, person)
      if (older === null) {
        return wholeTree(world, record, groups, openWaitsIn(world, task, person))
      }
      const group = groups.find((one) => (one.stage?.id ?? null) === older.stage)
      const share = group?.shares.find((one) => one.agent === older.agent)
      if (!group || !share) return []
      const from = Math.max(0, older.before - TREE_STEPS)
      return share.lane.steps.slice(from, older.before).map((step) => stepRow(world, group, share, step))
    },
  }
}

function wholeTree(world: World, task: TaskRecord, groups: StageLanes[], waits: readonly OpenWait[]): RowPart[] {
  const rows: RowPart[] = []
  let [all, errors, archived]: [Rollup, number, number] = [NO_ROLLUP, 0, 0]
  for (const group of groups) {
    const sum = sumRollups(group.shares.map(sumOfShare))
    rows.push(stageRow(world, task, group, sum, waits))
    for (const share of group.shares) {
      rows.push(agentRow(world, task, group, share))
      rows.push(laneRows(world, task.id, group, share))
      archived += share.evicted?.steps ?? 0
    }
    all = sumRollups([all, sum])
    if (group.stage === null || !isTriedAgain(world, group.stage))
      errors += failedPartsOf(group.stage) + group.shares.reduce((count, { failures }) => count + failures.size, 0)
  }
  const totals: TreeTotals = {
    ...TOTALS,
    steps: all.steps,
    errors,
    waits: waits.length,
    archived,
  }
  return [...rows, totals]
}

const keptRows = keeping<AgentLane['lane'], readonly AnyRow[]>()

/** The step rows of each lane as a whole: one that did not change costs one look, not one per step. */
function laneRows(world: World, task: TaskId, group: StageLanes, share: AgentLane): readonly AnyRow[] {
  const waits = share.waits.flatMap((wait) => [wait.id, wait.since, wait.isBlocked, ...whosOf(world, wait.on)])
  const inputs = [share.evicted, share.failures, share.place, group.place, whoOf(world, share.agent), ...waits]
  const make = (): AnyRow[] => stepRows(world, task, group, share)
  // An empty lane is the same object in all stages.
  return share.lane.steps.length === 0 ? make() : keptRows(share.lane, inputs, make)
}

/** The newest that ran and the next ones; what is left out on either side is one row that says how much it is. */
function stepRows(world: World, task: TaskId, group: StageLanes, share: AgentLane): AnyRow[] {
  const { steps } = share.lane
  const firstUnrun = steps.findIndex((step) => step.startedAt === null && step.endedAt === null)
  const isShort = steps.length <= TREE_STEPS
  const to =
    isShort || firstUnrun < 0 ? steps.length : Math.min(steps.length, Math.max(firstUnrun + NEXT_STEPS, TREE_STEPS))
  const from = Math.max(0, to - TREE_STEPS)
  const rows = steps.slice(from, to).map((step) => stepRow(world, group, share, step))
  const earlier = from + (share.evicted?.steps ?? 0)
  if (earlier > 0) rows.unshift(moreRow(group, share, 'earlier', earlier))
  if (to < steps.length) {
    const before = Math.min(steps.length, to + TREE_STEPS)
    rows.push(moreRow(group, share, 'later', steps.length - to, { task, before }))
  }
  return rows
}
