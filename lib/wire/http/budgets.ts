/** What the budgets are, what is used of them, and what has stopped at them. */
import * as z from 'zod'
import { BUDGET_KEYS, BUDGET_KINDS } from '../../mas/limits/budgets'
import { count, when } from './common'

const budgetShown = z.object({
  kind: z.enum(BUDGET_KINDS),
  key: z.enum(BUDGET_KEYS).describe('in the configuration, and of its record in the setup'),
  limit: z.number().nullable().describe('tokens or US dollars; null: no limit'),
  most: z
    .object({
      name: z.string().nullable(),
      used: z.number(),
      limit: z.number().nullable().describe('with what was allowed beyond'),
    })
    .nullable()
    .describe('the task, agent or person that has used the most, name null: the day; null: nothing is used'),
  stops: z.array(
    z.object({
      name: z.string().nullable().describe('of the task, agent or person; null: all work of the day'),
      request: z.string().nullable().describe('the open request about it; null: none that the caller can answer'),
    }),
  ),
  seen: count.describe('seq of the newest change, 0: none'),
  change: z
    .object({
      at: when,
      by: z.string().nullable().describe('null: the configuration file'),
      before: z.number().nullable(),
    })
    .nullable()
    .describe('the newest change; null: none, or not for the caller'),
})

/** GET /api/budgets. Those who do not see all tasks get their own of `cost_per_person_per_day`. */
export const budgetsAnswer = z.object({
  day: z.string().describe('the day (UTC) for which the use is'),
  mayChange: z.boolean(),
  budgets: z.array(budgetShown),
})
export type BudgetsAnswer = z.infer<typeof budgetsAnswer>
