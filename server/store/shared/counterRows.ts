/** Counter rows in SQL: the columns of the table, and the sums that a reader asks for; the same in every store. */
import {
  COUNTED,
  type CounterFigures,
  type CounterKey,
  type CounterRow,
  MAXIMA,
  NOTHING_COUNTED,
} from '@/lib/mas/counters'
import type { CounterSum, CounterWish } from '../interfaces'
import { requireWhole } from './names'

/** Another number recounts every journal: change it together with `counterOf` of lib/mas/counters.ts. */
export const COUNTERS_VERSION = 1

export const KEYS = ['hour', 'task', 'agent', 'model'] as const satisfies (keyof CounterKey)[]

const isMaximum = (name: keyof CounterFigures): boolean => MAXIMA.some((one) => one === name)

/** failedCalls: failed_calls */
const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
export const COLUMNS: readonly string[] = [...KEYS, ...COUNTED.map(columnOf)]

/** For both dialects. in: the table of the row that is there */
export const UPSERT = `on conflict (${KEYS.join(', ')}) do update set ${COUNTED.map((name) => {
  const column = columnOf(name)
  const [old, more] = [`counter.${column}`, `excluded.${column}`]
  return isMaximum(name)
    ? `${column} = case when ${more} > ${old} then ${more} else ${old} end`
    : `${column} = ${old} + ${more}`
}).join(', ')}`

/** All figures of several rows. in: cast: the type of a whole number */
export const SUMMED = (cast: string): string =>
  COUNTED.map((name) => {
    const column = columnOf(name)
    return `cast(${isMaximum(name) ? 'max' : 'sum'}(${column}) as ${cast}) as ${column}`
  }).join(', ')

/** The values of a row, in the order of COLUMNS. */
export const counterValues = (row: CounterRow): (string | number)[] => [
  ...KEYS.map((key) => row[key]),
  ...COUNTED.map((name) => row[name]),
]

/** By the names of COLUMNS. */
export const columnsOfRow = (row: CounterRow): Record<string, string | number> =>
  Object.fromEntries(counterValues(row).map((value, n) => [COLUMNS[n], value]))

/** A row that SQL answered, keys as text or number. */
export function sumIn(by: readonly (keyof CounterKey)[], row: Record<string, unknown>): CounterSum {
  const sum: CounterSum = { ...NOTHING_COUNTED }
  for (const name of COUNTED) sum[name] = Number(row[columnOf(name)])
  for (const key of by) {
    if (key === 'hour') sum.hour = Number(row[key])
    else sum[key] = String(row[key])
  }
  return sum
}

/** The conditions of a wish, with values for $1, $2 … in: inList: whether a column is among the texts of one JSON value */
export function whereOf(
  wish: CounterWish,
  inList: (column: string, place: string) => string,
): { where: string; values: (string | number)[] } {
  const { from, to, tasks, task, agent, model } = wish
  requireWhole({ from, to })
  const values: (string | number)[] = [from, to]
  const terms = ['hour >= $1', 'hour < $2']
  if (tasks !== null) {
    values.push(JSON.stringify(tasks))
    terms.push(inList('task', `$${values.length}`))
  }
  for (const [column, value] of Object.entries({ task, agent, model })) {
    if (value === undefined) continue
    values.push(value)
    terms.push(`${column} = $${values.length}`)
  }
  return { where: terms.join(' and '), values }
}

/** faults: TypeError */
export function checkCounted(after: number, upTo: number, head: number): void {
  requireWhole({ after, upTo })
  if (upTo <= after) throw new TypeError(`counting goes on from ${after}, not to ${upTo}`)
  if (upTo > head) throw new TypeError(`counters may not be ahead of the journal: ${upTo}, which ends at ${head}`)
}
