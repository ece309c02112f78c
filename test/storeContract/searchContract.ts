/** What every store of search holds: rule S15 of ../README.md. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { queryOf } from '@/lib/format/searchWords'
import type { SearchLine, Store } from '@/server/store/interfaces'
import { batchItem, eachWithStore, type OpenStoreUnderTest, said } from './harness'

const line = (seq: number, text: string, more: Partial<SearchLine> = {}): SearchLine => ({
  seq,
  kind: 'message',
  task: 't-1',
  text,
  ...more,
})

/** A journal with entries enough for these numbers. */
async function fill({ journal }: Store, count: number): Promise<void> {
  const { epoch, seq } = await journal.take('n')
  const events = Array.from({ length: count }, (_, n) => said(`entry ${n}`))
  await journal.append(epoch, seq, [batchItem('fill', events)])
}

export function searchContract(name: string, open: OpenStoreUnderTest): void {
  describe(`search of ${name}`, () => {
    const current = eachWithStore(open)
    const find = (
      wish: string,
      more: { kind?: string; tasks?: string[] | null; before?: number; limit?: number } = {},
    ) =>
      current().store.search.find({
        parts: queryOf(wish),
        kind: 'message',
        tasks: null,
        before: Number.MAX_SAFE_INTEGER,
        limit: 10,
        ...more,
      })

    it('finds words and their beginnings in any case, all of them, the newest first', async () => {
      const { store } = current()
      await fill(store, 20)
      const lines = [line(2, 'Which PRICE holds in east.csv?'), line(5, 'The prices of bolts'), line(9, 'Nothing here')]
      expect(await store.search.add(0, 10, lines, [], [])).toBe(true)
      expect(await find('price')).toEqual([5, 2])
      expect(await find('bolt prices')).toEqual([5])
      expect(await find('east.csv')).toEqual([2])
      expect(await find('csv.east')).toEqual([])
      expect(await find('olts')).toEqual([])
      expect(await find('i')).toEqual([])
      expect(await find('')).toEqual([])
      expect(await find('" or *')).toEqual([])
    })

    it('finds Chinese, any characters that follow each other, beside Latin words', async () => {
      const { store } = current()
      await fill(store, 20)
      await store.search.add(
        0,
        10,
        [line(1, '请比较两份价格表v2，写一份报告'), line(2, '价 格'), line(3, '格价')],
        [],
        [],
      )
      expect(await find('价格')).toEqual([1])
      expect(await find('格表')).toEqual([1])
      expect(await find('价格表v2')).toEqual([1])
      expect(await find('表')).toEqual([1])
      expect(await find('报告 比较')).toEqual([1])
      expect(await find('价')).toEqual([3, 2, 1])
      expect(await find('价表')).toEqual([])
    })

    it('finds what two say to each other, no matter which of them says it, the newest first', async () => {
      const { store } = current()
      await fill(store, 20)
      const between = (a: string, b: string, before = 100, limit = 10) => store.search.between([a, b], before, limit)
      const lines = [
        line(2, 'Good morning', { pairs: [['ana', 'ben']] }),
        line(4, '', { pairs: [['ben', 'ana']] }),
        line(6, 'To both', {
          pairs: [
            ['lee', 'ana'],
            ['lee', 'ben'],
          ],
        }),
        line(8, 'To nobody'),
      ]
      await store.search.add(0, 10, lines, [], [])
      expect(await between('ana', 'ben')).toEqual([4, 2])
      expect(await between('ben', 'ana', 4)).toEqual([2])
      expect(await between('ben', 'ana', 100, 1)).toEqual([4])
      expect(await between('ben', 'lee')).toEqual([6])
      expect(await between('ben', 'nobody')).toEqual([])
    })

    it('is narrowed by kind, task and place', async () => {
      const { store } = current()
      await fill(store, 20)
      const lines = [
        line(1, 'bolt'),
        line(2, 'bolt', { task: 'T-2' }),
        line(3, 'bolt', { kind: 'step' }),
        line(4, 'bolt'),
        line(5, 'message task'),
      ]
      await store.search.add(0, 10, lines, [], [])
      expect(await find('bolt', { kind: 'step' })).toEqual([3])
      expect(await find('bolt', { tasks: ['T-2'] })).toEqual([2])
      expect(await find('bolt', { tasks: [] })).toEqual([])
      expect(await find('bolt', { before: 4 })).toEqual([2, 1])
      expect(await find('bolt', { limit: 1 })).toEqual([4])
      expect(await find('kindmessage')).toEqual([])
    })

    it('goes on from its cursor once, and is never ahead of the journal', async () => {
      const { store, again } = current()
      const { search } = store
      await fill(store, 20)
      expect(await search.cursor()).toBe(0)
      expect(await search.add(0, 4, [line(3, 'one')], [], [])).toBe(true)
      // Two fill it: the second is late.
      expect(await search.add(0, 6, [line(3, 'one'), line(5, 'two')], [], [])).toBe(false)
      expect(await find('two')).toEqual([])
      expect(await search.cursor()).toBe(4)
      expect(await (await again()).search.cursor()).toBe(4)
      const head = (await store.journal.head()).seq
      await expect(search.add(4, head + 1, [], [], [])).rejects.toThrow(TypeError)
      await expect(search.add(4, 4, [], [], [])).rejects.toThrow(TypeError)
      await expect(search.add(4, 8, [line(9, 'late')], [], [])).rejects.toThrow(TypeError)
      expect(await search.add(4, head, [line(5, 'two')], [], [])).toBe(true)
      expect(await find('two')).toEqual([5])
    })

    it('takes any wish for words, and no harm from it', async () => {
      const { store } = current()
      await fill(store, 20)
      await store.search.add(0, 5, [line(1, 'near AND bolt OR "nut" NOT')], [], [])
      expect(await find('NOT bolt')).toEqual([1])
      expect(await find('near')).toEqual([1])
      const wishes = [
        '^bolt',
        'words:bolt',
        'bolt*',
        '"',
        "'",
        '(',
        '-bolt',
        '{a b}:c',
        'NEAR(a b)',
        '\u0000',
        '\ud800',
        '‍',
        'ﬁ',
        '% _',
      ]
      for (const wish of wishes) expect(Array.isArray(await find(wish)), wish).toBe(true)
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 12 }), async (wish) => {
          await find(wish)
        }),
        { numRuns: 60, seed: 3 },
      )
      expect(await find('bolt')).toEqual([1])
    })

    it('knows who is or was in which task, and can be made anew', async () => {
      const { store } = current()
      const { search } = store
      await fill(store, 20)
      const member = { task: 't-1', person: 'ana' }
      await search.add(0, 5, [line(1, 'bolt')], [member, member, { task: 't-2', person: 'ana' }], [])
      expect(await search.tasksOf('ana')).toEqual(['t-1', 't-2'])
      expect(await search.tasksOf('ben')).toEqual([])
      await search.clear()
      expect([await search.cursor(), await find('bolt'), await search.tasksOf('ana')]).toEqual([0, [], []])
      await search.add(0, 5, [line(1, 'bolt')], [], [])
      expect(await find('bolt')).toEqual([1])
    })
  })
}
