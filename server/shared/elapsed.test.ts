import { expect, it } from 'vitest'
import { elapsedOf } from './elapsed'

it('[R374] elapsed time has what the process counts and what the machine slept, each once', () => {
  let [steady, up] = [500, 100]
  const elapsed = elapsedOf(
    () => steady,
    () => up,
  )
  const pass = (ms: number, asleepMs = 0): void => {
    steady += ms
    up += (ms + asleepMs) / 1_000
  }
  const began = elapsed(true)
  pass(60_000)
  expect(elapsed(false) - began).toBe(60_000)
  pass(3_000, 8 * 3_600_000)
  // Read seldom, unless it must be exact.
  expect(elapsed(false) - began).toBe(63_000)
  expect(elapsed(true) - began).toBe(63_000 + 8 * 3_600_000)
  expect(elapsed(true) - began).toBe(63_000 + 8 * 3_600_000)
  pass(10_000)
  expect(elapsed(false) - began).toBe(73_000 + 8 * 3_600_000)
  // An uptime of whole seconds is no sleep.
  pass(10_000, 999)
  expect(elapsed(true) - began).toBe(83_000 + 8 * 3_600_000)
})
