/** The memory store keeps the contract. */
import { expect, it } from 'vitest'
import { StoreClosedError } from '@/server/store/errors'
import { clockContract, storeContract } from '../storeContract'
import { memoryData, memoryStore } from '.'

storeContract('memory', async () => {
  const clock = { now: 1_800_000_000_000 }
  const options = { data: memoryData(), now: () => clock.now }
  return { store: memoryStore(options), clock, again: async () => memoryStore(options), dispose: async () => {} }
})

const data = memoryData()
clockContract('memory', async (options) => memoryStore({ ...options, data }))

it('refuses calls after it was closed', async () => {
  const store = memoryStore()
  await store.close()
  await expect(store.journal.head()).rejects.toThrow(StoreClosedError)
})
