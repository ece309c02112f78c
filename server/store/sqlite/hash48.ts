/**
 * An id as 48 bits, for an index. Not unique: whoever looks up by it also compares the id.
 * The numbers are on disk: never change the function, add a migration.
 */
export function hash48(text: string): number {
  let low = 0x811c9dc5
  let high = 0x9747b28c
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x85ebca6b) ^ (high >>> 13)
  }
  return ((high >>> 16) & 0xffff) * 0x1_0000_0000 + (low >>> 0)
}

/** The first 48 bits of a SHA-256 in hex, for an index as well. */
export const first48 = (sha: string): number => Number.parseInt(sha.slice(0, 12), 16)
