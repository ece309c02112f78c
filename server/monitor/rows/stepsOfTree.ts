/** Rows of steps of a tree that its view leaves out, and its lanes in their order. */
import type { StepId } from '@/lib/mas/ids'
import type { StepRecord, TaskRecord, World } from '@/lib/mas/records'
import type { TreeRow } from '@/lib/wire/rows'
import { failuresThatMatter } from './failures'
import { type AgentLane, type StageLanes, stageLanesOf } from './lanes'
import { stepRow } from './treeRow'

/** A lane of the tree. steps: how many it has ever had; matters: whether a failure of such a step still counts */
export type TreeLane = {
  group: StageLanes
  share: AgentLane
  steps: number
  matters: (step: Pick<StepRecord, 'type'>) => boolean
}

/** The lanes of a task as those see them who see all of it, from the top down. */
export const treeLanesOf = (world: World, task: TaskRecord): TreeLane[] =>
  stageLanesOf(world, task, null).flatMap((group) =>
    group.shares.map((share) => ({
      group,
      share,
      steps: share.lane.steps.length + (share.evicted?.steps ?? 0),
      matters: failuresThatMatter(task, group.stage, share.agent),
    })),
  )

/**
 * The rows of these steps, in any order.
 *
 * in      steps: in the world or not; others: what their rows refer to, such as the call that a step wrote; failed: those that
 *         failed and were not tried again
 */
export function rowsOfSteps(
  world: World,
  task: TaskRecord,
  steps: readonly StepRecord[],
  others: readonly StepRecord[],
  failed: ReadonlySet<StepId>,
): TreeRow[] {
  const wanted = new Set(steps.map(({ id }) => id))
  const held = { ...world, steps: { ...world.steps, [task.id]: byAgent([...others, ...steps]) } }
  return treeLanesOf(held, task).flatMap(({ group, share, matters }) => {
    const shown = share.lane.steps.filter(({ id }) => wanted.has(id))
    const failures = new Set(shown.filter((step) => failed.has(step.id) && matters(step)).map(({ id }) => id))
    return shown.map((step) => stepRow(held, group, { ...share, failures }, step))
  })
}

function byAgent(steps: readonly StepRecord[]): World['steps'][TaskRecord['id']] {
  const own: World['steps'][TaskRecord['id']] = {}
  for (const step of steps) own[step.agent] = { ...own[step.agent], [step.id]: step }
  return own
}
