/** Chores come round, and one that fails stops no other. */
import { describe, expect, it } from 'vitest'
import { handClock } from '@/test/handClock'
import { startMaintenance } from './maintenance'

const HOUR = 3_600_000
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('jobs', () => {
  it('run a minute after the start and then each hour, each with the time it is, also behind one that failed', async () => {
    const clock = handClock(0)
    const done: string[] = []
    const troubles: string[] = []
    const stop = startMaintenance({
      jobs: [
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
      onTrouble: (_, job) => void troubles.push(job),
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

  it('that are stopped in the middle of a round end with the one under way, and no round follows', async () => {
    const clock = handClock(0)
    const done: string[] = []
    let finish = (): void => {}
    const stop = startMaintenance({
      jobs: [
        {
          name: 'long',
          run: async () => {
            await new Promise<void>((resolve) => {
              finish = resolve
            })
            done.push('long')
            return 0
          },
        },
        {
          name: 'next',
          run: async () => {
            done.push('next')
            return 0
          },
        },
      ],
      now: clock.now,
      schedule: clock.schedule,
      onTrouble: () => {},
    })
    clock.pass(60_000)
    await settle()
    const stopped = stop().then(() => done.push('stopped'))
    await settle()
    expect(done).toEqual([])
    finish()
    await stopped
    expect(done).toEqual(['long', 'stopped'])
    expect(clock.waiting()).toBe(0)
  })
})
