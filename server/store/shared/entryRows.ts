/** Events as rows of every store: the JSON text of each, with a nonce and a hash of both. */
import { sha256 } from '../../shared/sha256'
import type { StoredEvent } from '../interfaces'
import { jsonText } from './checkBatch'

/** hash: in hex. The nonce keeps a short text from being guessed by its hash once text and nonce are erased. */
export type EntryParts = { event: string; nonce: Uint8Array; hash: string }

export const NONCE_BYTES = 16

/** in: random: n random bytes. faults: TypeError: a value that is not JSON */
export function entryRows(events: readonly StoredEvent[], random: (n: number) => Uint8Array): EntryParts[] {
  // One draw for all: a draw takes some 3 µs, whatever its length.
  const nonces = random(NONCE_BYTES * events.length)
  return events.map((event, n) => entryRow(jsonText(event), nonces.subarray(n * NONCE_BYTES, (n + 1) * NONCE_BYTES)))
}

/** in: an event as JSON text */
const entryRow = (event: string, nonce: Uint8Array): EntryParts => ({
  event,
  nonce,
  hash: entryHash(nonce, event),
})

/** The hash of a row, which is on disk: SHA-256 over the nonce and the text as it was written, in hex. */
export const entryHash = (nonce: Uint8Array, event: string): string =>
  sha256(Buffer.concat([nonce, Buffer.from(event)]))

/** What stands in place of an erased text, with an empty nonce. in: the number of the entry that erased it */
export const erasedText = (by: number): string => `{"type":"entry.erased","v":1,"by":${by}}`
const ERASED = /^\{"type":"entry\.erased","v":1,"by":([1-9]\d{0,14})\}$/

/** The number of the entry that erased the row; null: it was not erased */
export function eraserOf({ event, nonce }: Pick<EntryParts, 'event' | 'nonce'>): number | null {
  const by = nonce.length === 0 ? ERASED.exec(event)?.[1] : undefined
  return by === undefined ? null : Number(by)
}
