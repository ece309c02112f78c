import { lookup as lookupWith } from 'node:dns'
import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isHostService } from '@/lib/mas/setup/hostServices'

/** The address is in a private network and is not called. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
  constructor(readonly host: string) {
    super(`${host} lies in a private network; it is not called.`)
  }
}

function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address)
  // ::/96 (deprecated) embeds IPv4 addresses, private ones too. No public host uses it.
  const isOldMapped = parsed instanceof ipaddr.IPv6 && parsed.parts.slice(0, 6).every((part) => part === 0)
  return parsed.range() === 'unicast' && !isOldMapped && !isHostService(address)
}
/** May private addresses be called? `loopback`: those of this machine, and no others. */
export type PrivateReach = boolean | 'loopback'

const isReachable = (address: string, allow: PrivateReach): boolean =>
  allow === true || isPublic(address) || (allow === 'loopback' && ipaddr.process(address).range() === 'loopback')

/** Without brackets, and without the dot at the end that makes a name absolute. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** in: an address or name without brackets; out: is it this machine, by itself? */
export function isLoopback(host: string): boolean {
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() === 'loopback'
  return host === 'localhost' || host.endsWith('.localhost')
}

/** null: a name, about which only its addresses tell. */
export function isReachableByItself(hostname: string, allow: PrivateReach): boolean | null {
  const host = bare(hostname).toLowerCase()
  if (allow === true) return true
  if (ipaddr.isValid(host)) return isReachable(host, allow)
  return isLoopback(host) ? allow === 'loopback' : null
}

/** May it be called, by all its addresses? A name that leads nowhere may. */
export async function mayReach(hostname: string, allow: PrivateReach): Promise<boolean> {
  const known = isReachableByItself(hostname, allow)
  if (known !== null) return known
  const addresses = await lookup(bare(hostname), { all: true }).catch(() => [])
  return addresses.every(({ address }) => isReachable(address, allow))
}

/** Is it an address in a private network, or a name that leads to one? A name that leads nowhere is not. */
export const isPrivateHost = async (hostname: string): Promise<boolean> => !(await mayReach(hostname, false))

/** A lookup that refuses names of private addresses. The connection uses the same answer, so a name cannot change between. */
export const lookupWithin =
  (allow: PrivateReach): LookupFunction =>
  (hostname, options, callback) => {
    lookupWith(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0)
      const [first] = found
      if (first === undefined || found.some(({ address }) => !isReachable(address, allow)))
        return callback(new PrivateAddressError(hostname), '', 0)
      if (options.all) callback(null, found)
      else callback(null, first.address, first.family)
    })
  }
