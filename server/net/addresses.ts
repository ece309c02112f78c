/** Which addresses lie in a private network. */
import { lookup as lookupWith } from 'node:dns'
import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The address that somebody else named lies in a private network: it is not called. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
  constructor(readonly host: string) {
    super(`${host} lies in a private network; it is not called.`)
  }
}

function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address)
  // ::/96 was a way to write IPv4 addresses, private ones too. Nobody public has one.
  const isOldMapped = parsed instanceof ipaddr.IPv6 && parsed.parts.slice(0, 6).every((part) => part === 0)
  return parsed.range() === 'unicast' && !isOldMapped
}
/** Without brackets, and without the dot at the end that makes a name absolute. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** null: a name, about which only its addresses tell. */
export function isPrivateByItself(hostname: string): boolean | null {
  const host = bare(hostname).toLowerCase()
  if (ipaddr.isValid(host)) return !isPublic(host)
  return host === 'localhost' || host.endsWith('.localhost') ? true : null
}

/** Is it an address in a private network, or a name that leads to one? A name that leads nowhere is not. */
export async function isPrivateHost(hostname: string): Promise<boolean> {
  const known = isPrivateByItself(hostname)
  if (known !== null) return known
  const addresses = await lookup(bare(hostname), { all: true }).catch(() => [])
  return addresses.some(({ address }) => !isPublic(address))
}

/**
 * Looks names up for a connection and refuses those that lead into a private network. The check and the connection use
 * the same answer: a name that says something else the second time leads nowhere.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookupWith(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, '', 0)
    const [first] = found
    if (first === undefined || found.some(({ address }) => !isPublic(address)))
      return callback(new PrivateAddressError(hostname), '', 0)
    if (options.all) callback(null, found)
    else callback(null, first.address, first.family)
  })
}
