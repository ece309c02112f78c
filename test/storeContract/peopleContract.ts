/** What every store of per-person rows holds: rule S10 of ../README.md. */
import { describe, expect, it } from 'vitest'
import { eachWithStore, type OpenStoreUnderTest } from './harness'

export function peopleContract(name: string, open: OpenStoreUnderTest): void {
  describe(`per-person rows of ${name}`, () => {
    const current = eachWithStore(open)

    it('keeps a value and its version, apart for each person', async () => {
      const { store, clock } = current()
      const { people } = store
      expect(await people.get('ana', 'draft:t1')).toBeNull()
      expect(await people.put('ana', 'draft:t1', { text: 'é\u0000' }, null)).toEqual({ ok: true, version: 1 })
      const writtenAt = clock.now
      expect(await people.get('ana', 'draft:t1')).toEqual({
        key: 'draft:t1',
        value: { text: 'é\u0000' },
        version: 1,
        at: writtenAt,
      })
      expect(await people.get('ben', 'draft:t1')).toBeNull()
      clock.now += 5
      expect(await people.put('ana', 'draft:t1', null, 1)).toEqual({ ok: true, version: 2 })
      expect(await people.get('ana', 'draft:t1')).toEqual({
        key: 'draft:t1',
        value: null,
        version: 2,
        at: writtenAt + 5,
      })
    })

    it('[S10] the loser of a conflict is kept as the other draft until it is dropped', async () => {
      const { people } = current().store
      await people.put('ana', 'draft:t1', 'start', null)
      await people.put('ana', 'draft:t1', 'from the phone', 1)
      const lost = await people.put('ana', 'draft:t1', 'from the desk', 1)
      expect(lost).toMatchObject({
        ok: false,
        current: { value: 'from the phone', version: 2, other: 'from the desk' },
      })
      expect(await people.get('ana', 'draft:t1')).toMatchObject({
        value: 'from the phone',
        version: 2,
        other: 'from the desk',
      })
      expect(await people.put('ana', 'draft:t1', 'on the phone still', 2)).toEqual({ ok: true, version: 3 })
      expect(await people.get('ana', 'draft:t1')).toMatchObject({ other: 'from the desk' })
      await people.dropOther('ana', 'draft:t1')
      const row = await people.get('ana', 'draft:t1')
      expect(row).toMatchObject({ value: 'on the phone still', version: 3 })
      expect(row && 'other' in row).toBe(false)
    })

    it('[S10] two pages that both saw nothing do not overwrite each other', async () => {
      const { people } = current().store
      await people.put('ana', 'k', 'one', null)
      expect(await people.put('ana', 'k', 'two', null)).toMatchObject({
        ok: false,
        current: { value: 'one', other: 'two' },
      })
    })

    it('a repeat of the same write after a lost answer is no conflict', async () => {
      const { people } = current().store
      await people.put('ana', 'k', { a: 1 }, null)
      expect(await people.put('ana', 'k', { a: 1 }, null)).toEqual({ ok: true, version: 1 })
      expect(await people.get('ana', 'k')).not.toHaveProperty('other')
    })

    it('[S10] a version seen before a removal is still an old one after it', async () => {
      const { people } = current().store
      await people.put('ana', 'k', 'one', null)
      expect(await people.remove('ana', 'k')).toEqual({ ok: true })
      expect(await people.get('ana', 'k')).toBeNull()
      expect(await people.list('ana', '')).toEqual([])
      const again = await people.put('ana', 'k', 'two', null)
      expect(again).toEqual({ ok: true, version: 3 })
      expect(await people.put('ana', 'k', 'stale', 1)).toMatchObject({
        ok: false,
        current: { value: 'two', other: 'stale' },
      })
    })

    it('[S10] what is typed on after the row was removed elsewhere is kept', async () => {
      const { people } = current().store
      await people.put('ana', 'k', 'one', null)
      await people.remove('ana', 'k')
      expect(await people.put('ana', 'k', 'one and more', 1)).toMatchObject({ ok: true })
      expect(await people.get('ana', 'k')).toMatchObject({ value: 'one and more' })
    })

    it('[S10] a removal of a version that is not the newest is refused', async () => {
      const { people } = current().store
      await people.put('ana', 'k', 'one', null)
      await people.put('ana', 'k', 'two', 1)
      expect(await people.remove('ana', 'k', 1)).toMatchObject({ ok: false, current: { value: 'two', version: 2 } })
      expect(await people.remove('ana', 'k', 2)).toEqual({ ok: true })
      expect(await people.remove('ana', 'k', 2)).toEqual({ ok: true })
      expect(await people.remove('ana', 'never', 1)).toEqual({ ok: true })
    })

    it('lists by prefix as it stands, in the order of keys', async () => {
      const { people } = current().store
      for (const key of ['draft:b', 'draft:a', 'draft%', 'drafts', 'read:a']) await people.put('ana', key, key, null)
      await people.put('ben', 'draft:z', 'z', null)
      expect((await people.list('ana', 'draft:')).map((row) => row.key)).toEqual(['draft:a', 'draft:b'])
      expect((await people.list('ana', 'draft%')).map((row) => row.key)).toEqual(['draft%'])
      expect((await people.list('ana', '')).length).toBe(5)
    })

    it('refuses what it could not give back as it was', async () => {
      const { people } = current().store
      await expect(people.put('ana', 'k', undefined, null)).rejects.toThrow(TypeError)
      await expect(people.put('ana', 'k\u0000', 1, null)).rejects.toThrow(TypeError)
      await expect(people.put('', 'k', 1, null)).rejects.toThrow(TypeError)
      expect(await people.put('ana', 'k', 1, null)).toEqual({ ok: true, version: 1 })
    })

    it('another handle sees the rows', async () => {
      const { store, again } = current()
      await store.people.put('ana', 'k', [1, 2], null)
      expect(await (await again()).people.get('ana', 'k')).toMatchObject({ value: [1, 2], version: 1 })
    })
  })
}
