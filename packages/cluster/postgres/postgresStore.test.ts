/** The PostgreSQL store keeps the contract, an empty schema for each test. */
import { beforeAll } from 'vitest'
import type { Store } from '@/server/store/interfaces'
import { clockContract, storeContract } from '@/test/storeContract'
import { emptySchema, testServer } from '../test'
import { openUnheld } from '../test/openUnheld'
import { openPostgresStore } from './openPostgresStore'

beforeAll(async () => {
  await testServer()
}, 90_000)

storeContract('postgres', async () => {
  const { url } = await emptySchema()
  const clock = { now: 1_800_000_000_000 }
  const options = { now: () => clock.now }
  const first = await openPostgresStore(url, options)
  const handles: Store[] = [first]
  return {
    store: first,
    clock,
    async again() {
      const store = await openUnheld(url, options)
      handles.push(store)
      return store
    },
    async dispose() {
      for (const handle of handles) await handle.close()
    },
  }
})

let url: Promise<string> | null = null
clockContract('postgres', async (options) => {
  url ??= emptySchema().then((made) => made.url)
  return openPostgresStore(await url, options)
})
