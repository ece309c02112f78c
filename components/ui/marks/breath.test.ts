import { expect, test } from 'vitest'
import { createBreath } from './breath'

const mark = () => ({ style: { opacity: '' } })

test('[R216] what runs changes in all marks at one moment, and no timer runs when nothing does', () => {
  const timers: (() => void)[] = []
  const breathe = createBreath({
    setTimer: (run) => timers.push(run),
    clearTimer: () => timers.pop(),
  })
  const [first, second] = [mark(), mark()]
  const leaveFirst = breathe(first)
  expect(timers).toHaveLength(1)
  timers[0]?.()
  const leaveSecond = breathe(second)
  expect(timers).toHaveLength(1)
  const seen = new Set<string>()
  for (let turn = 0; turn < 20; turn++) {
    expect(second.style.opacity).toBe(first.style.opacity)
    seen.add(first.style.opacity)
    timers[0]?.()
  }
  expect(Math.min(...[...seen].map(Number))).toBe(0.7)
  expect(seen.size).toBe(8)
  leaveFirst()
  expect(timers).toHaveLength(1)
  leaveSecond()
  expect(timers).toHaveLength(0)
})
