/** Bodies in memory, as they are. */
import { sha256 } from '@/server/shared/sha256'
import type { Bodies, NewBody } from '@/server/store/interfaces'
import { requireText } from '@/server/store/shared/names'
import type { MemoryData } from './memoryData'
import type { MemoryContext } from './memoryStore'

/** Keep it, or touch the one that is there. */
export function keepBody(data: MemoryData, { sha, bytes, mime }: NewBody, at: number): void {
  const known = data.bodies.get(sha)
  if (known) known.touched = at
  else data.bodies.set(sha, { bytes: bytes.slice(), mime, touched: at })
}

export function memoryBodies({ data, now, ensureOpen }: MemoryContext): Bodies {
  return {
    async put(bytes, mime) {
      ensureOpen()
      requireText('mime', mime)
      const sha = sha256(bytes)
      keepBody(data, { sha, bytes, mime }, now())
      return { sha, bytes: bytes.length }
    },
    async get(sha) {
      ensureOpen()
      const body = data.bodies.get(sha)
      return body ? { bytes: body.bytes.slice(), mime: body.mime } : null
    },
    async forget(shas, before) {
      ensureOpen()
      const old = [...new Set(shas)].filter((sha) => (data.bodies.get(sha)?.touched ?? before) < before)
      for (const sha of old) data.bodies.delete(sha)
      return old.length
    },
  }
}
