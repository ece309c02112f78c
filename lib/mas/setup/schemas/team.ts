/** What the file and the page say of the team as a whole. */
import * as z from 'zod'

/** model: of agents without one. */
export const teamSetup = z.strictObject({ model: z.string().min(1).max(64) })
export type TeamSetup = z.infer<typeof teamSetup>

/** A limit of tokens or US dollars; its key in the file is the key of its record. Which numbers can be one: lib/mas/limits/budgets.ts. */
export const budgetSetup = z.strictObject({ limit: z.number().nullable().describe('null: no limit') })
export type BudgetSetup = z.infer<typeof budgetSetup>
