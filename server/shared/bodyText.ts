import { wholeOf } from '@/lib/mas/bodies'
import type { BodyRef } from '@/lib/mas/records'

/** The whole text behind a reference; null: its body is gone. */
export async function bodyText(
  bodies: { get(sha: string): Promise<{ bytes: Uint8Array } | null> },
  ref: BodyRef,
): Promise<string | null> {
  const inline = wholeOf(ref)
  if (inline !== null) return inline
  const body = await bodies.get(ref.sha)
  return body && new TextDecoder().decode(body.bytes)
}
