import { wholeOf } from '@/lib/mas/bodies'
import type { BodyRef } from '@/lib/mas/records'

type Stored = { bytes: Uint8Array; mime: string }
/** Stored bodies by hash. */
export type StoredBodies = { get(sha: string): Promise<Stored | null> }

/** The content behind a reference, which may hold a short text itself, without a stored body; null: its body is gone. */
export async function bodyContent(bodies: StoredBodies, ref: BodyRef): Promise<Stored | null> {
  const inline = wholeOf(ref)
  return inline === null ? bodies.get(ref.sha) : { bytes: new TextEncoder().encode(inline), mime: ref.mime }
}

/** The whole text behind a reference; null: its body is gone. */
export async function bodyText(bodies: StoredBodies, ref: BodyRef): Promise<string | null> {
  const inline = wholeOf(ref)
  if (inline !== null) return inline
  const body = await bodies.get(ref.sha)
  return body && new TextDecoder().decode(body.bytes)
}
