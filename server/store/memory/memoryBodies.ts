/** Bodies in memory, as they are. */
import type { Bodies } from '../interfaces'
import { requireText, shaOf } from '../shared/names'
import type { MemoryContext } from './memoryStore'

export function memoryBodies({ data, ensureOpen }: MemoryContext): Bodies {
  return {
    async put(bytes, mime) {
      ensureOpen()
      requireText('mime', mime)
      const sha = shaOf(bytes)
      if (!data.bodies.has(sha)) data.bodies.set(sha, { bytes: bytes.slice(), mime })
      return { sha, bytes: bytes.length }
    },
    async get(sha) {
      ensureOpen()
      const body = data.bodies.get(sha)
      return body ? { bytes: body.bytes.slice(), mime: body.mime } : null
    },
    async has(sha) {
      ensureOpen()
      return data.bodies.has(sha)
    },
    async sizes() {
      ensureOpen()
      const bodies = [...data.bodies.values()].reduce((sum, { bytes }) => sum + bytes.length, 0)
      const journal = data.entries.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0)
      return { bodies, journal, db: bodies + journal }
    },
  }
}
