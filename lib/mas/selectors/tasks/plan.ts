/** The stages of a task in the order of its plan. Pure. */
import type { StageId, TaskId } from '../../ids'
import type { StageRecord, World } from '../../records'

/** number: from 1; 0: the stage is not in the plan. of: how many places the plan has. */
type StagePlace = { number: number; of: number }

export const selectPlan = (world: Pick<World, 'tasks' | 'stages'>, task: TaskId): StageRecord[] =>
  (world.tasks[task]?.stageOrder ?? []).flatMap((id) => world.stages[task]?.[id] ?? [])

/** One runs at a time; null: none does. */
export const selectRunningStage = (world: Pick<World, 'stages'>, task: TaskId): StageRecord | null =>
  Object.values<StageRecord>(world.stages[task] ?? {}).find(({ state }) => state === 'running') ?? null

/** A stage that was replaced shares the place of the one that replaced it (R309). */
export function placeInPlan(plan: readonly StageRecord[], stage: StageId | null): StagePlace {
  const kept = plan.filter(({ replacedBy }) => (replacedBy ?? null) === null)
  const seen = new Set<StageId>()
  let at = plan.find(({ id }) => id === stage)
  while (at && (at.replacedBy ?? null) !== null && !seen.has(at.id)) {
    seen.add(at.id)
    const next = at.replacedBy
    at = plan.find(({ id }) => id === next)
  }
  return { number: at === undefined ? 0 : kept.indexOf(at) + 1, of: kept.length }
}

export const selectStagePlace = (
  world: Pick<World, 'tasks' | 'stages'>,
  task: TaskId,
  stage: StageId | null,
): StagePlace => placeInPlan(selectPlan(world, task), stage)
