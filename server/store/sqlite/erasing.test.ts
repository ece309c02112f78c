/** Nothing of an erased task is in the bytes of a data folder, also after a process that ended in between. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { batchItem, said, textBody } from '@/test/storeContract/harness'
import type { Store } from '../interfaces'
import { openSqliteStore } from './openSqliteStore'

const MARKER = 'markedwordofthetask'
const TASK = '0badcafe-0000-4000-8000-000000000001'
const ENTRIES = 2_500
const END = 1 + ENTRIES

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-erasing-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Names of the files with these bytes, in any case. */
async function filesWith(text: string, root = folder): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const bytes = await readFile(join(entry.parentPath, entry.name))
    if (bytes.toString('latin1').toLowerCase().includes(text)) found.push(entry.name)
  }
  return found.sort()
}

/** A task with short and long texts among others, a body, snapshots and lines of the search. out: the argument of `erase` */
async function fill({ journal, snapshots, search, bodies }: Store) {
  const { epoch, seq } = await journal.take('n')
  const events = Array.from({ length: ENTRIES }, (_, n) => {
    const text = n % 3 === 0 ? `${MARKER} ${n}`.repeat(1 + (n % 7 === 0 ? 900 : 0)) : `kept ${n}`
    return said(text, { task: n % 3 === 0 ? TASK : 't-kept', step: `step ${n}` })
  })
  for (let n = 0; n < ENTRIES; n += 250)
    await journal.append(epoch, seq + n, [batchItem(`c${n}`, events.slice(n, n + 250), { reply: { said: MARKER } })])
  await bodies.put(textBody(`${MARKER} in a body`).bytes, 'text/plain')
  await snapshots.save({ key: `task:${TASK}`, seq: 9, reducer: 1, at: 0, data: Buffer.from(MARKER) })
  await search.add(
    0,
    END,
    events.flatMap(({ text }, n) =>
      n % 3 === 0 ? [{ seq: n + 2, kind: 'message', task: TASK, text: String(text) }] : [],
    ),
    [{ task: TASK, person: 'ana' }],
    [],
  )
  await journal.append(epoch, END, [
    batchItem('erasing', [{ type: 'task.erased', v: 1, task: TASK, from: 2, to: END }]),
  ])
  return { task: TASK, from: 2, to: END, by: END + 1 }
}

/** What the engine does besides. */
async function forget({ snapshots, bodies }: Store): Promise<void> {
  await snapshots.remove(`task:${TASK}`, END)
  await bodies.forget([textBody(`${MARKER} in a body`).sha], Number.MAX_SAFE_INTEGER)
}

it('[R567] none of its texts is in any byte of the files while the store is in use, nor afterwards', async () => {
  const store = await openSqliteStore(folder)
  const erased = await fill(store)
  expect(await filesWith(MARKER)).not.toEqual([])
  await forget(store)
  expect(await store.journal.erase(erased)).toBe(Math.ceil(ENTRIES / 3))
  expect((await store.verify()).damage).toEqual([])
  // By another process: to read them in this one would release its locks.
  const copy = `${folder}-copy`
  execFileSync('cp', ['-r', folder, copy])
  expect(await filesWith(MARKER, copy)).toEqual([])
  await rm(copy, { recursive: true })
  await store.close()
  expect(await filesWith(MARKER)).toEqual([])
  expect(await filesWith('kept 7')).toEqual(['convene.db'])
})

it('[R567] a process that ends after any slice leaves the first entry, and the next one completes it', async () => {
  for (let stopAt = 1; stopAt <= 3; stopAt++) {
    const store = await openSqliteStore(folder)
    const erased = stopAt === 1 ? await fill(store) : { task: TASK, from: 2, to: END, by: END + 1 }
    const isWhole = stopAt === 3
    if (isWhole) {
      await forget(store)
      await store.journal.erase(erased)
    } else {
      // Its connection is closed while it is at work, as by the end of the process.
      const erasing = store.journal.erase(erased).catch(() => 'ended')
      for (let slice = 0; slice < stopAt; slice++) await new Promise((resolve) => setImmediate(resolve))
      await store.close()
      expect(await erasing).toBe('ended')
    }
    if (!isWhole) {
      const next = await openSqliteStore(folder)
      expect((await next.journal.read(1, 1))[0]?.event.type).toBe('message.sent')
      expect((await next.journal.read(END - 1, 1))[0]?.event.type).toBe('entry.erased')
      expect((await next.verify()).damage).toEqual([])
      await next.close()
    } else await store.close()
  }
  expect(await filesWith(MARKER)).toEqual([])
})
