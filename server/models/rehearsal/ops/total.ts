import { sumDecimals } from './decimal'
import { type Fact, plain } from './facts'

/** Column → sum of its numbers; columns in the order of their first appearance. */
export function totals(facts: readonly Fact[]): Record<string, string> {
  return sumsBy(facts, (fact) => fact.column)
}

/** Group → column → sum. */
export function totalsBy(
  facts: readonly Fact[],
  groupOf: (fact: Fact) => string,
): { group: string; sums: Record<string, string> }[] {
  const groups = new Map<string, { group: string; facts: Fact[] }>()
  for (const fact of facts) {
    const name = groupOf(fact)
    const group = groups.get(plain(name)) ?? { group: name, facts: [] }
    group.facts.push(fact)
    groups.set(plain(name), group)
  }
  return [...groups.values()].map((group) => ({ group: group.group, sums: totals(group.facts) }))
}

function sumsBy(facts: readonly Fact[], nameOf: (fact: Fact) => string): Record<string, string> {
  const columns = new Map<string, { name: string; values: string[] }>()
  for (const fact of facts) {
    const column = columns.get(plain(nameOf(fact))) ?? { name: nameOf(fact), values: [] }
    column.values.push(fact.value)
    columns.set(plain(nameOf(fact)), column)
  }
  return Object.fromEntries(
    [...columns.values()].flatMap(({ name, values }) => {
      const sum = sumDecimals(values)
      return sum === null ? [] : [[name, sum]]
    }),
  )
}
