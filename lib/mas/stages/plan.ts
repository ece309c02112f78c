/** The stages of a task in the order of its plan. Pure. */
import type { StageId, TaskId } from '../ids'
import type { StageRecord, World } from '../records'

/** number: from 1; 0: the stage is not in the plan. of: how many places the plan has. */
type StagePlace = { number: number; of: number }

export const selectPlan = (world: Pick<World, 'tasks' | 'stages'>, task: TaskId): StageRecord[] =>
  (world.tasks[task]?.stageOrder ?? []).flatMap((id) => world.stages[task]?.[id] ?? [])

/** One runs at a time; null: none does. */
export const selectRunningStage = (world: Pick<World, 'stages'>, task: TaskId): StageRecord | null =>
  Object.values<StageRecord>(world.stages[task] ?? {}).find(({ state }) => state === 'running') ?? null

/** The stage that has the place of this one in the end, which may have been replaced several times; itself: none replaced it. */
export function replacementOf(plan: readonly StageRecord[], stage: StageRecord): StageRecord {
  const seen = new Set<StageId>()
  let last = stage
  let next: StageRecord | undefined = stage
  while (next !== undefined && !seen.has(last.id)) {
    seen.add(last.id)
    const { replacedBy }: StageRecord = last
    next = plan.find(({ id }) => id === replacedBy)
    last = next ?? last
  }
  return last
}

/** A stage that was replaced shares the place of the one that replaced it (R309). */
export function placeInPlan(plan: readonly StageRecord[], stage: StageId | null): StagePlace {
  const kept = plan.filter(({ replacedBy }) => (replacedBy ?? null) === null)
  const own = plan.find(({ id }) => id === stage)
  return { number: own === undefined ? 0 : kept.indexOf(replacementOf(plan, own)) + 1, of: kept.length }
}

export const selectStagePlace = (
  world: Pick<World, 'tasks' | 'stages'>,
  task: TaskId,
  stage: StageId | null,
): StagePlace => placeInPlan(selectPlan(world, task), stage)
