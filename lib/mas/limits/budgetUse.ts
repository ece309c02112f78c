/** What is used of each budget, and what has stopped at it. */

import type { AgentId, RequestId, TaskId } from '../ids'
import type { BudgetRecord, TaskRecord, World } from '../records'
import { isOpen, isTaskOver } from '../statuses'
import { selectTaskCost } from '../tasks/taskResult'
import { selectName } from '../team/agents'
import { BUDGET_KINDS, BUDGETS, type BudgetKind, isDaily } from './budgets'
import { dayLimitOf, selectDayCost, selectLimit, TASK_KEY } from './limits'

/** of: the agent or person; name null: all work of the day. limit: with what was allowed beyond, null: none */
export type BudgetUse = { of: AgentId | null; name: string | null; used: number; limit: number | null }
/** request: null: it was answered, and the work is stopped until the day ends */
export type BudgetStop = { of: AgentId | null; name: string | null; request: RequestId | null }

/** Of every task that is not over, or of all, each agent and each person on that day. */
export function selectBudgetUse(world: World, kind: BudgetKind, day: string): BudgetUse[] {
  if (!isDaily(kind)) {
    const isTokens = BUDGETS[kind].counts === 'tokens'
    return Object.values<TaskRecord>(world.tasks).flatMap((task): BudgetUse[] => {
      if (task.base || task.talk || isTaskOver(task)) return []
      const { tokens, costUsd } = selectTaskCost(world, task.id)
      const limit = selectLimit(world, task.id, TASK_KEY, kind)
      return [{ of: null, name: task.name, used: isTokens ? tokens : (costUsd ?? 0), limit }]
    })
  }
  const { baseTask } = world
  if (baseTask === null) return []
  return Object.keys(world.spent.costs).flatMap((key): BudgetUse[] => {
    const found = dayLimitOf(key)
    if (found?.limit !== kind) return []
    const used = selectDayCost(world, key, day)
    return [{ of: found.of, name: nameOf(world, found.of), used, limit: selectLimit(world, baseTask, key, kind) }]
  })
}

const nameOf = (world: World, of: AgentId | null): string | null => (of === null ? null : selectName(world, of))

/** The one that has used the most; null: none has used anything. */
export const mostUsed = (uses: readonly BudgetUse[]): BudgetUse | null =>
  uses.reduce<BudgetUse | null>((most, one) => (one.used > (most?.used ?? 0) ? one : most), null)

/** By budget. */
export function selectBudgetStops(world: World): Record<BudgetKind, BudgetStop[]> {
  const found = Object.entries(world.budgets) as [TaskId, BudgetRecord][]
  const all = found.flatMap(([task, { stops }]) =>
    Object.values(stops ?? {}).map(({ request, limit, of }) => {
      const asked = world.requests[task]?.[request]
      const name = isDaily(limit) ? nameOf(world, of) : (world.tasks[task]?.name ?? null)
      return { limit, of, name, request: asked && isOpen(asked) ? request : null }
    }),
  )
  const stopsOf = (kind: BudgetKind): BudgetStop[] =>
    all.filter(({ limit }) => limit === kind).map(({ of, name, request }) => ({ of, name, request }))
  return Object.fromEntries(BUDGET_KINDS.map((kind) => [kind, stopsOf(kind)])) as Record<BudgetKind, BudgetStop[]>
}
