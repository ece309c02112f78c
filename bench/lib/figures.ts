/** What measurements have in common: medians, and a table of goals that says whether each holds. */

/** ratio: what was measured; `most` is the goal. `figures`: the numbers behind it, as text. */
export type Goal = { what: string; figures: string; ratio: number; most: number }

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** part: 0.99 for the ninety-ninth percentile. */
export function percentile(numbers: readonly number[], part: number): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ms`

export const holds = ({ ratio, most }: Goal): boolean => ratio <= most

/** A plain table, columns as wide as their longest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, n) => Math.max(cell.length, widest[n] ?? 0)).concat(widest.slice(row.length)),
    [],
  )
  return rows
    .map((row) =>
      row
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function goalTable(goals: readonly Goal[]): string {
  const rows = goals.map((goal) => [
    goal.what,
    goal.figures,
    `${goal.ratio.toFixed(2)} ×`,
    `at most ${goal.most} ×`,
    holds(goal) ? 'holds' : 'MISSED',
  ])
  return table([['goal', 'figures', 'measured', 'wanted', ''], ...rows])
}
