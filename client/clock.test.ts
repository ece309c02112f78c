import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClock } from './clock'

describe('the page clock', () => {
  beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }))
  afterEach(() => void vi.useRealTimers())

  it('the clock runs only while it has listeners, and is right from the first one on', () => {
    const clock = createClock()
    expect(vi.getTimerCount()).toBe(0)
    vi.advanceTimersByTime(14_000)
    const stops = [clock.subscribe(() => {}), clock.subscribe(() => {})]
    expect(vi.getTimerCount()).toBe(1)
    expect(clock.shown('seconds')).toBe(1_014_000)
    stops[0]?.()
    expect(vi.getTimerCount()).toBe(1)
    stops[1]?.()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('the clock shows one time between two ticks', () => {
    const clock = createClock()
    clock.subscribe(() => {})
    vi.advanceTimersByTime(900)
    expect(clock.shown('seconds')).toBe(1_000_000)
    expect(clock.now()).toBe(1_000_900)
    vi.advanceTimersByTime(100)
    expect(clock.shown('seconds')).toBe(1_001_000)
  })

  it('in minutes the clock changes every fifteen seconds', () => {
    const clock = createClock()
    clock.subscribe(() => {})
    const shown = Array.from({ length: 30 }, () => {
      vi.advanceTimersByTime(1_000)
      return clock.shown('minutes')
    })
    expect([...new Set(shown)]).toEqual([990_000, 1_005_000, 1_020_000])
  })

  it('the clock follows the server when they differ by more than a second, and not for less', () => {
    const clock = createClock()
    let told = 0
    clock.subscribe(() => {
      told += 1
    })
    clock.syncServerTime(1_000_800)
    expect(told).toBe(0)
    clock.syncServerTime(1_090_000)
    expect(told).toBe(1)
    expect(clock.shown('seconds')).toBe(1_090_000)
    expect(clock.now()).toBe(1_090_000)
  })
})
