/** Protection against requests of other sites: the Origin of a request, and the hosts that are ours. */
import type { IncomingHttpHeaders } from 'node:http'
import { hostname } from 'node:os'
import ipaddr from 'ipaddr.js'
import { Fault } from '@/lib/faults'
import { isLoopback } from '../../net'
import { tokenIn } from '../sessions/personalTokens'

/**
 * Is this the Origin of our own pages? A request without one is accepted: no page of another site sent it. With
 * PUBLIC_URL, only that Origin and loopback names are ours: a foreign name may resolve to this server (DNS rebinding).
 */
export function isOwnOrigin(origin: string | undefined, host: string | undefined, publicUrl: string | null): boolean {
  if (origin === undefined) return true
  if (publicUrl !== null && origin === new URL(publicUrl).origin) return true
  if (host === undefined || (publicUrl !== null && !isLoopback(hostnameOf(host)))) return false
  return origin === `http://${host}` || origin === `https://${host}`
}

type Headed = { headers: Pick<IncomingHttpHeaders, 'host' | 'origin' | 'authorization'> }
/** What is ours. address: what the server listens on, as a URL */
export type OwnAddresses = { publicUrl: string | null; address: () => string }

/**
 * Throws FOREIGN_ORIGIN when a page of another site sent the request, and FOREIGN_HOST when it was sent to a name that is not
 * known to be ours. With PUBLIC_URL a proxy may send any Host, and the Origin says enough. No page of another site knows a personal
 * access token, beside which no cookie counts: a program may call from anywhere.
 */
export function assertOwnRequest(request: Headed, own: OwnAddresses): void {
  if (tokenIn(request.headers) !== null) return
  assertOwnHost(request, own)
  assertOwnOrigin(request, own.publicUrl)
}

/** Throws FOREIGN_HOST. */
export function assertOwnHost({ headers: { host } }: Headed, { publicUrl, address }: OwnAddresses): void {
  if (publicUrl === null && !isOwnHost(host, address()))
    throw new Fault('FOREIGN_HOST', { host: (host ?? '').slice(0, 200) })
}

/** Throws FOREIGN_ORIGIN. For programs, which may know this server by any name. */
export function assertOwnOrigin({ headers: { origin, host } }: Headed, publicUrl: string | null): void {
  if (!isOwnOrigin(origin, host, publicUrl)) throw new Fault('FOREIGN_ORIGIN', { origin: (origin ?? '').slice(0, 200) })
}

/**
 * Can this Host not be the name of another site that resolves to this server (DNS rebinding)? Addresses, names without a
 * dot, which the public DNS does not have, loopback names, this machine's name and the one of HOST cannot.
 */
export function isOwnHost(host: string | undefined, address: string): boolean {
  const name = hostnameOf(host ?? '')
  const machine = hostname().toLowerCase()
  return (
    name !== '' &&
    (ipaddr.isValid(name) ||
      !name.includes('.') ||
      isLoopback(name) ||
      name === machine ||
      name === `${machine}.local` ||
      name === hostnameOf(new URL(address).host))
  )
}

/** The name or address in a Host header, without port and brackets; '' when it cannot be read. */
function hostnameOf(host: string): string {
  const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : null
  return url === null || url.host === '' ? '' : url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}
