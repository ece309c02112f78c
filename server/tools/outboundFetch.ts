/** Where requests for a remote server may go, and what they carry. */
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isPrivateHost, openOutbound, PrivateAddressError } from '../net'

const call = openOutbound({ allowPrivate: false })
/** Of what a server for signing in answers. */
const ANSWER_BYTES = 1024 * 1024
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

/**
 * A fetch for one server.
 *
 * faults  an Error for an address in a private network, when the server itself is not in one
 */
export function outboundFetch(server: URL, headers: Record<string, string>): FetchLike {
  return async (address, init) => {
    const url = new URL(address)
    if (url.origin !== server.origin) {
      return (await isPrivateHost(server.hostname)) ? fetch(url, init) : publicFetch(server, url, init)
    }
    const all = new Headers(init?.headers)
    for (const [name, value] of Object.entries(headers)) all.set(name, value)
    return fetch(url, { ...init, headers: all })
  }
}

/** The address that is checked is the one that is connected to. No redirect is followed: the caller sees it. */
async function publicFetch(server: URL, url: URL, init: RequestInit = {}): Promise<Response> {
  // It reads any form of body, and names its type.
  const asked = new Request(url, { ...init, redirect: 'manual' })
  const method = METHODS.find((one) => one === asked.method)
  if (method === undefined) throw new Error(`${url.host} is not asked by ${asked.method}`)
  const body = new Uint8Array(await asked.arrayBuffer())
  const answer = await call(url.href, {
    method,
    headers: Object.fromEntries(asked.headers),
    ...(body.length === 0 ? {} : { body }),
    answerBytes: ANSWER_BYTES,
    signal: asked.signal,
  }).catch((error: unknown) => {
    if (!(error instanceof PrivateAddressError)) throw error
    throw new Error(`${server.host} names ${url.host}, which lies in a private network; it is not asked`)
  })
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) headers.set(name, value)
  const hasBody = ![204, 205, 304].includes(answer.status)
  return new Response(hasBody ? Buffer.from(answer.bytes) : null, { status: answer.status, headers })
}
