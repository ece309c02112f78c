/** The limits of tokens and money. A new one is a row here, a key of `limits` in server/config/schema.ts, and its texts. */
import { keysOf } from '../../json'

/**
 * key     in the configuration file, and of its record in the setup
 * set     in the team's limits
 * per     what each amount is for; all but a task have it for one day (UTC)
 * counts  costs are in US dollars
 */
type BudgetRow = {
  key: string
  set: string
  per: 'task' | 'day' | 'agent' | 'person'
  counts: 'tokens' | 'cost'
}

export const BUDGETS = {
  taskTokens: { key: 'tokens_per_task', set: 'tokensPerTask', per: 'task', counts: 'tokens' },
  taskCost: { key: 'cost_per_task', set: 'costPerTask', per: 'task', counts: 'cost' },
  dayCost: { key: 'cost_per_day', set: 'costPerDay', per: 'day', counts: 'cost' },
  agentCost: { key: 'cost_per_agent_per_day', set: 'costPerAgentPerDay', per: 'agent', counts: 'cost' },
  personCost: { key: 'cost_per_person_per_day', set: 'costPerPersonPerDay', per: 'person', counts: 'cost' },
} as const satisfies Record<string, BudgetRow>

export type BudgetKind = keyof typeof BUDGETS
/** Names in the team's limits. */
export type BudgetName = (typeof BUDGETS)[BudgetKind]['set']
export const BUDGET_KINDS: readonly BudgetKind[] = keysOf(BUDGETS)
export const BUDGET_KEYS = BUDGET_KINDS.map((kind) => BUDGETS[kind].key)

export const isBudget = (limit: string): limit is BudgetKind => Object.hasOwn(BUDGETS, limit)
/** null: no such key. */
export const budgetOfKey = (key: string): BudgetKind | null =>
  BUDGET_KINDS.find((kind) => BUDGETS[kind].key === key) ?? null
export const isMoney = (limit: string): boolean => isBudget(limit) && BUDGETS[limit].counts === 'cost'
/** It is for one day (UTC), and what stopped at it continues on the next. */
export const isDaily = (limit: string): boolean => isBudget(limit) && BUDGETS[limit].per !== 'task'

/** Share of a limit at which operators are warned. */
export const WARN_AT = 0.8
/** The highest budget that can be set in the page. */
export const MOST_OF_BUDGET = 999_999_999

export type BudgetFault = 'notAboveZero' | 'tooLarge' | 'notWhole'
/** Why that cannot be a budget; null: it can. limit null: none */
export function whyNoBudget(kind: BudgetKind, limit: number | null): BudgetFault | null {
  if (limit === null) return null
  if (!(limit > 0)) return 'notAboveZero'
  if (limit > MOST_OF_BUDGET) return 'tooLarge'
  return BUDGETS[kind].counts === 'tokens' && !Number.isInteger(limit) ? 'notWhole' : null
}
