/**
 * Where requests for a remote server may go, and what they carry.
 *
 * Owns: configured headers go to the server's own origin only; addresses that the server names (where to sign in) may not
 * lead a public server's clients into a private network.
 * Used by: remoteTransport.ts.
 */
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isPrivateHost } from '../net'

/**
 * A fetch for one server.
 *
 * faults  an Error for an address in a private network, when the server itself is not in one
 */
export function outboundFetch(server: URL, headers: Record<string, string>): FetchLike {
  return async (address, init) => {
    const url = new URL(address)
    if (url.origin !== server.origin) {
      if (!(await isPrivateHost(server.hostname)) && (await isPrivateHost(url.hostname))) {
        throw new Error(`${server.host} names ${url.host}, which lies in a private network; it is not asked`)
      }
      return fetch(url, init)
    }
    const all = new Headers(init?.headers)
    for (const [name, value] of Object.entries(headers)) all.set(name, value)
    return fetch(url, { ...init, headers: all })
  }
}
