/** Counter rows in SQL: the columns of the table, and the sums that a reader asks for; the same in every store. */
import {
  COUNTED,
  type CounterFigures,
  type CounterKey,
  type CounterRow,
  MAXIMA,
  NOTHING_COUNTED,
} from '@/lib/mas/limits/counters'
import type { CounterFilter, CounterOrder, CounterSpan, CounterSum, CounterWish } from '../interfaces'
import { requireWhole } from './names'

/** Another number recounts every journal: change it together with `counterOf` of lib/mas/limits/counters.ts. */
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

/** How many groups a query has, whatever its limit. */
export const GROUPS = 'count(*) over () as groups'

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

function figuresIn(row: Record<string, unknown>): CounterFigures {
  const figures = { ...NOTHING_COUNTED }
  for (const name of COUNTED) figures[name] = Number(row[columnOf(name)])
  return figures
}

/** A row that SQL answered, keys as text or number. */
export function sumIn(by: readonly (keyof CounterKey)[], row: Record<string, unknown>): CounterSum {
  const sum: CounterSum = { ...figuresIn(row), groups: Number(row.groups) }
  for (const key of by) {
    if (key === 'hour') sum.hour = Number(row[key])
    else sum[key] = String(row[key])
  }
  return sum
}

/** out: SQL after the groups; empty: all, in no order */
export function orderOf(first: CounterOrder | undefined): string {
  if (first === undefined) return ''
  requireWhole({ most: first.most })
  const order =
    first.by === 'wait'
      ? 'max(longest_wait_ms) desc'
      : 'sum(nano_usd) desc, sum(prompt_tokens) + sum(completion_tokens) desc, sum(steps) desc'
  return `order by ${order} limit ${first.most}`
}

/** What a span has beside its figures. */
export const SPAN_TASKS = `
  count(distinct case when steps > 0 then task end) as active_tasks,
  count(distinct case when waits > 0 then task end) as waiting_tasks`

export const spanIn = (row: Record<string, unknown>): CounterSpan => ({
  ...figuresIn(row),
  place: Number(row.place),
  activeTasks: Number(row.active_tasks),
  waitingTasks: Number(row.waiting_tasks),
})

type Conditions = { terms: string[]; values: (string | number)[] }

/**
 * The conditions of a filter.
 *
 * in      values: of the places before them; inList: whether a column is among the texts of one JSON value
 * out     values: for $1, $2 …
 */
export function filterOf(
  { tasks, task, agent, model }: CounterFilter,
  before: readonly (string | number)[],
  inList: (column: string, place: string) => string,
): Conditions {
  const values = [...before]
  const terms: string[] = []
  if (tasks !== null) {
    values.push(JSON.stringify(tasks))
    terms.push(inList('task', `$${values.length}`))
  }
  for (const [column, value] of Object.entries({ task, agent, model })) {
    if (value === undefined) continue
    values.push(value)
    terms.push(`${column} = $${values.length}`)
  }
  return { terms, values }
}

export function whereOf(
  { from, to, ...filter }: CounterWish,
  first: CounterOrder | undefined,
  inList: (column: string, place: string) => string,
): { where: string; values: (string | number)[] } {
  requireWhole({ from, to })
  const { terms, values } = filterOf(filter, [from, to], inList)
  if (first?.by === 'wait') terms.push('waits > 0')
  return { where: ['hour >= $1', 'hour < $2', ...terms].join(' and '), values }
}

/** faults: TypeError */
export function checkCounted(after: number, upTo: number, head: number): void {
  requireWhole({ after, upTo })
  if (upTo <= after) throw new TypeError(`counting goes on from ${after}, not to ${upTo}`)
  if (upTo > head) throw new TypeError(`counters may not be ahead of the journal: ${upTo}, which ends at ${head}`)
}
