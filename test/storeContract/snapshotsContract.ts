/** What every store of snapshots holds: rule S12 of ../README.md. */
import { describe, expect, it } from 'vitest'
import type { Snapshot } from '@/server/store/interfaces'
import { momentKey } from '@/server/store/shared/snapshots'
import { eachWithStore, noise, type OpenStoreUnderTest } from './harness'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** a UTC midnight */
const MIDNIGHT = 20_000 * DAY_MS

const snapshot = (seq: number, more: Partial<Snapshot> = {}): Snapshot => ({
  key: 'world',
  seq,
  reducer: 1,
  at: MIDNIGHT,
  data: noise(50, seq),
  ...more,
})

export function snapshotsContract(name: string, open: OpenStoreUnderTest): void {
  describe(`snapshots of ${name}`, () => {
    const current = eachWithStore(open)

    it('gives the newest of a key and reducer version, or the newest up to a number', async () => {
      const { snapshots } = current().store
      const kept = [
        snapshot(5),
        snapshot(20, { data: new Uint8Array(3_000).fill(7) }),
        snapshot(10),
        snapshot(30, { reducer: 2 }),
      ]
      for (const one of [...kept, snapshot(40, { key: 't1' })]) await snapshots.save(one)
      expect(await snapshots.newest('world', 1)).toEqual(kept[1])
      expect(await snapshots.newest('world', 1, 19)).toEqual(kept[2])
      expect(await snapshots.newest('world', 1, 20)).toEqual(kept[1])
      expect(await snapshots.newest('world', 1, 4)).toBeNull()
      expect(await snapshots.newest('world', 2)).toEqual(kept[3])
      expect(await snapshots.newest('world', 3)).toBeNull()
      expect(await snapshots.newest('t2', 1)).toBeNull()
    })

    it('the same key, number and reducer version is replaced', async () => {
      const { snapshots } = current().store
      await snapshots.save(snapshot(5))
      await snapshots.save(snapshot(5, { data: new Uint8Array([1, 2, 3]), at: MIDNIGHT + 1 }))
      expect(await snapshots.newest('world', 1)).toEqual(
        snapshot(5, { data: new Uint8Array([1, 2, 3]), at: MIDNIGHT + 1 }),
      )
      expect((await snapshots.list()).length).toBe(1)
    })

    it('refuses numbers that are none, and goes on unharmed', async () => {
      const { snapshots } = current().store
      await expect(snapshots.save(snapshot(Number.NaN))).rejects.toThrow(TypeError)
      await expect(snapshots.newest('world', 1, 0.5)).rejects.toThrow(TypeError)
      expect(await snapshots.list()).toEqual([])
    })

    it('removes those of one key up to a number, of every reducer version', async () => {
      const { snapshots } = current().store
      for (const one of [snapshot(5), snapshot(9, { reducer: 2 }), snapshot(10), snapshot(5, { key: 't1' })])
        await snapshots.save(one)
      expect([await snapshots.remove('world', 10), await snapshots.remove('world', 10)]).toEqual([2, 0])
      expect((await snapshots.list()).map(({ key, seq }) => [key, seq])).toEqual([
        ['t1', 5],
        ['world', 10],
      ])
    })

    it('lists without data, by key and newest first', async () => {
      const { snapshots } = current().store
      for (const one of [snapshot(5), snapshot(9), snapshot(7, { key: 't1' }), snapshot(9, { reducer: 2 })])
        await snapshots.save(one)
      expect((await snapshots.list()).map(({ key, seq, reducer }) => [key, seq, reducer])).toEqual([
        ['t1', 7, 1],
        ['world', 9, 2],
        ['world', 9, 1],
        ['world', 5, 1],
      ])
      expect(await snapshots.list('t1')).toEqual([{ key: 't1', seq: 7, reducer: 1, at: MIDNIGHT }])
    })

    it('[S12] keeps the two newest, one an hour for a day and one a day for 30 days', async () => {
      const { snapshots } = current().store
      const now = MIDNIGHT + 12 * HOUR_MS
      const save = (seq: number, at: number) => snapshots.save(snapshot(seq, { at }))
      await save(1, now - 40 * DAY_MS) // too old
      await save(2, MIDNIGHT - 3 * DAY_MS + 1) // earlier of its day
      await save(3, MIDNIGHT - 3 * DAY_MS + 2) // newest of its day
      await save(31, MIDNIGHT - 13 * HOUR_MS) // newest of its hour, more than a day ago
      await save(32, MIDNIGHT - 2 * HOUR_MS) // newest of its day
      await save(40, MIDNIGHT + 9 * HOUR_MS) // earlier of its hour
      await save(50, MIDNIGHT + 9 * HOUR_MS + 1) // newest of its hour
      await save(60, MIDNIGHT + 11 * HOUR_MS) // neither
      await save(70, MIDNIGHT + 11 * HOUR_MS + 1) // second newest
      await save(80, MIDNIGHT + 11 * HOUR_MS + 2) // newest
      expect(await snapshots.prune(now)).toBe(5)
      expect((await snapshots.list()).map((row) => row.seq)).toEqual([80, 70, 50, 32, 3])
      expect(await snapshots.prune(now)).toBe(0)
    })

    it('[S12] a key at rest keeps its two newest for ever, those of an older reducer version do not stay', async () => {
      const { snapshots } = current().store
      for (const seq of [1, 2, 3]) await snapshots.save(snapshot(seq, { key: 'rest' }))
      for (const reducer of [1, 2]) await snapshots.save(snapshot(9, { key: 'live', reducer }))
      await snapshots.prune(MIDNIGHT + 400 * DAY_MS)
      expect((await snapshots.list()).map(({ key, seq, reducer }) => [key, seq, reducer])).toEqual([
        ['live', 9, 2],
        ['rest', 3, 1],
        ['rest', 2, 1],
      ])
    })

    it('[S12] points of a task are all kept, until the reducers change', async () => {
      const { snapshots } = current().store
      const keys = [momentKey('t1', 'left'), momentKey('t1', 'world')]
      for (const seq of [1, 2, 3, 4]) for (const key of keys) await snapshots.save(snapshot(seq, { key }))
      await snapshots.save(snapshot(9))
      const later = MIDNIGHT + 400 * DAY_MS
      expect(await snapshots.prune(later)).toBe(0)
      await snapshots.save(snapshot(5, { key: keys[0] ?? '', reducer: 2 }))
      expect(await snapshots.prune(later)).toBe(8)
      expect((await snapshots.list()).map(({ key, seq }) => [key, seq])).toEqual([
        [keys[0], 5],
        ['world', 9],
      ])
    })
  })
}
