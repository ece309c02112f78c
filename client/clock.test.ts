import { describe, expect, it } from 'vitest'
import { createClock } from './clock'

function bench() {
  let time = 1_000_000
  const timers: { tick: () => void; ms: number }[] = []
  const clock = createClock({
    now: () => time,
    setTimer: (tick, ms) => {
      const timer = { tick, ms }
      timers.push(timer)
      return timer
    },
    clearTimer: (timer) => {
      timers.splice(
        timers.findIndex((one) => one === timer),
        1,
      )
    },
  })
  return {
    clock,
    timers,
    pass: (ms: number) => {
      time += ms
    },
    tick: () => {
      for (const one of timers) one.tick()
    },
  }
}

describe('the page clock', () => {
  it('the clock runs only while it has listeners, and is right from the first one on', () => {
    const { clock, timers, pass } = bench()
    expect(timers).toHaveLength(0)
    pass(14_000)
    const stops = [clock.subscribe(() => {}), clock.subscribe(() => {})]
    expect(timers.map((one) => one.ms)).toEqual([1_000])
    expect(clock.shown('seconds')).toBe(1_014_000)
    stops[0]?.()
    expect(timers).toHaveLength(1)
    stops[1]?.()
    expect(timers).toHaveLength(0)
  })

  it('the clock shows one time between two ticks', () => {
    const { clock, pass, tick } = bench()
    clock.subscribe(() => {})
    const before = clock.shown('seconds')
    pass(900)
    expect(clock.shown('seconds')).toBe(before)
    tick()
    expect(clock.shown('seconds')).toBe(before + 900)
  })

  it('in minutes the clock changes every fifteen seconds', () => {
    const { clock, pass, tick } = bench()
    clock.subscribe(() => {})
    const shown = Array.from({ length: 30 }, () => {
      pass(1_000)
      tick()
      return clock.shown('minutes')
    })
    expect([...new Set(shown)]).toEqual([990_000, 1_005_000, 1_020_000])
  })

  it('the clock follows the server when they differ by more than a second, and not for less', () => {
    const { clock } = bench()
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
