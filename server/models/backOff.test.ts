/** How long one waits before a call is repeated: longer each time, as asked, spread, and not for ever. */
import { describe, expect, it } from 'vitest'
import { REPEATS, waitBeforeRepeat } from './backOff'
import { ModelError } from './model'

const fault = (asked: number | null = null, again = true): ModelError =>
  new ModelError('MODEL_RATE_LIMITED', 'too many', again, asked)

describe('the wait before a repeat', () => {
  it('grows, and ends after three', () => {
    expect([0, 1, 2, 3].map((repeat) => waitBeforeRepeat(fault(), repeat, () => 0))).toEqual([
      1_000,
      4_000,
      16_000,
      null,
    ])
    expect(REPEATS).toBe(3)
  })

  it('is shortened by up to half, and what was asked for is never undercut', () => {
    expect(waitBeforeRepeat(fault(), 1, () => 0.999)).toBeCloseTo(2_002, 0)
    expect(waitBeforeRepeat(fault(5_000), 2, () => 0)).toBe(5_000)
    expect(waitBeforeRepeat(fault(5_000), 2, () => 0.5)).toBe(5_250)
    expect(waitBeforeRepeat(fault(50_000), 0, () => 1)).toBe(51_000)
  })

  it('a lasting fault, and a wait of more than a minute, allow no repeat', () => {
    expect(waitBeforeRepeat(fault(null, false), 0, () => 0)).toBeNull()
    expect(waitBeforeRepeat(fault(60_001), 0, () => 0)).toBeNull()
  })
})
