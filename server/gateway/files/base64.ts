/** Files in JSON bodies. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Fault } from '@/lib/faults'

/** Characters of base64, a multiple of 4, that are decoded in one turn of the event loop. */
const DECODED_AT_ONCE = 4 * 1024 * 1024

/** The bytes of a base64 text. Throws BAD_INPUT when it is none. */
export async function decoded(base64: string): Promise<Buffer> {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  // Each byte is written below, or the text is refused.
  const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.floor((base64.length / 4) * 3) - padding))
  let size = 0
  for (let at = 0; at < base64.length; at += DECODED_AT_ONCE) {
    size += bytes.write(base64.slice(at, at + DECODED_AT_ONCE), size, 'base64')
    await nextTurn()
  }
  // Node skips invalid characters, and the result has fewer bytes.
  if (base64.length % 4 !== 0 || size !== bytes.length)
    throw new Fault('BAD_INPUT', { why: 'base64: Invalid base64-encoded string' })
  return bytes
}
