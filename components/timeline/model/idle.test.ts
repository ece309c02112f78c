import { describe, expect, it } from 'vitest'
import { barOf, laneOf } from '@/test/timelineRows'
import { activityOf, gapsUntil, IDLE_LEAST_MS } from './idle'
import { rowsOf } from './rows'

const MINUTE = 60_000
const AXIS = { from: 0, columnMs: 1_000 }
const activity = (...view: Parameters<typeof rowsOf>[0]) =>
  activityOf(
    rowsOf(view, () => true),
    AXIS,
  )

describe('[R471] idle times', () => {
  it('are those of a minute or more in which no lane has a step', () => {
    const found = activity(
      laneOf('Coder', { bars: 2 }),
      barOf('Coder', 'one', { from: 0, to: 10_000 }),
      barOf('Coder', 'two', { from: 5 * MINUTE, to: 6 * MINUTE }),
      laneOf('Tester', { bars: 3 }),
      barOf('Tester', 'meanwhile', { from: 9_000, to: 2 * MINUTE }),
      barOf('Tester', 'beside', { from: 20_000, to: 21_000 }),
      barOf('Tester', 'soon', { from: 6 * MINUTE + IDLE_LEAST_MS - 1, to: 8 * MINUTE }),
    )
    expect(found).toEqual({ from: 0, gaps: [{ from: 2 * MINUTE, to: 5 * MINUTE }], last: 8 * MINUTE })
  })

  it('a wait for a person is one, and lasts until now; a step that runs ends it', () => {
    const waiting = barOf('Coder', 'ask', {
      chip: 'waiting',
      from: 0,
      to: 1_000,
      waits: [{ from: 1_000, to: null, on: [], onPath: true }],
    })
    const asked = barOf('Ana', 'question', { kind: 'request', from: 500, to: 3 * MINUTE })
    const found = activity(laneOf('Coder', { bars: 1 }), waiting, laneOf('Ana', { bars: 1 }), asked)
    expect(gapsUntil(found, 4 * MINUTE)).toEqual([{ from: 1_000, to: 4 * MINUTE }])
    expect(gapsUntil(found, 30_000)).toEqual([])
    const running = barOf('Tester', 'look', { chip: 'running', from: 2 * MINUTE })
    const now = activity(laneOf('Coder', { bars: 1 }), waiting, laneOf('Tester', { bars: 1, running: 'look' }), running)
    expect(now.last).toBeNull()
    expect(gapsUntil(now, 60 * MINUTE)).toEqual([{ from: 1_000, to: 2 * MINUTE }])
  })

  it('before the bars of the view they are read from the sums of the lane', () => {
    const sums = `9${'0'.repeat(59)}1${'0'.repeat(90)}`
    const lane = laneOf('Coder', { bars: 90, before: 89, busy: sums })
    const found = activity(lane, barOf('Coder', 'last', { from: 300_000, to: 301_000 }))
    expect(found.gaps).toEqual([{ from: 61_000, to: 300_000 }])
  })
})
