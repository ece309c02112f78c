/** Fetches a picture from a foreign address: one call of limited time and size, without redirects. */
import { type Outbound, PrivateAddressError } from '../net'

const LIMIT_MS = 10_000
const MOST_BYTES = 10 * 1024 * 1024
const PICTURE = /^image\/(png|jpeg|gif|webp|avif|bmp)$/

type FetchedPicture = { bytes: Uint8Array; mime: string } | { why: string }

/** in: call decides about private addresses. out: the picture, or why there is none. Never rejects */
export async function fetchPicture(call: Outbound, url: string): Promise<FetchedPicture> {
  try {
    const { status, headers, bytes } = await call(url, {
      method: 'GET',
      limitMs: LIMIT_MS,
      answerBytes: MOST_BYTES + 1,
    })
    const mime = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
    if (status !== 200) return { why: `its server answered ${status}` }
    if (!PICTURE.test(mime)) return { why: `it is no picture (${mime.slice(0, 100) || 'no type'})` }
    if (bytes.length > MOST_BYTES) return { why: 'it is larger than 10 MiB' }
    return { bytes, mime }
  } catch (error) {
    const isPrivate = error instanceof PrivateAddressError
    return { why: isPrivate ? 'it lies in a private network' : 'its server could not be reached' }
  }
}
