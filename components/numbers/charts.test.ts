/** What the charts show of an answer. */
import { expect, it } from 'vitest'
import type { Figures, Numbers } from '@/lib/wire'
import { chartsOf, firstTokenWithin } from './charts'
import { daysOf, numbersPath, readRange } from './range'

const FIGURES: Figures = {
  calls: 0,
  failedCalls: 0,
  repairedCalls: 0,
  estimatedCalls: 0,
  unpricedCalls: 0,
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
  nanoUsd: 0,
  firstToken: [0, 0, 0],
  steps: 0,
  failedSteps: 0,
  waits: 0,
  waitMs: 0,
  longestWaitMs: 0,
  tasksAsked: 0,
  tasksFinished: 0,
  tasksFailed: 0,
}
const numbers = (days: Numbers['days'], total: Partial<Figures> = {}): Numbers => ({
  counted: { upTo: 1, head: 1 },
  firstTokenBoundsMs: [100, 200],
  hoursFrom: '2026-10-01',
  total: { ...FIGURES, ...total },
  days,
  members: [],
  models: [],
  tasks: [],
  otherTasks: 0,
  waits: [],
  waitingNow: [],
})
const day = (at: string, more: Partial<Numbers['days'][number]>): Numbers['days'][number] => ({
  day: at,
  ...FIGURES,
  tasksActive: 0,
  tasksWaiting: 0,
  ...more,
})

it('[R492] each day of the range has its place, also one in which nothing happened; cached input counts once', () => {
  const days = daysOf('2026-03-02', '7')
  expect(days).toEqual([
    '2026-02-24',
    '2026-02-25',
    '2026-02-26',
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ])
  const used = { nanoUsd: 1_500_000_000, promptTokens: 10, cachedTokens: 4, completionTokens: 3 }
  const charts = chartsOf(numbers([day('2026-02-28', used), day('2026-03-02', { ...used, nanoUsd: 0 })]), days)
  const series = (name: string) =>
    Object.fromEntries((charts.find((one) => one.name === name)?.series ?? []).map(({ key, values }) => [key, values]))
  expect(series('cost')).toEqual({ cost: [0, 0, 0, 0, 1.5, 0, 0] })
  expect(series('tokens')).toEqual({
    cached: [0, 0, 0, 0, 4, 0, 4],
    prompt: [0, 0, 0, 0, 6, 0, 6],
    completion: [0, 0, 0, 0, 3, 0, 3],
  })
  for (const { labels, series: list } of charts)
    for (const { key, values } of list) expect(values.length, key).toBeLessThanOrEqual(labels.length)
})

it('[R492] a share of calls had their first token within a bound; none is said where there is none', () => {
  const bounds = [100, 200]
  expect(firstTokenWithin({ firstToken: [5, 4, 1] }, bounds, 0.5)).toBe(100)
  expect(firstTokenWithin({ firstToken: [5, 4, 1] }, bounds, 0.9)).toBe(200)
  expect(firstTokenWithin({ firstToken: [5, 4, 1] }, bounds, 0.95)).toBeNull()
  expect(firstTokenWithin({ firstToken: [0, 0, 0] }, bounds, 0.5)).toBeNull()
})

it('[R492] the range and the filters stand in the address that is asked', () => {
  expect(readRange('90')).toBe('90')
  expect(readRange('12; drop')).toBe('30')
  expect(numbersPath(['2026-11-01', '2026-11-30'], 'Europe/Berlin', { task: null, agent: 'a b', model: null })).toBe(
    '/api/numbers?from=2026-11-01&to=2026-11-30&zone=Europe%2FBerlin&agent=a+b',
  )
})
