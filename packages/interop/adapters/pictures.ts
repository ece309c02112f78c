/** Fetches pictures from foreign addresses: each by one call of limited time and size, without redirects. */
import { type Outbound, openOutbound, PrivateAddressError } from '@/server/net'

const LIMIT_MS = 10_000
const MOST_BYTES = 10 * 1024 * 1024
const PICTURE = /^image\/(png|jpeg|gif|webp|avif|bmp)$/

type FetchedPicture = { bytes: Uint8Array; mime: string } | { why: string }

type PictureLimits = {
  /** They may lie in private networks. */
  allowPrivate: boolean
  most: number
  /** Of all of them together. */
  mostBytes?: number
  signal?: AbortSignal
}

/** For the pictures of one call, list or message. out: fetches one: the picture, or why there is none. Never rejects */
export function openPictures({ allowPrivate, most, mostBytes = Number.POSITIVE_INFINITY, signal }: PictureLimits) {
  const outbound = openOutbound({ allowPrivate })
  const call: Outbound = (url, request) => outbound(url, { ...request, ...(signal ? { signal } : {}) })
  let [count, taken] = [0, 0]
  return async (url: string): Promise<FetchedPicture> => {
    count += 1
    if (count > most) return { why: `at most ${most} pictures of a list are` }
    if (signal?.aborted) return { why: 'it took too long' }
    const picture = await fetchPicture(call, url)
    if ('why' in picture) return picture
    taken += picture.bytes.length
    return taken > mostBytes ? { why: `the pictures of a list take at most ${mostBytes / 1024 / 1024} MiB` } : picture
  }
}

async function fetchPicture(call: Outbound, url: string): Promise<FetchedPicture> {
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
