/** Room in the write-ahead log: there is some, and nobody who writes, reads or dies beside it notices. */
import { cp, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openUnlocked } from '@/test/sqlite/openUnlocked'
import { batchItem } from '@/test/storeContract/harness'
import { StoreClosedError } from '../errors'
import { LOG_BYTES } from './connection'
import { openSqliteStore } from './openSqliteStore'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-room-'))
})
afterEach(() => rm(folder, { recursive: true }))

const logBytes = async (): Promise<number> => (await stat(join(folder, 'data', 'convene.db-wal'))).size

it('[S7] is made between commits; a copy as a death leaves it holds them all, and the log stays as long as it is', async () => {
  const store = await openSqliteStore(join(folder, 'data'))
  const { epoch, seq } = await store.journal.take('north')
  const before = await logBytes()
  const room = store.makeRoom()
  let head = seq
  for (let n = 0; n < 40; n++) {
    const answer = await store.journal.append(epoch, head, [batchItem(`d${n}`)])
    if (answer.r !== 'OK') throw new Error(answer.r)
    head = answer.last
    // Slices come in between.
    await new Promise((resolve) => setImmediate(resolve))
  }
  await room
  expect(before).toBeLessThan(LOG_BYTES)
  expect(await logBytes()).toBe(LOG_BYTES)
  const after = await store.journal.append(epoch, head, [batchItem('last')])
  expect(after.r).toBe('OK')
  expect(await logBytes()).toBe(LOG_BYTES)

  await cp(join(folder, 'data'), join(folder, 'dead'), { recursive: true })
  const dead = openUnlocked(join(folder, 'dead'))
  expect(await dead.journal.read(0, 1_000)).toEqual(await store.journal.read(0, 1_000))
  await dead.close()
  await store.close()
})

it('ends with the store: nothing is written behind it, and a closed one is told so', async () => {
  const store = await openSqliteStore(join(folder, 'data'))
  await store.journal.take('north')
  const room = store.makeRoom()
  await store.close()
  await room
  expect(await logBytes().catch(() => 0)).toBe(0)
  await expect(store.makeRoom()).rejects.toThrow(StoreClosedError)
})
