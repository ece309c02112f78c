/** The rows of a task's tree: stages, the agents in each, their steps; and pages of steps that the tree leaves out. */
import type { AgentId } from '@/lib/mas/ids'
import type { TaskRecord, World } from '@/lib/mas/records'
import type { OpenWait } from '@/lib/mas/selectors/waits/openWaits'
import { keeping } from '@/lib/memo'
import type { AnyRow, TreeTotals } from '@/lib/wire/rows'
import type { ParsedRowView } from '@/lib/wire/views'
import { whoOf, whosOf } from '@/lib/wire/who'
import { failedPartsOf, isTriedAgain } from './failures'
import { type AgentLane, agentsIn, type StageLanes, stageLanesOf } from './lanes'
import { NO_ROLLUP, type Rollup, sumRollups } from './rollups'
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
        // A viewer who sees only some steps does not get their total number.
        const made = person === null ? (world.stepCounts[task] ?? 0) : 0
        return wholeTree(world, record, groups, openWaitsIn(world, task, person), made)
      }
      const group = groups.find((one) => (one.stage?.id ?? null) === older.stage)
      const share = group?.shares.find((one) => one.agent === older.agent)
      if (!group || !share) return []
      const from = Math.max(0, older.before - TREE_STEPS)
      return share.lane.steps.slice(from, older.before).map((step) => stepRow(world, group, share, step))
    },
  }
}

/** made: how many steps the task has ever had */
function wholeTree(
  world: World,
  task: TaskRecord,
  groups: StageLanes[],
  waits: readonly OpenWait[],
  made: number,
): RowPart[] {
  const rows: RowPart[] = []
  let [all, errors]: [Rollup, number] = [NO_ROLLUP, 0]
  for (const group of groups) {
    const sum = sumRollups(group.shares.map(({ lane }) => lane.sum))
    rows.push(stageRow(world, task, group, sum, waits))
    for (const share of group.shares) {
      rows.push(agentRow(world, task, group, share))
      rows.push(laneRows(world, group, share))
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
    archived: Math.max(0, made - all.steps),
  }
  return [...rows, totals]
}

const keptRows = keeping<AgentLane['lane'], readonly AnyRow[]>()

/** The step rows of each lane as a whole: one that did not change costs one look, not one per step. */
function laneRows(world: World, group: StageLanes, share: AgentLane): readonly AnyRow[] {
  const waits = share.waits.flatMap((wait) => [wait.id, wait.since, wait.isBlocked, ...whosOf(world, wait.on)])
  const inputs = [share.failures, share.place, group.place, whoOf(world, share.agent), ...waits]
  return keptRows(share.lane, inputs, () => stepRows(world, group, share))
}

/** The newest that ran and the next ones; what is left out on either side is one row that says how much it is. */
function stepRows(world: World, group: StageLanes, share: AgentLane): AnyRow[] {
  const { steps } = share.lane
  const firstUnrun = steps.findIndex((step) => step.startedAt === null && step.endedAt === null)
  const isShort = steps.length <= TREE_STEPS
  const to =
    isShort || firstUnrun < 0 ? steps.length : Math.min(steps.length, Math.max(firstUnrun + NEXT_STEPS, TREE_STEPS))
  const from = Math.max(0, to - TREE_STEPS)
  const rows = steps.slice(from, to).map((step) => stepRow(world, group, share, step))
  if (from > 0) rows.unshift(moreRow(group, share, 'earlier', from, from))
  if (to < steps.length) {
    rows.push(moreRow(group, share, 'later', steps.length - to, Math.min(steps.length, to + TREE_STEPS)))
  }
  return rows
}
