/** A busy base task stays small for as long as it goes on. */
import { describe, expect, it } from 'vitest'
import { type BaseDays, simulateBaseDays } from '@/test/baseDays'
import { BASE_TASK } from '@/test/worldHistories'
import { WINDOW } from '../archive/archivable'

const TEST_MS = 60_000

describe('[R24] a busy base task', () => {
  it(
    'holds no more after six hours than after three: what rests for an hour leaves',
    () => {
      const looked: BaseDays[] = []
      const half = (soFar: BaseDays): void => void looked.push(soFar)
      const six = simulateBaseDays({ days: 0.25, threadsPerDay: 1_000, agents: 20, half })
      const [three] = looked
      if (!three) throw new Error('nobody looked')
      expect(six.threads).toBe(250)
      expect(six.messages).toBe(6 * six.threads)
      expect(six.entries).toBeGreaterThan(1.9 * three.entries)
      // An hour has 42 threads; those of the hour before leave one by one.
      expect(six.most.messages).toBeLessThan(6 * 60)
      expect(six.most.steps).toBeLessThan(10 * 60)
      expect(six.most.messages).toBeLessThanOrEqual(1.1 * three.most.messages)
      expect(six.most.steps).toBeLessThanOrEqual(1.1 * three.most.steps)
      expect(Object.keys(six.world.messages[BASE_TASK] ?? {}).length).toBeLessThan(WINDOW)
    },
    TEST_MS,
  )

  it('when nobody comes any more, empties itself and sets no timer', () => {
    const after = simulateBaseDays({ days: 0.02, threadsPerDay: 1_000, agents: 0 })
    expect(after.threads).toBe(20)
    expect(after.timersFired).toBeGreaterThan(0)
  })
})
