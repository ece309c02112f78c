/** A busy base task stays small for as long as it goes on. */
import { describe, expect, it } from 'vitest'
import { type BaseDays, simulateBaseDays } from '@/test/baseDays'
import { BASE_TASK } from '@/test/worldHistories'
import { WINDOW } from '../archive/archivable'

const TEST_MS = 60_000

describe('[R24] a busy base task', () => {
  it(
    'holds no more after three hours than after half of them: what rests for an hour leaves',
    () => {
      const looked: BaseDays[] = []
      const half = (soFar: BaseDays): void => void looked.push(soFar)
      const whole = simulateBaseDays({ days: 0.125, threadsPerDay: 1_000, agents: 20, half })
      const [halfWay] = looked
      if (!halfWay) throw new Error('nobody looked')
      expect(whole.threads).toBe(125)
      expect(whole.messages).toBe(6 * whole.threads)
      expect(whole.entries).toBeGreaterThan(1.9 * halfWay.entries)
      // An hour has 42 threads; those of the hour before leave one by one.
      expect(whole.most.messages).toBeLessThan(6 * 60)
      expect(whole.most.steps).toBeLessThan(10 * 60)
      expect(whole.most.messages).toBeLessThanOrEqual(1.1 * halfWay.most.messages)
      expect(whole.most.steps).toBeLessThanOrEqual(1.1 * halfWay.most.steps)
      expect(Object.keys(whole.world.messages[BASE_TASK] ?? {}).length).toBeLessThan(WINDOW)
    },
    TEST_MS,
  )

  it('when nobody comes any more, empties itself and sets no timer', () => {
    const after = simulateBaseDays({ days: 0.02, threadsPerDay: 1_000, agents: 0 })
    expect(after.threads).toBe(20)
    expect(after.timersFired).toBeGreaterThan(0)
  })
})
