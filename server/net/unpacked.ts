/** Bodies of answers as their server meant them: some compress although nobody asked for it. */
import { pipeline, type Readable, Transform } from 'node:stream'
import zlib from 'node:zlib'

/** The most encodings in a row; each could make a small answer a large one. */
const MOST_ENCODINGS = 3

/** What comes out as soon as it can: an event stream is read while it lasts. */
const AT_ONCE = { flush: zlib.constants.Z_SYNC_FLUSH }

function unpackerOf(encoding: string): Transform | null {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip(AT_ONCE)
    case 'deflate':
      return zlib.createInflate(AT_ONCE)
    case 'br':
      return zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH })
    case 'zstd': {
      // Node 20 has none.
      const make: unknown = Reflect.get(zlib, 'createZstdDecompress')
      const step: unknown = typeof make === 'function' ? make() : null
      return step instanceof Transform ? step : null
    }
    default:
      return null
  }
}

type Headers = Record<string, string | string[] | undefined>

/**
 * in      the head of an answer and its body as it comes over the network
 * out     the same, decompressed (gzip, deflate, br, zstd where Node has it), without the headers that say so. Of an encoding that
 *         is not known, unchanged. It is as large as its reader lets it become: nothing is read ahead
 * faults  the body ends with an error when it is cut, or is not what its header says
 */
export function unpacked(headers: Headers, body: Readable): { headers: Headers; body: Readable } {
  const { 'content-encoding': said, 'content-length': _, ...rest } = headers
  const encodings = [said ?? []]
    .flat()
    .join(',')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'identity')
  if (encodings.length === 0 || encodings.length > MOST_ENCODINGS) return { headers, body }
  const steps: Transform[] = []
  for (const encoding of encodings.reverse()) {
    const step = unpackerOf(encoding)
    if (step === null) return { headers, body }
    steps.push(step)
  }
  // The reader of the last step hears of every error.
  pipeline([body, ...steps], () => {})
  return { headers: rest, body: steps.at(-1) ?? body }
}
