/** Protection against requests of other sites: the Origin of a request, and the hosts that are ours. */
import type { IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import ipaddr from 'ipaddr.js'
import { Fault } from '@/lib/faults'
import { isLoopback } from '../../net'

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

/** Throws FOREIGN_ORIGIN when a page of another site sent the request. */
export function assertOwnOrigin(request: IncomingMessage, publicUrl: string | null): void {
  const { origin, host } = request.headers
  if (!isOwnOrigin(origin, host, publicUrl)) throw new Fault('FOREIGN_ORIGIN', { origin: (origin ?? '').slice(0, 200) })
}

/** May a sign-in link use this Host? Loopback names, the connection's local address and this machine's name may. */
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
