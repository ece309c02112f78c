/** What is counted of one entry. */
import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { type EventShape, type EventType, event } from '../events'
import type { ModelCall } from '../records'
import {
  addCounted,
  COUNTED,
  counterOf,
  HOUR_MS,
  hoursKeptFrom,
  MAXIMA,
  mergedCounters,
  NOTHING_COUNTED,
  SUMS,
} from './counters'

const AT = 1_000 * HOUR_MS + 1

/** The figures other than 0, and the keys. */
const counted = <Type extends EventType>(type: Type, more: Partial<EventShape<Type>> = {}, at = AT) => {
  const row = counterOf({ event: event(type, { ...sampleShapeOf(type), ...more }), at })
  return row === null ? null : Object.fromEntries(Object.entries(row).filter(([, value]) => value !== 0))
}
const { call } = sampleShapeOf('model.called')
const ofCall = (more: Partial<ModelCall>) => counted('model.called', { call: { ...call, ...more } })

describe('[R488] counters of an entry', () => {
  it('count a call with its tokens, its price and its time to the first token', () => {
    const used = {
      promptTokens: 100,
      cachedTokens: 60,
      completionTokens: 20,
      reasoningTokens: 5,
      costUsd: 0.000_123_456_7,
    }
    const row = ofCall({ ...used, outcome: 'taken', estimated: false, firstTokenMs: 250, model: 'large' })
    const { task, agent } = sampleShapeOf('model.called')
    const { costUsd, ...tokens } = used
    expect(row).toEqual({ hour: 1_000, task, agent, model: 'large', calls: 1, ...tokens, nanoUsd: 123_457, first0: 1 })
    expect(Math.abs(costUsd * 1e9 - 123_456.7)).toBeLessThan(1e-3)
  })

  it('put each time to the first token into one of twelve buckets, its bound included', () => {
    const bucket = (firstTokenMs: number | null) =>
      Object.keys(ofCall({ firstTokenMs }) ?? {}).filter((name) => /^first\d/.test(name))
    expect(bucket(0)).toEqual(['first0'])
    expect(bucket(250.5)).toEqual(['first1'])
    expect(bucket(60_000)).toEqual(['first10'])
    expect(bucket(60_001)).toEqual(['first11'])
    expect(bucket(null)).toEqual([])
  })

  it('count apart what failed, was returned, is an estimate, or has no price', () => {
    expect(ofCall({ outcome: 'failed' })).toMatchObject({ calls: 1, failedCalls: 1 })
    expect(ofCall({ outcome: 'repaired' })).toMatchObject({ repairedCalls: 1 })
    expect(ofCall({ estimated: true })).toMatchObject({ estimatedCalls: 1 })
    expect(ofCall({ costUsd: null, promptTokens: 3 })).toMatchObject({ unpricedCalls: 1 })
    expect(ofCall({ costUsd: 0, promptTokens: 3 })).not.toHaveProperty('unpricedCalls')
    expect(ofCall({ costUsd: null, promptTokens: null, completionTokens: null })).not.toHaveProperty('unpricedCalls')
  })

  it('count steps by who ran them, failed ones also apart', () => {
    const { agent } = sampleShapeOf('step.finished')
    expect(counted('step.finished')).toMatchObject({ agent, steps: 1 })
    expect(counted('step.finished')).not.toHaveProperty('failedSteps')
    expect(counted('step.failed')).toMatchObject({ steps: 1, failedSteps: 1 })
    expect(counted('step.interrupted')).toMatchObject({ steps: 1, failedSteps: 1 })
    expect(counted('step.cancelled')).toBeNull()
  })

  it('count a wait at its end, for who was waited for', () => {
    const { by, agent } = sampleShapeOf('lock.released')
    const wait = { since: AT - 5_000 }
    expect(counted('lock.released', wait)).toMatchObject({ waits: 1, waitMs: 5_000, longestWaitMs: 5_000 })
    expect(counted('lock.released', { ...wait, on: agent })).toMatchObject({ agent })
    // A confirmation: the one who decided.
    expect(counted('lock.released', { ...wait, on: null })).toMatchObject({ agent: by })
    expect(counted('lock.released', { ...wait, on: null, outcome: 'expired' })).toMatchObject({ agent: '' })
  })

  it('count tasks that were asked for, and their ends; neither the base task nor conversations', () => {
    const { requestedBy } = sampleShapeOf('task.added')
    expect(counted('task.added', { base: false })).toMatchObject({ agent: requestedBy ?? '', tasksAsked: 1 })
    expect(counted('task.added', { base: true })).toBeNull()
    expect(counted('task.added', { base: false, conversation: true })).toBeNull()
    expect(counted('task.finished', { state: 'finished' })).toMatchObject({ tasksFinished: 1 })
    expect(counted('task.finished', { state: 'failed' })).toMatchObject({ tasksFailed: 1 })
  })
})

it('[R488] rows of one key become one, with every figure added or the greater kept', () => {
  const figures = Object.fromEntries(COUNTED.map((name, n) => [name, n + 1]))
  const row = { ...NOTHING_COUNTED, ...figures, hour: 1, task: 't', agent: 'a', model: 'm' }
  const [merged, other, ...rest] = mergedCounters([row, { ...row, model: '' }, row])
  for (const [n, name] of SUMS.entries()) expect(merged?.[name], name).toBe(2 * (n + 1))
  for (const name of MAXIMA) expect(merged?.[name]).toBe(row[name])
  expect(other).toEqual({ ...row, model: '' })
  expect(rest).toEqual([])
  // The rows that were given stay as they are.
  expect(row.calls).toBe(1)
  const sum = { ...NOTHING_COUNTED, longestWaitMs: 9_000 }
  addCounted(sum, row)
  expect(sum.longestWaitMs).toBe(9_000)
})

it('[R490] hours are kept for the last 60 days, from the beginning of a day', () => {
  const now = Date.UTC(2026, 10, 30, 17, 20)
  expect(new Date(hoursKeptFrom(now) * HOUR_MS).toISOString()).toBe('2026-10-01T00:00:00.000Z')
})
