/** What an erased task leaves in the store: nothing, also when the store or the process failed in between. */
import { afterEach, expect, it, vi } from 'vitest'
import { type AgentId, asId, type TaskId } from '@/lib/mas/ids'
import { emptyWorld } from '@/lib/mas/records'
import { memoryData, memoryStore } from '@/test/memoryStore'
import { envelopeOf } from '@/test/storeContract/envelopes'
import { batchItem, said, textBody } from '@/test/storeContract/harness'
import { openTestEngine, type TestEngine } from '@/test/testEngine'
import { openTestMoments } from '@/test/testMoments'
import { TEAM } from '@/test/worldHistories'
import { momentKey, type Store } from '../../store'
import { createEraser } from './eraser'

const MARKER = 'markedwordofthetask'
const open: TestEngine[] = []
afterEach(async () => {
  for (const { engine } of open.splice(0)) await engine.stop()
})
const opened = async (options: Parameters<typeof openTestEngine>[0]): Promise<TestEngine> => {
  const bench = await openTestEngine(options)
  open.push(bench)
  return bench
}

/** An ended task with the word in its name, goal and result. */
async function ended(bench: TestEngine): Promise<TaskId> {
  const made = await bench.put(TEAM.ana.id, {
    type: 'makeTask',
    name: MARKER,
    intention: `compare ${MARKER}`,
    manager: TEAM.manager.id,
    members: [TEAM.manager.id, TEAM.reader.id],
    stages: [],
    reason: 'asked',
  })
  if (!made.ok) throw made.fault
  const { task } = made.reply as { task: TaskId }
  const done = { type: 'finishTask', task, state: 'finished', summary: MARKER, reason: 'done' } as const
  const over = await bench.put(TEAM.ana.id, done)
  if (!over.ok) throw over.fault
  return task
}

async function erase(bench: TestEngine, task: TaskId): Promise<void> {
  const [first] = await bench.store.archive.entriesOf('task', task, 0, 1)
  const found = { from: first?.seq ?? 0, rows: 1, counters: [] }
  const answer = await bench.put(TEAM.ana.id, { type: 'eraseTask', task, reason: 'they asked', found })
  if (!answer.ok) throw answer.fault
}

const isEmptied = async (store: Store, from: number): Promise<void> =>
  vi.waitFor(async () => expect((await store.journal.read(from - 1, 1))[0]?.event.type).toBe('entry.erased'))

/** All that the store has, as text. */
async function textOf(store: Store): Promise<string> {
  const snapshots = await Promise.all(
    (await store.snapshots.list()).map(async ({ key, reducer, seq }) => {
      const found = await store.snapshots.newest(key, reducer, seq)
      return `${key} ${new TextDecoder().decode(found?.data)}`
    }),
  )
  return JSON.stringify([await store.journal.read(0, 10_000), snapshots])
}

it('[R568] its entries, and the snapshots with it are gone', async () => {
  const bench = await opened({})
  const { store } = bench
  const task = await ended(bench)
  bench.engine.rest()
  await vi.waitFor(async () => expect(await textOf(store)).toContain(`task:${task}`))
  const from = (await store.archive.entriesOf('task', task))[0]?.seq ?? 0
  const moments = openTestMoments({ archive: store.archive, snapshots: store.snapshots, storeEvery: 2 })
  await moments.worldAt(task, bench.engine.world().seq)
  await moments.settled()
  expect(await textOf(store)).toContain(momentKey(task, 'world'))
  await erase(bench, task)
  await isEmptied(store, from)
  const left = await textOf(store)
  expect(left).not.toContain(MARKER)
  expect(left).not.toContain(momentKey(task, 'world'))
  expect(left).not.toContain(`task:${task}`)
  expect((await store.snapshots.list('world')).length).toBe(1)
})

it('[R568] bodies that only it names are gone, just stored or not; those of others, of drafts and of later puts stay', async () => {
  const clock = { now: 1_800_000_000_000 }
  const store = memoryStore({ data: memoryData(), now: () => clock.now })
  const { epoch, seq } = await store.journal.take('n')
  const bodies = ['own', 'shared', 'drafted', 'again'].map((text) => textBody(text))
  const [own = '', shared = '', drafted = '', again = ''] = bodies.map(({ sha }) => sha)
  const [task, by] = [asId<TaskId>('gone'), asId<AgentId>('ana')]
  const naming = (owner: string, ...shas: string[]) => ({ ...said('said'), task: owner, shas })
  await store.journal.append(epoch, seq, [
    batchItem('c1', [naming(task, own, shared, drafted, again), naming('kept', shared)], { bodies }),
  ])
  await store.journal.append(epoch, 3, [batchItem('c2', [{ type: 'task.erased', v: 1, task, from: 2, to: 3 }])])
  const erased = { by, at: clock.now, seq: 4, from: 2, to: 3 }
  clock.now += 5
  await store.bodies.put(textBody('again').bytes, 'text/plain')
  const eraser = createEraser({
    store,
    world: () => ({ ...emptyWorld, erased: { [task]: erased } }),
    save: async () => {},
    named: async () => [drafted],
    now: () => clock.now,
    schedule: () => () => {},
    onErased: () => {},
    onTrouble: (error) => {
      throw error
    },
  })
  eraser.look()
  await eraser.settled()
  const left = await Promise.all([own, shared, drafted, again].map((sha) => store.bodies.get(sha)))
  expect(left.map((body) => body !== null)).toEqual([false, true, true, true])
  await isEmptied(store, 2)
})

it('[R603] its envelopes are gone, and the bodies that they alone name; those of other tasks and of none stay', async () => {
  const bench = await opened({})
  const { store } = bench
  const task = await ended(bench)
  const from = (await store.archive.entriesOf('task', task))[0]?.seq ?? 0
  const put = async (text: string) => (await store.bodies.put(textBody(text).bytes, 'text/plain')).sha
  const [own, shared, refused] = [await put('own'), await put('shared'), await put('refused')]
  await store.envelopes.add(envelopeOf('e1', { task, body: own }))
  await store.envelopes.add(envelopeOf('e2', { task, body: shared }))
  await store.envelopes.add(envelopeOf('e3', { task: asId<TaskId>('kept'), body: shared }))
  await store.envelopes.add(envelopeOf('e4', { task, body: refused }))
  await store.envelopes.add(envelopeOf('e5', { body: refused }))
  await erase(bench, task)
  await isEmptied(store, from)
  const { envelopes } = await store.envelopes.page({}, { limit: 10 })
  expect(envelopes.map(({ id }) => id)).toEqual(['e5', 'e3'])
  const left = await Promise.all([own, shared, refused].map((sha) => store.bodies.get(sha)))
  expect(left.map((body) => body !== null)).toEqual([false, true, true])
})

it('[R568] is erased after a failure, and after the end of the process', async () => {
  const data = memoryData()
  const store = memoryStore({ data })
  store.journal.erase = () => Promise.reject(new Error('the store is away'))
  const bench = await opened({ data, store })
  const task = await ended(bench)
  const from = (await store.archive.entriesOf('task', task))[0]?.seq ?? 0
  await erase(bench, task)
  await bench.engine.stop()
  open.length = 0
  expect(await textOf(store)).toContain(MARKER)
  const next = await opened({ data, prefix: 'next' })
  await isEmptied(next.store, from)
  expect(await textOf(next.store)).not.toContain(MARKER)
})
