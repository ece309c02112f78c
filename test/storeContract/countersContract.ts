/** Counters: written with the append, once the cursor is at the head of the journal. */
import { describe, expect, it } from 'vitest'
import { COUNTED, type CounterRow, NOTHING_COUNTED } from '@/lib/mas/limits/counters'
import type { Store } from '@/server/store/interfaces'
import { batchItem, eachWithStore, type OpenStoreUnderTest } from './harness'

const row = (more: Partial<CounterRow>): CounterRow => ({
  ...NOTHING_COUNTED,
  hour: 100,
  task: 't-1',
  agent: 'reader',
  model: 'large',
  ...more,
})
const ALL = { from: 0, to: 1_000_000, tasks: null }

export function countersContract(name: string, open: OpenStoreUnderTest): void {
  describe(`[S22] counters of ${name}`, () => {
    const current = eachWithStore(open)

    /** Takes the journal and counts up to its head. out: append one decision that counts these rows */
    async function counting(store: Store): Promise<(id: string, counters?: CounterRow[]) => Promise<number>> {
      const { epoch, seq } = await store.journal.take('north')
      await store.counters.add(0, seq, [])
      let head = seq
      return async (id, counters) => {
        const answer = await store.journal.append(epoch, head, [batchItem(id, undefined, counters ? { counters } : {})])
        if (answer.r !== 'OK') throw new Error(answer.r)
        head = answer.last
        return head
      }
    }

    it('sums and maxima are written with the append, each figure by its name', async () => {
      const { store, again } = current()
      const append = await counting(store)
      const figures = Object.fromEntries(COUNTED.map((one, n) => [one, n + 1]))
      await append('a', [row(figures)])
      await append('b', [row({ ...figures, longestWaitMs: 7 }), row({ calls: 1 })])
      await append('c')
      const doubled = Object.fromEntries(COUNTED.map((one, n) => [one, 2 * (n + 1)]))
      const expected = { ...doubled, calls: 3, longestWaitMs: COUNTED.length, groups: 1 }
      expect(await store.counters.sum([], ALL)).toEqual([expected])
      expect(await (await again()).counters.sum([], ALL)).toEqual([expected])
      expect(await store.counters.cursor()).toBe((await store.journal.head()).seq)
    })

    it('rows are grouped by any of their keys, and narrowed by hour, tasks, task, member and model', async () => {
      const { store } = current()
      const append = await counting(store)
      const rows = [
        row({ calls: 1 }),
        row({ hour: 101, calls: 2 }),
        row({ task: 't-2', agent: "o'neil 李", calls: 4 }),
        row({ task: 't-2', model: '', steps: 8 }),
      ]
      await append('a', rows)
      const sums = async (...wish: Parameters<Store['counters']['sum']>) =>
        (await store.counters.sum(...wish))
          .map(({ hour, task, agent, model, calls, steps }) =>
            [hour, task, agent, model, calls, steps].filter((one) => one !== undefined).join('|'),
          )
          .sort()
      expect(await sums(['task'], ALL)).toEqual(['t-1|3|0', 't-2|4|8'])
      expect(await sums(['hour', 'agent'], ALL)).toEqual(["100|o'neil 李|4|0", '100|reader|1|8', '101|reader|2|0'])
      expect(await sums(['model'], { ...ALL, task: 't-2' })).toEqual(['large|4|0', '|0|8'].sort())
      expect(await sums([], { ...ALL, agent: "o'neil 李" })).toEqual(['4|0'])
      expect(await sums([], { ...ALL, model: '' })).toEqual(['0|8'])
      expect(await sums([], { ...ALL, to: 101 })).toEqual(['5|8'])
      expect(await sums([], { ...ALL, from: 101, to: 102 })).toEqual(['2|0'])
      expect(await sums([], { ...ALL, tasks: ['t-1', 't-9'] })).toEqual(['3|0'])
      expect(await sums([], { ...ALL, tasks: [] })).toEqual([])
      expect(await sums(['task'], { ...ALL, from: 500 })).toEqual([])
    })

    it('the first rows of an order are given, by use or by the longest wait', async () => {
      const { store } = current()
      const append = await counting(store)
      await append('a', [
        row({ agent: 'cheap', promptTokens: 900, waits: 1, longestWaitMs: 3 }),
        row({ agent: 'dear', nanoUsd: 1, waits: 1, longestWaitMs: 1 }),
        row({ agent: 'small', promptTokens: 10, completionTokens: 10, waits: 1, longestWaitMs: 2 }),
        row({ agent: 'idle', steps: 1 }),
      ])
      const first = async (by: 'use' | 'wait', most: number) =>
        (await store.counters.sum(['agent'], ALL, { by, most })).map(({ agent }) => agent)
      expect(await first('use', 10)).toEqual(['dear', 'cheap', 'small', 'idle'])
      expect(await first('use', 2)).toEqual(['dear', 'cheap'])
      expect(await first('wait', 9)).toEqual(['cheap', 'small', 'dear'])
      const [dear] = await store.counters.sum(['agent'], ALL, { by: 'use', most: 1 })
      expect(dear).toMatchObject({ agent: 'dear', groups: 4 })
    })

    it('spans of hours are summed each by itself, with the tasks in them', async () => {
      const { store } = current()
      const append = await counting(store)
      await append('a', [
        row({ hour: 10, calls: 1, steps: 1 }),
        row({ hour: 11, calls: 2, task: 't-2' }),
        row({ hour: 11, steps: 1, waits: 1, agent: 'ana' }),
        row({ hour: 12, calls: 4, task: 't-3', longestWaitMs: 9 }),
      ])
      const spans: [number, number][] = [
        [0, 5],
        [10, 12],
        [12, 13],
      ]
      const shown = async (filter: Parameters<Store['counters']['spans']>[1]) =>
        (await store.counters.spans(spans, filter))
          .sort((a, b) => a.place - b.place)
          .map(({ place, calls, activeTasks, waitingTasks, longestWaitMs }) =>
            [place, calls, activeTasks, waitingTasks, longestWaitMs].join('|'),
          )
      expect(await shown({ tasks: null })).toEqual(['1|3|1|1|0', '2|4|0|0|9'])
      expect(await shown({ tasks: ['t-2'] })).toEqual(['1|2|0|0|0'])
      expect(await shown({ tasks: null, agent: 'ana' })).toEqual(['1|0|1|1|0'])
      expect(await shown({ tasks: [] })).toEqual([])
    })

    it('a refused append counts nothing, and a takeover keeps the cursor at the head', async () => {
      const { store } = current()
      const append = await counting(store)
      await append('a', [row({ calls: 1 })])
      const { epoch, seq } = await store.journal.take('south')
      expect(await store.counters.cursor()).toBe(seq)
      const late = [batchItem('b', undefined, { counters: [row({ calls: 1 })] })]
      expect((await store.journal.append(epoch, seq - 1, late)).r).toBe('MOVED')
      expect((await store.journal.append(epoch - 1, seq, late)).r).toBe('FENCED')
      expect((await store.journal.append(epoch, seq, [batchItem('a')])).r).toBe('SORT')
      expect((await store.counters.sum([], ALL))[0]?.calls).toBe(1)
      expect((await store.journal.append(epoch, seq, late)).r).toBe('OK')
      expect((await store.counters.sum([], ALL))[0]?.calls).toBe(2)
    })

    it('while a recount is behind, appends count nothing; it goes on from its cursor once', async () => {
      const { store } = current()
      const { counters, journal } = store
      const { epoch, seq } = await journal.take('north')
      expect(await counters.cursor()).toBe(0)
      await journal.append(epoch, seq, [batchItem('a', undefined, { counters: [row({ calls: 1 })] })])
      expect(await counters.sum([], ALL)).toEqual([])
      expect(await counters.add(0, 1, [row({ calls: 10 }), row({ calls: 5 })])).toBe(true)
      expect(await counters.add(0, 2, [row({ calls: 10 })])).toBe(false)
      await expect(counters.add(1, 1, [])).rejects.toThrow(TypeError)
      await expect(counters.add(1, seq + 2, [])).rejects.toThrow(TypeError)
      expect(await counters.add(1, seq + 1, [row({ calls: 1 })])).toBe(true)
      expect((await counters.sum([], ALL))[0]?.calls).toBe(16)
      await journal.append(epoch, seq + 1, [batchItem('b', undefined, { counters: [row({ calls: 1 })] })])
      expect((await counters.sum([], ALL))[0]?.calls).toBe(17)
    })

    it('hours of past days become one row for the day, a day at a time', async () => {
      const { store } = current()
      const append = await counting(store)
      const hours = [0, 1, 23, 24, 30, 47, 48, 50]
      await append(
        'a',
        hours.map((hour) => row({ hour, calls: 1, longestWaitMs: hour })),
      )
      const byHour = async () =>
        (await store.counters.sum(['hour'], ALL))
          .map(({ hour, calls, longestWaitMs }) => `${hour}: ${calls} (${longestWaitMs})`)
          .sort()
      expect(await store.counters.toDays(48)).toBe(2)
      expect(await store.counters.toDays(48)).toBe(2)
      expect(await store.counters.toDays(48)).toBe(0)
      expect(await byHour()).toEqual(['0: 3 (23)', '24: 3 (47)', '48: 1 (48)', '50: 1 (50)'])
    })
  })
}
