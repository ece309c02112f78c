/** One large artifact in pieces, after the answer that announced it. */

import { CHUNK_BYTES, CHUNK_NOTIFICATION, type Chunk, chunkCount } from '@/lib/protocols/map/trajectory'
import { sha256 } from '../../shared/sha256'

/** out: resolves when the piece has left; rejects when the socket is gone. */
type SendNotification = (method: string, params: Record<string, unknown>) => Promise<void>

/** The pieces in order; the last one has the SHA-256 of the whole, in lower-case hex. Rejects with the socket. */
export async function streamArtifact(bytes: Uint8Array, streamId: string, notify: SendNotification): Promise<void> {
  const last = chunkCount(bytes.length) - 1
  for (let index = 0; index <= last; index++) {
    const piece = bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES)
    const chunk: Chunk = {
      streamId,
      index,
      data: Buffer.from(piece).toString('base64'),
      final: index === last,
      ...(index === last ? { checksum: sha256(bytes) } : {}),
    }
    await notify(CHUNK_NOTIFICATION, chunk)
  }
}
