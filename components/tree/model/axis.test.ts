import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { axisLength, barOf, firstStart } from './axis'

const line = { startedAt: null, endedAt: null, waitingSince: null }

describe('the axis of the tree', () => {
  it('[R469] is as long as the task was, and of a running one has room for what comes', () => {
    expect(axisLength(1_000, 61_000, 900_000)).toBe(60_000)
    expect(axisLength(1_000, 1_000, 900_000)).toBe(1)
    expect(axisLength(1_000, null, 1_000)).toBe(15_000)
    expect(axisLength(1_000, null, 16_000)).toBe(15_000)
    expect(axisLength(1_000, null, 16_001)).toBe(22_500)
  })

  it('[R469] of a running task is never shorter than what was done, and at least two thirds of it are used', () => {
    fc.assert(
      fc.property(fc.integer({ min: 15_000, max: 1e10 }), (ms) => {
        const length = axisLength(0, null, ms)
        expect(length).toBeGreaterThanOrEqual(ms)
        expect(ms * 1.5).toBeGreaterThanOrEqual(length - 1e-3)
      }),
    )
  })
})

describe('the bar of a line', () => {
  it('[R469] reaches from its beginning to its end, or until now', () => {
    expect(barOf(line, 100, 900)).toBeNull()
    expect(barOf({ ...line, startedAt: 300, endedAt: 500 }, 100, 900)).toEqual({
      from: 200,
      length: 200,
      waitFrom: null,
    })
    expect(barOf({ ...line, startedAt: 300 }, 100, 900)).toMatchObject({ from: 200, length: 600 })
  })

  it('[R469] ends where its wait begins, which goes on until now', () => {
    const waits = { startedAt: 300, endedAt: null, waitingSince: 500 }
    expect(barOf(waits, 100, 900)).toEqual({ from: 200, length: 200, waitFrom: 400 })
    expect(barOf({ ...waits, endedAt: 450 }, 100, 900)).toEqual({
      from: 200,
      length: 150,
      waitFrom: 400,
    })
  })

  it('[R469] begins with the axis where the line began before it', () => {
    expect(barOf({ ...line, startedAt: 50, endedAt: 500 }, 100, 900)).toMatchObject({ from: 0, length: 400 })
  })
})

it('the axis of a moment begins with the first line that has begun', () => {
  const at = (startedAt: number | null) => ({ startedAt })
  expect(firstStart([at(null), at(300), at(100), at(200)])).toBe(100)
  expect(firstStart([at(null)])).toBeNull()
  expect(firstStart([])).toBeNull()
})
