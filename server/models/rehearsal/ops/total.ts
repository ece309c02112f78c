import { sumDecimals } from './decimal'
import { type Fact, plain } from './facts'

/** Column → sum of its numbers; columns in the order of their first appearance. */
export function totals(facts: readonly Fact[]): Record<string, string> {
  const columns = new Map<string, { name: string; values: string[] }>()
  for (const { column: name, value } of facts) {
    const column = columns.get(plain(name)) ?? { name, values: [] }
    column.values.push(value)
    columns.set(plain(name), column)
  }
  return Object.fromEntries(
    [...columns.values()].flatMap(({ name, values }) => {
      const sum = sumDecimals(values)
      return sum === null ? [] : [[name, sum]]
    }),
  )
}

/** Key → column → sum. */
export function totalsByKey(facts: readonly Fact[]): { group: string; sums: Record<string, string> }[] {
  const groups = new Map<string, { group: string; facts: Fact[] }>()
  for (const fact of facts) {
    const group = groups.get(plain(fact.key)) ?? { group: fact.key, facts: [] }
    group.facts.push(fact)
    groups.set(plain(fact.key), group)
  }
  return [...groups.values()].map((group) => ({ group: group.group, sums: totals(group.facts) }))
}
