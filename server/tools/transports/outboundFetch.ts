/** A fetch for remote servers: allowed addresses, headers, redirects. */
import type { Readable } from 'node:stream'
import type { FetchLike } from '@modelcontextprotocol/client'
import { isPrivateHost, openCall, PrivateAddressError, type PrivateReach } from '../../net'
import { streamOfBytes } from '../../shared/pieces'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const
const MOST_REDIRECTS = 5
/** Time limit of requests to other hosts, such as sign-in servers. */
const ELSEWHERE_MS = 10_000
const ELSEWHERE_BYTES = 1024 * 1024
/** Headers that redirects to another origin drop, as in the platform's fetch. */
const OF_ORIGIN = ['authorization', 'cookie']
const WITHOUT_BODY = [204, 205, 304]

/** One request in a chain of redirects, with its buffered body. */
type Hop = { url: URL; method: (typeof METHODS)[number]; headers: Headers; body: Uint8Array | undefined }

/**
 * A fetch for one server. Every redirect is checked like the first address; the headers are sent to the server only.
 *
 * in      headers: added to requests to the server's origin; allowPrivate: may the server be in a private network?
 * faults  an Error for a private address, unless the server itself is private; a TypeError for a failed connection
 */
export function outboundFetch(
  server: URL,
  headers: Record<string, string>,
  allowPrivate: PrivateReach = true,
): FetchLike {
  async function send({ url, method, headers: asked, body }: Hop, signal: AbortSignal) {
    const isOwn = url.origin === server.origin
    const all = new Headers(asked)
    if (isOwn) for (const [name, value] of Object.entries(headers)) all.set(name, value)
    try {
      return await openCall(url.href, {
        allowPrivate: isOwn ? allowPrivate : (await isPrivateHost(server.hostname)) && allowPrivate,
        method,
        headers: Object.fromEntries(all),
        ...(body === undefined ? {} : { body }),
        signal: isOwn ? signal : AbortSignal.any([signal, AbortSignal.timeout(ELSEWHERE_MS)]),
      })
    } catch (error) {
      if (signal.aborted) throw error
      if (!(error instanceof PrivateAddressError)) throw new TypeError('fetch failed', { cause: error })
      if (isOwn) throw error
      throw new Error(`${server.host} names ${url.host}, which lies in a private network; it is not asked`)
    }
  }

  return async (address, init) => {
    // Request accepts any form of body and sets its type.
    const asked = new Request(address, init)
    let hop = await firstHop(asked)
    const isFollowed =
      asked.redirect === 'follow' && (hop.url.origin === server.origin || (await isPrivateHost(server.hostname)))
    for (let count = 0; count <= MOST_REDIRECTS; count += 1) {
      const { statusCode: status, headers, body } = await send(hop, asked.signal)
      const next = isFollowed ? nextHop(hop, status, headersOf(headers).get('location')) : null
      const hasBody = next === null && !WITHOUT_BODY.includes(status)
      // An unread body would block its connection.
      if (!hasBody) body.destroy()
      if (next === null) {
        const most = hop.url.origin === server.origin ? Number.POSITIVE_INFINITY : ELSEWHERE_BYTES
        // An iterator alone would wait for the pending chunk when it is cancelled.
        const content = hasBody ? streamOfBytes(bounded(body, most), () => void body.destroy()) : null
        return new Response(content, { status, headers: headersOf(headers) })
      }
      hop = next
    }
    throw new TypeError(`${server.host} redirects more than ${MOST_REDIRECTS} times`)
  }
}

async function firstHop(asked: Request): Promise<Hop> {
  const url = new URL(asked.url)
  const method = METHODS.find((one) => one === asked.method)
  if (method === undefined) throw new Error(`${url.host} is not asked by ${asked.method}`)
  const body = new Uint8Array(await asked.arrayBuffer())
  return { url, method, headers: asked.headers, body: body.length === 0 ? undefined : body }
}

/** null: the answer is no redirect. */
function nextHop({ url, method, headers, body }: Hop, status: number, location: string | null): Hop | null {
  if (![301, 302, 303, 307, 308].includes(status) || location === null || !URL.canParse(location, url)) return null
  const next = new URL(location, url)
  const kept = new Headers(headers)
  if (next.origin !== url.origin) for (const name of OF_ORIGIN) kept.delete(name)
  if (status >= 307 || method === 'GET') return { url: next, method, headers: kept, body }
  kept.delete('content-type')
  return { url: next, method: 'GET', headers: kept, body: undefined }
}

function headersOf(headers: Record<string, string | string[] | undefined>): Headers {
  const all = new Headers()
  for (const [name, value] of Object.entries(headers)) for (const one of [value ?? []].flat()) all.append(name, one)
  return all
}

/** Throws an Error beyond `most` bytes. */
async function* bounded(body: Readable, most: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > most) throw new Error(`the answer has more than ${most} bytes`)
    yield piece
  }
}
