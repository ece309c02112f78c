/** What the clock of every store holds, when that of the machine is wrong. */
import { expect, it } from 'vitest'
import type { Store, StoreOptions } from '@/server/store/interfaces'
import { batchItem, said } from './harness'

const DAY_MS = 24 * 3_600_000

/** in: open: a handle on one store with these options, which is closed before the next is opened */
export function clockContract(name: string, open: (options: StoreOptions) => Promise<Store>): void {
  it(`[R373] after a clock that was ahead the time of ${name} continues by elapsed time, also after a restart`, async () => {
    const is = { wall: 1_800_000_000_000, elapsed: 0 }
    const options: StoreOptions = { now: () => is.wall, elapsed: () => is.elapsed }
    const wrong = await open({ now: () => is.wall + 20 * DAY_MS, elapsed: () => is.elapsed })
    const took = await wrong.journal.take('north')
    await wrong.journal.append(took.epoch, took.seq, [batchItem('ahead')])
    const { at } = await wrong.journal.head()
    expect(at).toBe(is.wall + 20 * DAY_MS)
    await wrong.close()

    is.elapsed = 5
    const store = await open(options)
    expect(store.clock.state()).toEqual({ is: 'ahead', offsetMs: 20 * DAY_MS })
    expect(store.now()).toBe(at)
    const { epoch, seq } = await store.journal.take('north')
    is.elapsed += 8_000
    is.wall += 8_000
    const until = store.clock.fromOutside(is.wall + 30_000)
    const answer = await store.journal.append(epoch, seq, [batchItem('later', [said('x')], { until })])
    expect(answer).toMatchObject({ r: 'OK', at: at + 8_000 })
    expect(store.clock.outside()).toBe(is.wall)
    const late = store.clock.fromOutside(is.wall - 1)
    expect(await store.journal.append(epoch, seq + 1, [batchItem('late', [said('x')], { until: late })])).toEqual({
      r: 'SORT',
      bad: { late: 'EXPIRED' },
    })
    // The clock catches up.
    is.wall += 21 * DAY_MS
    is.elapsed += 21 * DAY_MS - 1_000
    await store.close()
    const right = await open(options)
    expect(right.clock.state()).toMatchObject({ is: 'right' })
    expect(right.now()).toBe(is.wall)
    await right.close()
  })
}
