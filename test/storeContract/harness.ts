/**
 * What a store brings along to be held to the contract, and small makers that the suites share.
 */
import { createHash } from 'node:crypto'
import { afterEach, beforeEach } from 'vitest'
import type { BatchItem, NewBody, Store, StoredEvent } from '@/server/store/interfaces'

/** A fresh, empty store with a clock that the suite moves. */
export type StoreUnderTest = {
  store: Store
  /** epoch ms; the store reads it, the suite sets it */
  clock: { now: number }
  /** a second handle on the same data, as another node or a later start would have it */
  again(): Promise<Store>
  /** close every handle and remove the data */
  dispose(): Promise<void>
}

export type OpenStoreUnderTest = () => Promise<StoreUnderTest>

/** A new store for each test of the suite around it. */
export function eachWithStore(open: OpenStoreUnderTest): () => StoreUnderTest {
  let current: StoreUnderTest | null = null
  beforeEach(async () => {
    current = await open()
  })
  afterEach(async () => {
    await current?.dispose()
    current = null
  })
  return () => {
    if (!current) throw new Error('no store outside a test')
    return current
  }
}

export const said = (text: string, more: Record<string, unknown> = {}): StoredEvent => ({
  type: 'message.sent',
  v: 1,
  text,
  ...more,
})

export const batchItem = (
  id: string,
  events: StoredEvent[] = [said(id)],
  more: Partial<BatchItem> = {},
): BatchItem => ({
  id,
  by: 'ana',
  events,
  ...more,
})

export const bodyOfBytes = (bytes: Uint8Array, mime = 'text/plain'): NewBody => ({
  sha: createHash('sha256').update(bytes).digest('hex'),
  bytes,
  mime,
})

export const textBody = (text: string): NewBody => bodyOfBytes(new TextEncoder().encode(text))

/** Bytes that do not compress, the same for the same seed. */
export function noise(length: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let state = seed
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[i] = state >>> 24
  }
  return bytes
}
