/** What each chart of the page shows: its names, bars and their values. Pure. */
import type { Figures, Numbers } from '@/lib/wire'

/** A colour of app/globals.css. */
export type ChartColour = 'accent' | 'done' | 'failed' | 'waiting' | 'idle' | 'running' | 'action'
export type ChartSeries = { key: string; colour: ChartColour; values: number[] }
export type ChartName = 'cost' | 'tokens' | 'tasks' | 'work' | 'firstToken' | 'errors' | 'waits'
export type ChartUnit = 'usd' | 'tokens' | 'count' | 'ms'
/** Bars in a row, the series of one place on top of each other. labels: days, or the bounds of buckets in ms */
export type Chart = { name: ChartName; by: 'day' | 'bucket'; unit: ChartUnit; labels: string[]; series: ChartSeries[] }

/** US dollars of 10⁻⁹ US dollars. */
export const usdOf = (nano: number): number => nano / 1e9

/** in: days: all of the range, in order: those in which nothing happened are absent from the answer */
export function chartsOf(numbers: Numbers, days: readonly string[]): Chart[] {
  const byDay = new Map(numbers.days.map((day) => [day.day, day]))
  type Day = Numbers['days'][number]
  const series = (key: string, colour: ChartColour, of: (day: Day) => number): ChartSeries => ({
    key,
    colour,
    values: days.map((day) => {
      const found = byDay.get(day)
      return found ? of(found) : 0
    }),
  })
  const daily = (name: ChartName, unit: ChartUnit, list: ChartSeries[]): Chart => ({
    name,
    by: 'day',
    unit,
    labels: [...days],
    series: list,
  })
  return [
    daily('cost', 'usd', [series('cost', 'accent', ({ nanoUsd }) => usdOf(nanoUsd))]),
    daily('tokens', 'tokens', [
      series('cached', 'idle', ({ cachedTokens }) => cachedTokens),
      series('prompt', 'accent', ({ promptTokens, cachedTokens }) => promptTokens - cachedTokens),
      series('completion', 'action', ({ completionTokens }) => completionTokens),
    ]),
    daily('tasks', 'count', [
      series('finished', 'done', ({ tasksFinished }) => tasksFinished),
      series('failed', 'failed', ({ tasksFailed }) => tasksFailed),
    ]),
    daily('work', 'count', [
      series('active', 'running', ({ tasksActive }) => tasksActive),
      series('waiting', 'waiting', ({ tasksWaiting }) => tasksWaiting),
    ]),
    {
      name: 'firstToken',
      by: 'bucket',
      unit: 'count',
      labels: [...numbers.firstTokenBoundsMs.map(String), ''],
      series: [{ key: 'calls', colour: 'accent', values: numbers.total.firstToken }],
    },
    daily('errors', 'count', [
      series('steps', 'failed', ({ failedSteps }) => failedSteps),
      series('calls', 'waiting', ({ failedCalls }) => failedCalls),
      series('returned', 'idle', ({ repairedCalls }) => repairedCalls),
    ]),
    daily('waits', 'ms', [series('waited', 'waiting', ({ waitMs }) => waitMs)]),
  ]
}

/** Charts whose places do not add up: a task may be in both. */
export const isSideBySide = (name: ChartName): boolean => name === 'work'

/**
 * The bound below which this share of the calls had their first token.
 *
 * out     ms; null: no call had one, or it is in the last bucket, which has no bound
 */
export function firstTokenWithin(
  { firstToken }: Pick<Figures, 'firstToken'>,
  boundsMs: readonly number[],
  share: number,
): number | null {
  const all = firstToken.reduce((sum, n) => sum + n, 0)
  if (all === 0) return null
  let sum = 0
  for (const [n, calls] of firstToken.entries()) {
    sum += calls
    if (sum >= all * share) return boundsMs[n] ?? null
  }
  return null
}
