/** Questions about limits: an agent's share of the work, stopped work, remaining amounts. */
import { type AgentId, asId, type StageId, type TaskId, type ThreadId } from '../../ids'
import type { BudgetRecord, LimitKind, StepRecord, World } from '../../records'

/** The work of one agent in one stage, in one thread of the base task, or in a task outside of both. */
export type WorkShare = { task: TaskId; stage: StageId | null; thread: ThreadId | null; agent: AgentId }

/** Keys of what a limit can stop in a task: a share, the whole task; in the base task also all paid work of the day. */
export const TASK_KEY = 'task'
export const DAY_KEY = 'day'
export const workShareKey = ({ agent, thread, stage }: Omit<WorkShare, 'task'>): string =>
  `${agent}/${thread ?? stage ?? '-'}`

/** 2026-11-21, by UTC. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
/** The first moment of the day after, epoch ms. */
export const dayAfter = (day: string): number => Date.parse(`${day}T00:00:00Z`) + 86_400_000

export const selectBudget = (world: World, task: TaskId): BudgetRecord | null => world.budgets[task] ?? null

/** Whether this step is stopped, because its share or its task is at a limit. */
export function isStopped(world: World, step: StepRecord | WorkShare): boolean {
  const stops = world.budgets[step.task]?.stops ?? null
  if (stops === null) return false
  return stops[TASK_KEY] !== undefined || stops[workShareKey(step)] !== undefined
}

/** The daily limit is reached. */
export const isDayStopped = (world: World): boolean =>
  world.baseTask !== null && world.budgets[world.baseTask]?.stops?.[DAY_KEY] !== undefined

/** How many steps or reflections, how much money or tokens, with what was allowed beyond; null: no limit. */
export function selectLimit(world: World, task: TaskId, key: string, limit: LimitKind): number | null {
  const set = configured(world, limit, key)
  if (set === null) return null
  const name = limit === 'dayCost' ? `${dayKey(world.spent.day)}:${limit}` : `${key}:${limit}`
  return set + (world.budgets[task]?.allowed[name] ?? 0)
}

/** An amount allowed for one day is valid for that day only. */
export const dayKey = (day: string): string => `${DAY_KEY} ${day}`

/** The agent of a share of the work; of no other key. */
const agentOf = (key: string): AgentId => asId<AgentId>(key.split('/')[0] ?? '')

/** An agent's own limit takes precedence over the team's. */
function configured({ team: { limits }, agents }: World, limit: LimitKind, key: string): number | null {
  switch (limit) {
    case 'steps':
      return agents[agentOf(key)]?.limits?.stepsPerPart ?? limits.stepsPerPart
    case 'reflections':
      return agents[agentOf(key)]?.limits?.reflectionsPerPart ?? limits.reflectionsPerPart
    case 'talk':
      return limits.talkInARow
    case 'taskTokens':
      return limits.tokensPerTask ?? null
    case 'taskCost':
      return limits.costPerTask ?? null
    case 'dayCost':
      return limits.costPerDay ?? null
    default:
      return limit satisfies never
  }
}
