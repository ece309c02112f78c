/** What is typed into the field of a budget. */
import { withDecimalPoint } from '@/components/form/schemaValues'
import { type BudgetFault, type BudgetKind, whyNoBudget } from '@/lib/mas/limits/budgets'

export type BudgetTyped = { ok: true; limit: number | null } | { ok: false; why: BudgetFault }

/** Empty: no limit. */
export function budgetIn(kind: BudgetKind, text: string): BudgetTyped {
  const limit = text.trim() === '' ? null : Number(withDecimalPoint(text))
  const why = whyNoBudget(kind, limit)
  return why === null ? { ok: true, limit } : { ok: false, why }
}

export const budgetText = (limit: number | null): string => (limit === null ? '' : String(limit))
