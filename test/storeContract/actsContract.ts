/** What every store knows of the decisions of people: who, when, in which session. */
import { describe, expect, it } from 'vitest'
import type { ActsWish, BatchItem } from '@/server/store/interfaces'
import { batchItem, eachWithStore, type OpenStoreUnderTest, said } from './harness'

const ALL: ActsWish = { before: 1e9, look: 100, from: null, to: null, by: null, types: null, task: null }
const of = (id: string, by: string, session: string | null, more: Partial<BatchItem> = {}): BatchItem =>
  batchItem(id, [said(id, { task: `task of ${id}` })], { by, session, ...more })

export function actsContract(name: string, open: OpenStoreUnderTest): void {
  describe(`acts of people in ${name}`, () => {
    const current = eachWithStore(open)

    /** Each batch a minute after the one before. */
    async function append(...batches: BatchItem[][]): Promise<number> {
      const { store, clock } = current()
      const { epoch, seq } = await store.journal.take('north')
      let head = seq
      for (const batch of batches) {
        clock.now += 60_000
        const answer = await store.journal.append(epoch, head, batch)
        if (answer.r !== 'OK') throw new Error(answer.r)
        head = answer.last
      }
      return head
    }
    const acts = async (wish: Partial<ActsWish> = {}) => current().store.archive.acts({ ...ALL, ...wish })
    const causes = async (wish: Partial<ActsWish> = {}) => (await acts(wish)).acts.map(({ cause }) => cause)

    it('[R521] each decision of a person names its session, the newest first; those of the program are not among them', async () => {
      await append(
        [of('c1', 'ana', 's1'), batchItem('c2', [said('c2')], { by: 'system:timer' })],
        [of('c3', 'ben', null), batchItem('c4', [], { by: 'ana', session: 's1' })],
      )
      const { at } = await current().store.journal.head()
      const found = await acts()
      expect(found.next).toBeNull()
      expect(found.acts).toEqual([
        { ...(await current().store.journal.read(3, 1))[0], last: 4, session: null },
        { ...(await current().store.journal.read(1, 1))[0], last: 2, session: 's1' },
      ])
      expect(found.acts.map(({ seq, by, at: when }) => [seq, by, at - when])).toEqual([
        [4, 'ben', 0],
        [2, 'ana', 60_000],
      ])
    })

    it('[R521] all entries of a decision have its session, and only what was written has one', async () => {
      const { store } = current()
      const two = [said('a'), { type: 'step.added', v: 1, task: 't' }]
      const head = await append([batchItem('c1', two, { session: 's1' })])
      const { epoch } = await store.journal.head()
      expect((await store.journal.append(epoch, head, [of('c1', 'ana', 's2'), of('c2', 'ana', 's2')])).r).toBe('SORT')
      expect((await acts()).acts.map(({ seq, last, session }) => [seq, last, session])).toEqual([
        [3, 3, 's1'],
        [2, 3, 's1'],
      ])
    })

    it('[R521] finds them by person, type, task and time, page by page', async () => {
      const minute = 60_000
      const start = current().clock.now
      await append(
        [of('c1', 'ana', 's1'), of('c2', 'ben', 's2')],
        [batchItem('c3', [said('c3'), { type: 'task.paused', v: 1, task: 't' }], { session: 's1' })],
        [of('c4', 'ana', 's1')],
      )
      expect(await causes({ by: ['ben', 'eve'] })).toEqual(['c2'])
      expect(await causes({ types: ['task.paused'] })).toEqual(['c3'])
      expect(await causes({ task: 'task of c1' })).toEqual(['c1'])
      expect(await causes({ from: start + 2 * minute, to: start + 3 * minute })).toEqual(['c3', 'c3'])
      expect(await causes({ by: [] })).toEqual([])
      const first = await acts({ look: 2 })
      expect(first.acts.map(({ cause }) => cause)).toEqual(['c4', 'c3', 'c3'])
      expect(await causes({ look: 2, before: first.next ?? 0 })).toEqual(['c2', 'c1'])
      // What is older than asked for is not looked for.
      expect((await acts({ look: 2, from: start + 3 * minute })).next).toBeNull()
      expect((await acts({ before: 1 })).acts).toEqual([])
      await expect(acts({ look: Number.NaN })).rejects.toThrow(TypeError)
    })
  })
}
