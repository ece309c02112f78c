/** What every store holds of erased entries: rules S23 and S24 of server/store/README.md, R565 over any history. */
import { describe, expect, it } from 'vitest'
import { queryOf } from '@/lib/format/searchWords'
import { selectWithoutErased } from '@/lib/mas/archive/erasing'
import { decodeEntry } from '@/lib/mas/decode'
import { event } from '@/lib/mas/events'
import { type AgentId, asId } from '@/lib/mas/ids'
import { emptyWorld, type World } from '@/lib/mas/records'
import { reduceEntry } from '@/lib/mas/reduce'
import type { Store, StoredEvent } from '@/server/store/interfaces'
import { walk } from '../worldHistories'
import { batchItem, eachWithStore, type OpenStoreUnderTest, said } from './harness'

const MARKER = 'markedwordofthetask'
const GONE = 't-gone'
const inTask = (more: Record<string, unknown> = {}) => said(`says ${MARKER}`, { task: GONE, step: 's1', ...more })
const note = (task: string | null): StoredEvent => ({
  type: 'memory.added',
  v: 1,
  agent: 'a',
  note: { key: 'k', text: task === GONE ? MARKER : 'kept', task },
})
const erasing = (from: number, to: number): StoredEvent => ({ type: 'task.erased', v: 1, task: GONE, from, to })

/** Entries 2 to 8 are of two decisions; 3, 5, 6 and 8 are the task's. out: the argument of `erase` */
async function fill({ journal }: Store) {
  const { epoch, seq } = await journal.take('n')
  const reply = { said: MARKER }
  await journal.append(epoch, seq, [
    batchItem('c1', [said('one', { task: 't-kept' }), inTask(), said('two', { task: 't-kept' }), inTask()], { reply }),
    batchItem('c2', [note(GONE), note(null), inTask({ request: 'r1' })]),
  ])
  await journal.append(epoch, 8, [batchItem('c3', [erasing(3, 8)])])
  return { task: GONE, from: 3, to: 8, by: 9 }
}

const taken = async (store: Store): Promise<World> =>
  (await store.journal.read(0, 100_000)).map(decodeEntry).reduce(reduceEntry, emptyWorld)

export function erasingContract(name: string, open: OpenStoreUnderTest): void {
  describe(`erased entries of ${name}`, () => {
    const current = eachWithStore(open)

    it('[S23] are empty for every reader, with the notes made in the task; all others are as they were', async () => {
      const { store, again } = current()
      const erased = await fill(store)
      const before = await store.journal.read(0, 100)
      const hash = await store.journal.hashAt(9)
      expect(await store.journal.erase(erased)).toBe(4)
      for (const each of [store, await again()]) {
        const after = await each.journal.read(0, 100)
        expect(after).toEqual(
          before.map((entry) =>
            [3, 5, 6, 8].includes(entry.seq) ? { ...entry, event: { type: 'entry.erased', v: 1, by: 9 } } : entry,
          ),
        )
        expect((await each.archive.entriesOf('task', GONE)).map(({ seq }) => seq)).toEqual([9])
        for (const key of ['step', 'request'] as const)
          expect(await each.archive.entriesOf(key, key === 'step' ? 's1' : 'r1')).toEqual([])
        expect(await each.journal.hashAt(9)).toBe(hash)
        expect((await each.journal.outcome('c1', 'ana'))?.reply).toBeUndefined()
      }
    })

    it('[S23] may be erased again, which changes nothing; a range that its eraser cannot have is refused', async () => {
      const { store } = current()
      const erased = await fill(store)
      await store.journal.erase(erased)
      const after = await store.journal.read(0, 100)
      expect(await store.journal.erase(erased)).toBe(0)
      expect(await store.journal.read(0, 100)).toEqual(after)
      await expect(store.journal.erase({ ...erased, by: 8 })).rejects.toThrow(TypeError)
      await expect(store.journal.erase({ ...erased, to: 2 })).rejects.toThrow(TypeError)
    })

    it('[S23] are not found by the search, which begins again', async () => {
      const { store } = current()
      const erased = await fill(store)
      const line = { kind: 'message', task: GONE, text: MARKER }
      await store.search.add(0, 9, [{ seq: 3, ...line }], [{ task: GONE, person: 'ana' }], [])
      await store.journal.erase(erased)
      const wish = { parts: queryOf(MARKER), kind: 'message', tasks: null, before: 100, limit: 10 }
      expect([await store.search.find(wish), await store.search.tasksOf('ana')]).toEqual([[], []])
      expect(await store.search.cursor()).toBe(0)
    })

    it('[S24] are no damage where a task.erased covers them, and damage anywhere else', async () => {
      const { store } = current()
      const erased = await fill(store)
      await store.journal.erase(erased)
      expect((await store.verify()).damage).toEqual([])
      const { epoch } = await store.journal.head()
      await store.journal.append(epoch, 9, [batchItem('c4', [said('later', { task: 't-kept' })])])
      await store.journal.append(epoch, 10, [batchItem('c5', [erasing(3, 5)])])
      await store.journal.erase({ task: 't-kept', from: 3, to: 10, by: 11 })
      const found = (await store.verify()).damage.map(({ decision, entry }) => [decision, entry])
      if (name !== 'memory') expect(found).toEqual([[10, 10]])
    })

    it('[S24] [R565] keep a world from the journal the same, over what people and agents do', {
      timeout: 60_000,
    }, async () => {
      const { store } = current()
      const moves = Array.from({ length: 60 }, (_, n) => ({ kind: n * 31, a: n * 7, b: n * 13, c: n * 17 }))
      const { entries } = walk(moves)
      const { epoch } = await store.journal.take('n')
      const events = entries.map(({ event: one }): StoredEvent => ({ ...one }))
      await store.journal.append(epoch, 1, [batchItem('all', events)])
      const task = entries.flatMap(({ event: one }) => (one.type === 'task.added' && !one.base ? [one.task] : []))[0]
      if (task === undefined) throw new Error('there is no task')
      const before = await taken(store)
      const head = before.seq
      const last = event('task.erased', {
        ...{ task, by: asId<AgentId>('ana'), agents: [], from: 1, to: head, rows: 1, reason: 'r', counters: [] },
        without: selectWithoutErased(before, task),
      })
      await store.journal.append(epoch, head, [batchItem('erasing', [{ ...last }])])
      const plus = await taken(store)
      expect(await store.journal.erase({ task, from: 1, to: head, by: head + 1 })).toBeGreaterThan(5)
      expect(await taken(store)).toEqual(plus)
      expect(plus.tasks[task]).toBeUndefined()
      expect((await store.verify()).damage).toEqual([])
    })
  })
}
