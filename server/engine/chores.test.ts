/** Chores come round, and one that fails stops no other. */

import { describe, expect, it } from 'vitest'
import { handClock } from '@/test/handClock'
import { startChores } from './chores'

const HOUR = 3_600_000
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('chores', () => {
  it('run a minute after the start and then each hour, each with the time it is, also behind one that failed', async () => {
    const clock = handClock(0)
    const done: string[] = []
    const troubles: string[] = []
    const stop = startChores({
      chores: [
        { name: 'broken', run: async () => Promise.reject(new Error('no')) },
        {
          name: 'sweep',
          run: async (now) => {
            done.push(`sweep ${now}`)
            return 1
          },
        },
      ],
      now: clock.now,
      schedule: clock.schedule,
      onTrouble: (_, chore) => void troubles.push(chore),
    })
    clock.pass(59_999)
    await settle()
    expect(done).toEqual([])
    clock.pass(1)
    await settle()
    clock.pass(HOUR)
    await settle()
    expect(done).toEqual(['sweep 60000', `sweep ${HOUR + 60_000}`])
    expect(troubles).toEqual(['broken', 'broken'])
    await stop()
    clock.pass(9 * HOUR)
    await settle()
    expect(done).toHaveLength(2)
    expect(clock.waiting()).toBe(0)
  })
})
