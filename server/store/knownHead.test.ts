/** A journal that is shorter than the one that was there, or another one, is noticed at a start. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { batchItem } from '@/test/storeContract/harness'
import { backUp, restore } from '../backup'
import { openSqliteStore, type Store } from './index'
import { keepHead, keepHeadOften, missingEntries } from './knownHead'

const NOW = Date.UTC(2026, 10, 29, 12)
let root = ''
const data = () => join(root, 'data')
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'convene-head-'))
})
afterEach(() => rm(root, { recursive: true }))

/** A run of a server: it decides so often and stops well. */
async function run(folder: string, decisions: number, mark = ''): Promise<number> {
  return withStore(folder, async (store) => {
    let { epoch, seq } = await store.journal.take('north')
    for (let n = 0; n < decisions; n++) {
      await store.journal.append(epoch, seq, [batchItem(`c${seq}${mark}`)])
      seq += 1
    }
    await keepHead(folder, store)
    return seq
  })
}

async function withStore<T>(folder: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openSqliteStore(folder, { now: () => NOW })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const missing = (isElsewhere = false) =>
  withStore(data(), ({ journal }) => missingEntries(data(), journal, { isElsewhere }))
const backUpNow = () =>
  backUp({
    dataFolder: data(),
    workspaceFolder: null,
    to: join(root, 'backup'),
    keys: false,
    keyRows: [],
    keyFolders: [],
    version: '1',
    now: () => NOW,
  })

it('[R377] an older database in the place of the newer one is named with how many entries are missing', async () => {
  expect(await run(data(), 3)).toBe(4)
  expect(await missing()).toBeNull()
  await cp(join(data(), 'convene.db'), join(root, 'older.db'))
  expect(await run(data(), 5)).toBe(10)
  expect(await missing()).toBeNull()
  await cp(join(root, 'older.db'), join(data(), 'convene.db'))
  expect(await missing()).toBe(
    'the journal ends at entry 4, and when the server last ran (2026-11-29T12:00:00.000Z) it ended at entry 10: 6 entries are missing',
  )
  // The documented way to use it on purpose.
  await rm(join(data(), 'convene.head.json'))
  expect(await missing()).toBeNull()
})

it('[R377] what the last backup has and the journal lacks is named, and so are other entries with the same numbers', async () => {
  await run(data(), 2)
  await cp(join(data(), 'convene.db'), join(root, 'older.db'))
  await run(data(), 2)
  await backUpNow()
  await rm(join(data(), 'convene.head.json'))
  await cp(join(root, 'older.db'), join(data(), 'convene.db'))
  expect(await missing()).toMatch(
    /ends at entry 3, and at the last backup \(2026-.*\) it ended at entry 6: 3 entries are missing/,
  )
  await run(data(), 4, ' of another history')
  expect(await missing()).toMatch(/has other entries up to 6 than at the last backup/)
})

it('[R377] a restore into an empty folder can be started at once, though the backup is older', async () => {
  await run(data(), 2)
  await backUpNow()
  await run(data(), 4)
  await rm(data(), { recursive: true })
  await restore({ from: join(root, 'backup'), dataFolder: data(), workspaceFolder: null })
  expect(await missing()).toBeNull()
})

it('[R377] another journal is named in a data folder, and is nothing in a database; a damaged note says nothing', async () => {
  await run(data(), 2)
  await rm(join(data(), 'convene.db'))
  const head = await readFile(join(data(), 'convene.head.json'), 'utf8')
  await run(data(), 2)
  await writeFile(join(data(), 'convene.head.json'), head)
  expect(await missing()).toMatch(/the journal is another one than when the server last ran/)
  expect(await missing(true)).toBeNull()
  await writeFile(join(data(), 'convene.head.json'), head.slice(0, 20))
  expect(await missing()).toBeNull()
})

it('[R377] while it runs the end is kept at its start, and not again within a minute', async () => {
  await withStore(data(), async (store) => {
    const heard: (() => void)[] = []
    const { epoch, seq } = await store.journal.take('north')
    keepHeadOften(data(), store, (listener) => heard.push(listener))
    const kept = async (): Promise<unknown> => {
      for (const listener of heard) listener()
      const read = () => readFile(join(data(), 'convene.head.json'), 'utf8').then(JSON.parse)
      await expect.poll(read).toMatchObject({ journal: store.journal.id })
      return read()
    }
    expect(await kept()).toMatchObject({ seq, at: NOW })
    await store.journal.append(epoch, seq, [batchItem('c1')])
    expect(await kept()).toMatchObject({ seq })
  })
})
