/** Configured ids and the uuids that stand for them everywhere else. */
import { createHash } from 'node:crypto'

/**
 * The uuid of a configured id: the same for ever, on every machine.
 *
 * in      kind: agents and people share one space of ids; teamKey tells teams apart whose journals may meet
 * out     a uuid of version 8 (made from a hash), pinned by tests: another answer would orphan every journal that exists
 */
export function uuidOf(kind: 'agent' | 'task' | 'peer', id: string, teamKey = ''): string {
  const bytes = createHash('sha256').update(['convene', kind, teamKey, id].join('\0')).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
