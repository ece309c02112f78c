/** One byte anywhere in the file of a journal is another one. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fillJournal } from '@/test/sqlite/filledJournal'
import { JournalUnfitError, StoreBrokenError, StoreLockedError, StoreTooNewError } from '../../errors'
import { openSqliteStore } from '../openSqliteStore'
import { verifyFolder } from './verifyFolder'

const TRIALS = process.env.CONVENE_ALL ? 500 : 30

let root = ''
const [data, copy] = [() => join(root, 'data'), () => join(root, 'copy')]
const database = () => join(copy(), 'convene.db')

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'convene-verify-'))
  const store = await fillJournal(data())
  await store.accounts.setPassword('ana', 'a hash')
  await store.snapshots.save({ key: 'world', seq: 3, reducer: 1, at: 0, data: new Uint8Array(20_000) })
  await store.close()
  await cp(data(), copy(), { recursive: true })
})
afterEach(() => rm(root, { recursive: true }))

/** What the journal's tables hold, but for what no hash covers: when a body was put last. */
const COLUMNS = {
  head: ['one', 'journal', 'seq', 'at', 'epoch', 'hash', 'seal'],
  decision: ['last', 'first', 'command', '"by"', 'at', 'known', 'until', 'reply', 'hash', 'seal'],
  entry: ['seq', 'last', 'nonce', 'hash', 'event', 'task', 'step', 'request', 'thread'],
  outcome: ['id', '"by"', 'seq', 'at', 'until', 'fault', 'reply', 'seal'],
  body: ['id', 'sha', 'mime', 'bytes', 'packed', 'data', 'seal'],
}

function rowsIn(path: string): string {
  const db = new Database(path)
  try {
    return Object.entries(COLUMNS)
      .flatMap(([table, columns]) => {
        const whole = columns.map((name) => `typeof(${name}) || hex(${name})`).join(` || ' ' || `)
        return db.prepare(`select ${whole} as line from ${table} order by 1`).all([]) as { line: string }[]
      })
      .map(({ line }) => line)
      .join('\n')
  } finally {
    db.close()
  }
}

const namedIn = async (folder: string): Promise<string[]> => {
  try {
    return (await verifyFolder(folder)).damage.map(({ file, why }) => `${file}: ${why}`)
  } catch (error) {
    const isNamed = [JournalUnfitError, StoreBrokenError, StoreTooNewError].some((kind) => error instanceof kind)
    if (isNamed && error instanceof Error) return [error.message]
    throw error
  }
}

it(`[R164] a byte changed anywhere in the file is named, or is none of the journal, in each of ${TRIALS} trials`, {
  timeout: 600_000,
}, async () => {
  expect(await namedIn(copy())).toEqual([])
  const whole = await readFile(database())
  const before = rowsIn(database())
  let state = Number(process.env.CONVENE_SEED ?? 11)
  const pick = (most: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
  let named = 0
  for (let trial = 0; trial < TRIALS; trial++) {
    // Much of a file is empty: every other byte is one that is not.
    let at = pick(whole.length)
    while (trial % 2 === 1 && whole[at] === 0) at = pick(whole.length)
    const bytes = Buffer.from(whole)
    bytes[at] = (bytes[at] ?? 0) ^ (1 + pick(255))
    for (const end of ['-wal', '-shm']) await rm(`${database()}${end}`, { force: true })
    await writeFile(database(), bytes)
    const found = await namedIn(copy())
    if (found.length > 0) named += 1
    else expect(rowsIn(database()), `trial ${trial}: byte ${at}`).toBe(before)
  }
  expect(named).toBeGreaterThan(TRIALS / 4)
})

it('[R164] a changed event, a missing table and an index that lost a row are named; a folder in use is refused', async () => {
  const change = async (sql: string): Promise<string[]> => {
    await rm(copy(), { recursive: true })
    await cp(data(), copy(), { recursive: true })
    const db = new Database(database())
    db.exec(sql)
    db.close()
    return namedIn(copy())
  }
  expect(await change("update entry set event = json_set(event, '$.v', 9) where seq = 5")).toEqual([
    'convene.db: its hash is another one',
  ])
  expect(await change('update decision set "by" = cast("by" as blob)')).toEqual([
    'convene.db: a text is stored as bytes',
  ])
  expect(await change('drop table link')).toEqual(['convene.db: its table or index link is not as it was made'])
  expect(await change('create table other (one)')).toEqual(['convene.db: other does not belong there'])
  const twisted =
    "pragma writable_schema = on; update sqlite_schema set rootpage = (select rootpage from sqlite_schema where name = 'outcome_until') where name = 'decision_until'"
  expect((await change(twisted)).length).toBeGreaterThan(0)

  const store = await openSqliteStore(data())
  await expect(verifyFolder(data())).rejects.toThrow(StoreLockedError)
  await store.close()
  await expect(verifyFolder(join(root, 'none'))).rejects.toThrow(/there is no .*convene\.db/)
})
