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
  it('the clock runs only while it has listeners, at one second while one needs seconds', () => {
    const { clock, timers } = bench()
    expect(timers).toHaveLength(0)
    const stopMinutes = clock.subscribe('minutes', () => {})
    expect(timers.map((one) => one.ms)).toEqual([15_000])
    const stopSeconds = clock.subscribe('seconds', () => {})
    expect(timers.map((one) => one.ms)).toEqual([1_000])
    stopSeconds()
    expect(timers.map((one) => one.ms)).toEqual([15_000])
    stopMinutes()
    expect(timers).toHaveLength(0)
  })

  it('the clock shows one time between two ticks', () => {
    const { clock, pass, tick } = bench()
    clock.subscribe('seconds', () => {})
    const before = clock.shown()
    pass(900)
    expect(clock.shown()).toBe(before)
    tick()
    expect(clock.shown()).toBe(before + 900)
  })

  it('the clock is right at once when a listener for seconds is added', () => {
    const { clock, pass } = bench()
    let told = 0
    clock.subscribe('minutes', () => {
      told += 1
    })
    const before = clock.shown()
    pass(14_000)
    clock.subscribe('seconds', () => {})
    expect(clock.shown()).toBe(before + 14_000)
    expect(told).toBe(1)
  })

  it('the clock follows the server when they differ by more than a second, and not for less', () => {
    const { clock } = bench()
    let told = 0
    clock.subscribe('minutes', () => {
      told += 1
    })
    clock.syncServerTime(1_000_800)
    expect(told).toBe(0)
    clock.syncServerTime(1_090_000)
    expect(told).toBe(1)
    expect(clock.shown()).toBe(1_090_000)
    expect(clock.now()).toBe(1_090_000)
  })
})
