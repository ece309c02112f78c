/** What finds decisions is written late: nobody may notice, neither another handle nor the start after a death. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { decision, said, textBody } from '../contract/harness'
import type { Store } from '../interfaces'
import { openUnlocked } from './openSqliteStore'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-index-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function inTables(): { places: number; bodies: number; indexed: number; seq: number } {
  const db = new Database(join(folder, 'convene.db'))
  const counts = db.prepare(
    'select (select count(*) from place) as places, (select count(*) from bundled) as bodies, indexed, seq from head',
  )
  const { places, bodies, indexed, seq } = counts.get() as ReturnType<typeof inTables>
  db.close()
  return { places, bodies, indexed, seq }
}

/** So many decisions in one task, each of a step of its own and with a body. */
async function append(store: Store, count: number): Promise<void> {
  const { epoch, seq } = await store.journal.take('north')
  const batch = Array.from({ length: count }, (_, n) =>
    decision(`c${seq}-${n}`, [said(`${n}`, { task: 't1', step: `s${seq}-${n}` })], {
      bodies: [textBody(`body ${seq}-${n}`)],
    }),
  )
  expect((await store.journal.append(epoch, seq, batch)).r).toBe('OK')
}

const found = async (store: Store): Promise<unknown[]> => [
  (await store.archive.entriesOfTask('t1', 0, 2_000)).map(({ seq }) => seq),
  (await store.archive.entriesOfTask('t1', 3, 1)).map(({ seq }) => seq),
  (await store.archive.entriesOfStep('s1-2')).map(({ seq }) => seq),
  await store.bodies.has(textBody('body 1-1').sha),
]
const FOUR = [[2, 3, 4, 5], [4], [4], true]

it('what a process that died had not written to the tables is found by the next, and is written when that one closes', async () => {
  await append(openUnlocked(folder), 4)
  expect(inTables()).toEqual({ places: 0, bodies: 0, indexed: 0, seq: 5 })
  const later = openUnlocked(folder)
  expect(await found(later)).toEqual(FOUR)
  await later.close()
  expect(inTables()).toEqual({ places: 8, bodies: 4, indexed: 5, seq: 5 })
  const last = openUnlocked(folder)
  expect(await found(last)).toEqual(FOUR)
  await last.close()
})

it('two handles in turn find what the other wrote, and write it to the tables once', async () => {
  const [one, other] = [openUnlocked(folder), openUnlocked(folder)]
  await append(one, 4)
  expect(await found(other)).toEqual(FOUR)
  await append(other, 1)
  expect((await one.archive.entriesOfTask('t1', 0, 10)).map(({ seq }) => seq)).toEqual([2, 3, 4, 5, 7])
  await one.close()
  await other.close()
  expect(inTables()).toEqual({ places: 10, bodies: 5, indexed: 7, seq: 7 })
})

it('a crowd of decisions is written without waiting for the end, in order', async () => {
  const store = openUnlocked(folder)
  await append(store, 200)
  await append(store, 200)
  expect(inTables().places).toBe(0)
  await append(store, 200)
  expect(inTables()).toEqual({ places: 1_200, bodies: 600, indexed: 603, seq: 603 })
  const seqs = (await store.archive.entriesOfTask('t1', 0, 2_000)).map(({ seq }) => seq)
  expect(seqs).toHaveLength(600)
  expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
  await store.close()
})

it('a body that comes again before it was written to the tables is known, and that it came is durable', async () => {
  const store = openUnlocked(folder, { now: () => 77 })
  await append(store, 2)
  const { epoch, seq } = await store.journal.take('north')
  const again = decision('again', [said('again')], { bodies: [textBody('body 1-1')] })
  await store.journal.append(epoch, seq, [again])
  const db = new Database(join(folder, 'convene.db'))
  expect(db.prepare('select last, touched from bundled where touched is not null').all()).toEqual([
    { last: 3, touched: 77 },
  ])
  db.close()
  await store.close()
})
