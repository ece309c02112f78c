import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pulse } from './pulse'

const mark = () => ({ style: { opacity: '' } })

beforeEach(() => vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('[R216] what runs changes in all marks at one moment, and no timer runs when nothing does', () => {
  const [first, second] = [mark(), mark()]
  const leaveFirst = pulse(first)
  vi.advanceTimersToNextTimer()
  const leaveSecond = pulse(second)
  expect(vi.getTimerCount()).toBe(1)
  const seen = new Set<string>()
  for (let turn = 0; turn < 20; turn++) {
    expect(second.style.opacity).toBe(first.style.opacity)
    seen.add(first.style.opacity)
    vi.advanceTimersToNextTimer()
  }
  expect(Math.min(...[...seen].map(Number))).toBe(0.7)
  expect(seen.size).toBe(8)
  leaveFirst()
  expect(vi.getTimerCount()).toBe(1)
  leaveSecond()
  expect(vi.getTimerCount()).toBe(0)
})
