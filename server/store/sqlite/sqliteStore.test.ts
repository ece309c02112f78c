/** The SQLite store keeps the contract, one folder per test. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openUnlocked } from '@/test/sqlite/openUnlocked'
import { clockContract, storeContract } from '@/test/storeContract'
import type { Store } from '../interfaces'
import { openSqliteStore } from './openSqliteStore'

storeContract('sqlite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'convene-store-'))
  const clock = { now: 1_800_000_000_000 }
  const options = { now: () => clock.now }
  const first = await openSqliteStore(folder, options)
  const handles: Store[] = [first]
  return {
    store: first,
    clock,
    async again() {
      const store = openUnlocked(folder, options)
      handles.push(store)
      return store
    },
    async dispose() {
      for (const handle of handles) await handle.close()
      await rm(folder, { recursive: true })
    },
  }
})

const once = await mkdtemp(join(tmpdir(), 'convene-clock-'))
afterAll(() => rm(once, { recursive: true }))
clockContract('sqlite', (options) => openSqliteStore(once, options))
