/** Where a request comes from: its Origin, and the names under which this server is reached. */
import type { IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import ipaddr from 'ipaddr.js'
import { Fault } from '@/lib/faults'

/**
 * Is this the Origin of our own pages? None at all is fine: then no page of another site sent it. With PUBLIC_URL only that is,
 * and this machine itself: a foreign name that leads here would be the Origin of a foreign page.
 *
 * in      origin header; host header; PUBLIC_URL, or null
 */
export function isOwnOrigin(origin: string | undefined, host: string | undefined, publicUrl: string | null): boolean {
  if (origin === undefined) return true
  if (publicUrl !== null && origin === new URL(publicUrl).origin) return true
  if (host === undefined || (publicUrl !== null && !isLoopback(hostnameOf(host)))) return false
  return origin === `http://${host}` || origin === `https://${host}`
}

/** Throws FOREIGN_ORIGIN for a request that a page of another site sent. */
export function assertOwnOrigin(request: IncomingMessage, publicUrl: string | null): void {
  const { origin, host } = request.headers
  if (!isOwnOrigin(origin, host, publicUrl)) throw new Fault('FOREIGN_ORIGIN', { origin: (origin ?? '').slice(0, 200) })
}

/**
 * May a link name this Host? Loopback names, the address that the request came to, and the name of this machine; any other
 * was chosen by whoever sent the request.
 */
export function isOwnHost(request: IncomingMessage): boolean {
  const name = hostnameOf(request.headers.host ?? '')
  const { localAddress } = request.socket
  const isConnected =
    ipaddr.isValid(name) &&
    localAddress !== undefined &&
    ipaddr.process(name).toString() === ipaddr.process(localAddress).toString()
  const machine = hostname().toLowerCase()
  return isLoopback(name) || isConnected || name === machine || name === `${machine}.local`
}

/** The name or address in a Host header, without port and brackets; '' when it cannot be read. */
function hostnameOf(host: string): string {
  const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : null
  return url === null || url.host === '' ? '' : url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

function isLoopback(name: string): boolean {
  if (ipaddr.isValid(name)) return ipaddr.process(name).range() === 'loopback'
  return name === 'localhost' || name.endsWith('.localhost')
}
