/**
 * Bytes at rest: deflated when that saves a tenth, else as they are.
 * Used by bodies and snapshots of stores that keep them on disk.
 */
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'

export type Packed = { packed: boolean; data: Uint8Array }

const deflating = promisify(deflateRaw)
const inflating = promisify(inflateRaw)

/** Below this the deflate header and the thread hop cost more than they save. */
const WORTH_BYTES = 200

export async function pack(bytes: Uint8Array): Promise<Packed> {
  if (bytes.length < WORTH_BYTES) return { packed: false, data: bytes }
  const data = await deflating(bytes)
  return data.length < bytes.length * 0.9 ? { packed: true, data } : { packed: false, data: bytes }
}

export async function unpack({ packed, data }: Packed): Promise<Uint8Array> {
  return packed ? plain(await inflating(data)) : plain(data)
}

/** A Uint8Array and not a Buffer: the two compare and slice differently. */
function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
