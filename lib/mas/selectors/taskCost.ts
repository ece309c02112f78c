/** What a task has cost: its own steps, and the thread in which it was asked for. */
import type { TaskId } from '../ids'
import type { Spent, World } from '../records'

const NOTHING: Spent = { tokens: 0, costUsd: null }

/** A price that is not known adds nothing to one that is. */
export const sumSpent = (a: Spent, b: Spent): Spent => ({
  tokens: a.tokens + b.tokens,
  costUsd: a.costUsd === null ? b.costUsd : b.costUsd === null ? a.costUsd : a.costUsd + b.costUsd,
})

/** What was paid in the thread that led to the task; null: nothing. */
export const selectSetUp = (world: World, task: TaskId): Spent | null => world.budgets[task]?.setUp ?? null

/** All that counts against the limits of the task. */
export function selectTaskCost(world: World, task: TaskId): Spent {
  const { tokens = 0, costUsd = 0 } = world.budgets[task] ?? {}
  return sumSpent({ tokens, costUsd }, selectSetUp(world, task) ?? NOTHING)
}
