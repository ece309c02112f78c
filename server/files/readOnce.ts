/** The SHA-256 of an open file, read in pieces. */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'

/** A larger file is not read: it is known by its size. */
export const MOST_BYTES = 1024 * 1024 * 1024

/** Reads a file. keep: bytes up to which its content is given. sha null: too large; content null: not kept. */
export async function readOnce(
  handle: FileHandle,
  keep = 0,
): Promise<{ sha: string | null; bytes: number; content: Buffer | null }> {
  const hash = createHash('sha256')
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of handle.createReadStream({ autoClose: false, start: 0 })) {
    const chunk: Buffer = piece
    hash.update(chunk)
    bytes += chunk.length
    // It may grow while it is read.
    if (bytes > MOST_BYTES) return { sha: null, bytes, content: null }
    if (bytes <= keep) pieces.push(chunk)
  }
  return { sha: hash.digest('hex'), bytes, content: bytes <= keep ? Buffer.concat(pieces, bytes) : null }
}
