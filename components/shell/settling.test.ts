/** When what is not part of the first picture comes. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { whenSettled } from './useIsSettled'

describe('what is not part of the first picture', () => {
  let isBeingDrawn = true
  const run = vi.fn()
  const settle = () => whenSettled(run, () => isBeingDrawn)
  beforeEach(() => {
    vi.useFakeTimers()
    isBeingDrawn = true
    run.mockClear()
  })
  afterEach(() => void vi.useRealTimers())

  it('the rest comes after a second where the screen is drawn by then', () => {
    isBeingDrawn = false
    settle()
    vi.advanceTimersByTime(990)
    expect(run).not.toHaveBeenCalled()
    vi.advanceTimersByTime(20)
    expect(run).toHaveBeenCalledTimes(1)
  })

  it('the rest waits for a screen that takes longer, and comes once', () => {
    settle()
    vi.advanceTimersByTime(2_500)
    expect(run).not.toHaveBeenCalled()
    isBeingDrawn = false
    vi.advanceTimersByTime(250)
    vi.advanceTimersByTime(10_000)
    expect(run).toHaveBeenCalledTimes(1)
  })

  it('the rest comes after five seconds although no screen does, and not at all once it is cancelled', () => {
    settle()
    vi.advanceTimersByTime(5_500)
    expect(run).toHaveBeenCalledTimes(1)
    settle()()
    vi.advanceTimersByTime(20_000)
    expect(run).toHaveBeenCalledTimes(1)
  })
})
