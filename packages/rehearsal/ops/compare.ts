import { gather } from '@/lib/gather'
import { parseDecimal, sameDecimal, sumDecimals } from './decimal'
import { type Fact, plain } from './facts'

/** All facts of one key and column. `values` are its different values, in the order in which they appear. */
export type Compared = { key: string; column: string; facts: Fact[]; values: string[] }

export function sameValue(one: string, other: string): boolean {
  const [left, right] = [parseDecimal(one), parseDecimal(other)]
  return left && right ? sameDecimal(left, right) : plain(one) === plain(other)
}

/** Facts grouped by key and column, in the order of their first appearance. */
export function compareFacts(facts: readonly Fact[]): Compared[] {
  const groups = new Map<string, Compared>()
  for (const fact of facts) {
    const id = JSON.stringify([plain(fact.key), plain(fact.column)])
    const group = groups.get(id) ?? { key: fact.key, column: fact.column, facts: [], values: [] }
    group.facts.push(fact)
    if (!group.values.some((value) => sameValue(value, fact.value))) group.values.push(fact.value)
    groups.set(id, group)
  }
  return [...groups.values()]
}

export const contradictions = (facts: readonly Fact[]): Compared[] =>
  compareFacts(facts).filter((group) => group.values.length > 1)

/** Keys that occur in one file only; empty when there is one file. */
export function onlyInOne(facts: readonly Fact[]): { key: string; file: string; line: number | null }[] {
  const files = new Set(facts.map((fact) => fact.file))
  if (files.size < 2) return []
  return [...gather(facts, ({ key }) => [plain(key)]).values()].flatMap(([first, ...rest]) =>
    first && rest.every((fact) => fact.file === first.file)
      ? [{ key: first.key, file: first.file, line: first.line }]
      : [],
  )
}

/** Column → sum of its numbers; columns in the order of their first appearance. */
export const totals = (facts: readonly Fact[]): Record<string, string> =>
  Object.fromEntries(
    [...gather(facts, ({ column }) => [plain(column)]).values()].flatMap((same) => {
      const sum = sumDecimals(same.map(({ value }) => value))
      return sum === null || !same[0] ? [] : [[same[0].column, sum]]
    }),
  )

/** Key → column → sum. */
export const totalsByKey = (facts: readonly Fact[]): { group: string; sums: Record<string, string> }[] =>
  [...gather(facts, ({ key }) => [plain(key)]).values()].map((same) => ({
    group: same[0]?.key ?? '',
    sums: totals(same),
  }))
