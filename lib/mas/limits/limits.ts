/** Questions about limits: an agent's share of the work, stopped work, remaining amounts. */

import { type AgentId, asId, type StageId, SYSTEM_TASK, type TaskId, type ThreadId } from '../ids'
import { traitsIn } from '../members/traits'
import type { BudgetRecord, LimitKind, LimitStop, StepRecord, World } from '../records'
import { BUDGET_KINDS, BUDGETS, type BudgetKind, isBudget, isDaily } from './budgets'

/** The work of one agent in one stage, in one thread of the base task, or in a task outside of both. */
export type WorkShare = { task: TaskId; stage: StageId | null; thread: ThreadId | null; agent: AgentId }
/** What tells for whom and by whom a step is done. */
type Doing = Pick<StepRecord, 'task' | 'thread' | 'agent'> & { byHand?: StepRecord['byHand'] }

/** Keys of what a limit can stop in a task: a share, the whole task; in the base task also the paid work of a day. */
export const TASK_KEY = 'task'
export const DAY_KEY = 'day'
export const agentKey = (agent: AgentId): string => `agent ${agent}`
export const personKey = (person: AgentId): string => `person ${person}`
export const workShareKey = ({ agent, thread, stage }: Omit<WorkShare, 'task'>): string =>
  `${agent}/${thread ?? stage ?? '-'}`

/** 2026-11-21, by UTC. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
/** The first moment of the day after, epoch ms. */
export const dayAfter = (day: string): number => Date.parse(`${day}T00:00:00Z`) + 86_400_000

export const selectBudget = (world: World, task: TaskId): BudgetRecord | null => world.budgets[task] ?? null

/** The person who asked for the work of a task, or of a thread of the base task; null: another system, or nobody. */
export function selectPersonOf(
  world: Pick<World, 'tasks' | 'messages' | 'agents'>,
  { task, thread }: Pick<Doing, 'task' | 'thread'>,
): AgentId | null {
  const record = world.tasks[task]
  const began = thread === null ? undefined : world.messages[task]?.[thread]?.sender
  const asker = record?.base ? began : (record?.requestedBy ?? record?.madeFor)
  if (asker === undefined || asker === SYSTEM_TASK) return null
  return traitsIn(world, asker)?.askedCost === 'personCost' ? asker : null
}

/** A limit for one day that a step counts for: its key; `of` whom it is, null: of all. */
export type DayLimit = { limit: BudgetKind; key: string; of: AgentId | null }

/** All limits of a day for which a step counts. What a person runs by hand is their own work. */
export function dayLimitsOf(world: Pick<World, 'tasks' | 'messages' | 'agents'>, doing: Doing): DayLimit[] {
  const person = doing.byHand ? doing.agent : selectPersonOf(world, doing)
  const own = traitsIn(world, doing.agent)?.ownCost ?? null
  return [
    { limit: 'dayCost', key: DAY_KEY, of: null },
    ...(own === null ? [] : [{ limit: own, key: agentKey(doing.agent), of: doing.agent }]),
    ...(person === null ? [] : [{ limit: 'personCost' as const, key: personKey(person), of: person }]),
  ]
}

/** The limit of a day that has this key. */
export function dayLimitOf(key: string): DayLimit | null {
  const [per, id] = key.split(' ')
  const limit = BUDGET_KINDS.find((kind) => isDaily(kind) && BUDGETS[kind].per === per)
  return limit === undefined ? null : { limit, key, of: id === undefined ? null : asId<AgentId>(id) }
}

/** Work stopped at a limit for one day, by key; null: none. */
const dayStops = (world: World): BudgetRecord['stops'] =>
  world.baseTask === null ? null : (world.budgets[world.baseTask]?.stops ?? null)

/** Those that end with their day. */
export const selectDayStops = (world: World): (LimitStop & { key: string; day: string })[] =>
  Object.entries(dayStops(world) ?? {}).flatMap(([key, stop]) =>
    stop.day === undefined ? [] : [{ ...stop, key, day: stop.day }],
  )

/** Where the stop of a step is: the task in whose budget, under which key; null: no limit stops it. */
export function selectLimitStop(world: World, step: WorkShare | StepRecord): { task: TaskId; key: string } | null {
  const ofDay = dayStops(world)
  if (ofDay !== null && world.baseTask !== null) {
    const reached = dayLimitsOf(world, step).find(({ key }) => ofDay[key] !== undefined)
    if (reached) return { task: world.baseTask, key: reached.key }
  }
  const stops = world.budgets[step.task]?.stops ?? null
  if (stops === null) return null
  const key = [TASK_KEY, workShareKey(step)].find((one) => stops[one] !== undefined)
  return key === undefined ? null : { task: step.task, key }
}

export const isStopped = (world: World, step: WorkShare | StepRecord): boolean => selectLimitStop(world, step) !== null

/** This share of the work has reached a limit of its own. */
export const isShareStopped = (world: World, share: WorkShare | StepRecord): boolean =>
  world.budgets[share.task]?.stops?.[workShareKey(share)] !== undefined

/** A limit of the day stops everything that this agent could do. */
export function isAgentStopped(world: World, agent: AgentId): boolean {
  const stops = dayStops(world)
  return stops !== null && (stops[DAY_KEY] !== undefined || stops[agentKey(agent)] !== undefined)
}

/** How many steps or reflections, how much money or tokens, with what was allowed beyond; null: no limit. */
export function selectLimit(world: World, task: TaskId, key: string, limit: LimitKind): number | null {
  const set = configured(world, limit, key)
  return set === null ? null : set + (world.budgets[task]?.allowed[allowedName(world, key, limit)] ?? 0)
}

/** Under which name more is allowed; for a limit of a day it is valid for that day only. */
const allowedName = (world: World, key: string, limit: LimitKind): string => `${periodKey(world, key, limit)}:${limit}`
/** The key, with the day for which an amount is. */
export const periodKey = (world: Pick<World, 'spent'>, key: string, limit: LimitKind): string =>
  isDaily(limit) ? `${key} ${world.spent.day}` : key

/** US dollars that count for a limit of that day. */
export const selectDayCost = ({ spent }: Pick<World, 'spent'>, key: string, day: string): number =>
  spent.day === day ? (spent.costs[key] ?? 0) : 0

/** The agent of a share of the work; of no other key. */
const agentOf = (key: string): AgentId => asId<AgentId>(key.split('/')[0] ?? '')

/** An agent's own limit takes precedence over the team's. */
function configured({ team: { limits }, agents }: World, limit: LimitKind, key: string): number | null {
  if (isBudget(limit)) return limits[BUDGETS[limit].set] ?? null
  switch (limit) {
    case 'steps':
      return agents[agentOf(key)]?.limits?.stepsPerPart ?? limits.stepsPerPart
    case 'reflections':
      return agents[agentOf(key)]?.limits?.reflectionsPerPart ?? limits.reflectionsPerPart
    case 'talk':
      return limits.talkInARow
    default:
      return limit satisfies never
  }
}
