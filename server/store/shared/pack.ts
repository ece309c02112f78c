/** Compression of stored bytes: deflated if that saves at least 10 %. */
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliDecompress,
  constants,
  deflateRaw,
  deflateRawSync,
  inflateRaw,
  inflateRawSync,
} from 'node:zlib'

type Packed = { packed: boolean; data: Uint8Array }

const deflating = promisify(deflateRaw)
const inflating = promisify(inflateRaw)
const squeezing = promisify(brotliCompress)
const unsqueezing = promisify(brotliDecompress)

/** Below this size the deflate header and the use of a thread cost more than they save. */
const WORTH_BYTES = 200

/** Up to this size deflating is faster than using a thread; a small window avoids clearing 256 KiB for a few hundred bytes. */
const SMALL_BYTES = 8 * 1024
const SMALL_WINDOW = { windowBits: 12, memLevel: 5 }

export async function pack(bytes: Uint8Array): Promise<Packed> {
  if (bytes.length < WORTH_BYTES) return { packed: false, data: bytes }
  const data = bytes.length <= SMALL_BYTES ? deflateRawSync(bytes, SMALL_WINDOW) : await deflating(bytes)
  return data.length < bytes.length * 0.9 ? { packed: true, data } : { packed: false, data: bytes }
}

export async function unpack({ packed, data }: Packed): Promise<Uint8Array> {
  if (!packed) return plain(data)
  return plain(data.length <= SMALL_BYTES ? inflateRawSync(data) : await inflating(data))
}

/** The compression of a snapshot in its row; on disk, so a number's meaning never changes. */
const FORMS = { plain: 0, deflated: 1, squeezed: 2 } as const
/** A window for a task of thousands of steps; this quality is as fast as deflate and needs 20 % less space. */
const SQUEEZE = { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 22 } }

/** For large, rarely written and repetitive data. */
export async function squeeze(bytes: Uint8Array): Promise<{ form: number; data: Uint8Array }> {
  if (bytes.length > SMALL_BYTES) return { form: FORMS.squeezed, data: await squeezing(bytes, SQUEEZE) }
  const { packed, data } = await pack(bytes)
  return { form: packed ? FORMS.deflated : FORMS.plain, data }
}

export async function unsqueeze(form: number, data: Uint8Array): Promise<Uint8Array> {
  return form === FORMS.squeezed ? plain(await unsqueezing(data)) : unpack({ packed: form === FORMS.deflated, data })
}

/** A Uint8Array and not a Buffer: the two compare and slice differently. */
function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
