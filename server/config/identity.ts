/** Derives uuids from configured ids. */
import { createHash } from 'node:crypto'

/**
 * The uuid of a configured id: the same on every machine and at all times.
 *
 * in      kind: agents and people share one namespace
 * out     a version 8 uuid (from a hash). Tests pin it: another result would orphan existing journals
 */
export function uuidOf(kind: 'agent' | 'task' | 'peer', id: string): string {
  const bytes = createHash('sha256').update(['convene', kind, '', id].join('\0')).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
