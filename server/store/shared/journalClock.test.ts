/** The one clock of a server, when that of the machine is wrong. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ClockState } from '../interfaces'
import { JUMP_MS, journalClock, REPORTED_MS } from './journalClock'

const RUNS = process.env.CONVENE_ALL ? 2_000 : 100
const START = 1_800_000_000_000
const DAY_MS = 24 * 3_600_000

/** A machine whose clock and elapsed time the test moves. */
function machine(expected?: number) {
  const is = { wall: START, elapsed: 0 }
  const clock = journalClock({ wall: () => is.wall, elapsed: () => is.elapsed, expected })
  const states: ClockState['is'][] = []
  clock.onState((state) => states.push(state.is))
  return {
    clock,
    states,
    set: (wall: number) => {
      is.wall = wall
    },
    pass: (ms: number) => {
      is.wall += ms
      is.elapsed += ms
    },
  }
}

it('[R373] after an entry of a clock that was ahead the time continues from there by elapsed time, and is reported', () => {
  const { clock, pass, states } = machine()
  expect(clock.state()).toEqual({ is: 'right', offsetMs: 0 })
  clock.heard(START + 20 * DAY_MS)
  expect(clock.now()).toBe(START + 20 * DAY_MS)
  pass(8_000)
  expect(clock.now()).toBe(START + 20 * DAY_MS + 8_000)
  expect(clock.state()).toEqual({ is: 'ahead', offsetMs: 20 * DAY_MS })
  expect(clock.outside()).toBe(START + 8_000)
  expect(states).toEqual(['ahead'])
})

it('[R373] a difference is reported when it is more than 5 s, and no longer when the clock has caught up', () => {
  const { clock, set, states } = machine()
  clock.heard(START + REPORTED_MS)
  expect(clock.state().is).toBe('right')
  clock.heard(START + REPORTED_MS + 1)
  expect(clock.state().is).toBe('ahead')
  set(START + 2)
  expect(clock.state().is).toBe('right')
  expect(states).toEqual(['ahead', 'right'])
})

it('[R373] a clock that is set back moves no time, and one that is corrected forward by up to 30 minutes is followed', () => {
  const { clock, pass, set } = machine()
  set(START - DAY_MS)
  expect(clock.now()).toBe(START)
  pass(1_000)
  expect(clock.now()).toBe(START + 1_000)
  set(START + 1_000 + JUMP_MS)
  expect(clock.now()).toBe(START + 1_000 + JUMP_MS)
  expect(clock.state().is).toBe('right')
})

it('[R374] a clock that jumps forward by more is not believed until it is right again or an operator says so', () => {
  const { clock, pass, set, states } = machine()
  set(START + JUMP_MS + 1)
  expect(clock.now()).toBe(START)
  expect(clock.state()).toEqual({ is: 'jumped', offsetMs: -JUMP_MS - 1 })
  pass(60_000)
  expect(clock.now()).toBe(START + 60_000)
  set(START + 61_000)
  expect(clock.now()).toBe(START + 61_000)
  expect(states).toEqual(['jumped', 'right'])
})

it('[R374] a start after a long stop believes the clock; one whose machine knows better does not', () => {
  expect(machine().clock.now()).toBe(START)
  const known = machine(START - 20 * DAY_MS)
  expect(known.clock.now()).toBe(START - 20 * DAY_MS)
  expect(known.clock.state().is).toBe('jumped')
  // It was set back while the server was stopped.
  const back = machine(START + DAY_MS)
  expect(back.clock.now()).toBe(START + DAY_MS)
  expect(back.clock.state().is).toBe('ahead')
})

it('[R374] a sleep of the machine is elapsed time', () => {
  let [wall, awake, slept] = [START, 0, 0]
  const clock = journalClock({ wall: () => wall, elapsed: (exactly) => awake + (exactly ? slept : 0) })
  clock.now()
  wall += DAY_MS
  slept += DAY_MS - 5_000
  awake += 5_000
  expect(clock.now()).toBe(START + DAY_MS)
  expect(clock.state().is).toBe('right')
})

it('[R375] the time limit of a command is by the clock of its sender, a page or another program', () => {
  const { clock } = machine()
  const ahead = 20 * DAY_MS
  expect(clock.fromOutside(START + 30_000)).toBe(START + 30_000)
  clock.heard(START + ahead)
  expect(clock.fromOutside(START + 30_000)).toBe(START + ahead + 30_000)
  expect(clock.fromOutside(START - 1)).toBe(START + ahead - 1)
  expect(clock.fromOutside(START + ahead + 30_000)).toBe(START + ahead + 30_000)
  expect(clock.fromOutside(START + ahead - 1)).toBe(START + ahead - 1)
})

it('[R373] whatever the clock does, the time never goes back, and goes forward by what has elapsed at least and by a followed correction at most', () => {
  const step = fc.record({
    ms: fc.integer({ min: 0, max: 3_600_000 }),
    jump: fc.oneof(fc.constant(0), fc.integer({ min: -40 * DAY_MS, max: 40 * DAY_MS })),
    heard: fc.option(fc.integer({ min: START - DAY_MS, max: START + 40 * DAY_MS }), { nil: null, freq: 5 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const is = { wall: START, elapsed: 0 }
      const clock = journalClock({ wall: () => is.wall, elapsed: () => is.elapsed })
      let before = clock.now()
      for (const { ms, jump, heard } of steps) {
        is.elapsed += ms
        is.wall += ms + jump
        const now = clock.now()
        expect(now).toBeGreaterThanOrEqual(before + ms)
        expect(now).toBeLessThanOrEqual(before + ms + JUMP_MS)
        if (heard !== null) clock.heard(heard)
        before = clock.now()
        expect(before).toBeGreaterThanOrEqual(Math.max(now, heard ?? 0))
      }
    }),
    { numRuns: RUNS },
  )
})
