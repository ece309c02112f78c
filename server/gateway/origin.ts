/**
 * Where a request comes from: its Origin and its address.
 *
 * Owns: which Origin is ours, whose address a request is counted under.
 * Used by: route.ts for /api, the sockets at their handshake.
 */
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { Fault } from '@/lib/faults'

/**
 * Is this the Origin of our own pages? None at all is fine: then no page of another site sent it.
 *
 * in      origin header; host header; PUBLIC_URL, or null
 */
export function isOwnOrigin(origin: string | undefined, host: string | undefined, publicUrl: string | null): boolean {
  if (origin === undefined) return true
  if (publicUrl !== null && origin === new URL(publicUrl).origin) return true
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)
}

/** Throws FOREIGN_ORIGIN for a request that a page of another site sent. */
export function assertOwnOrigin(request: IncomingMessage, publicUrl: string | null): void {
  const { origin, host } = request.headers
  if (!isOwnOrigin(origin, host, publicUrl)) throw new Fault('FOREIGN_ORIGIN', { origin: (origin ?? '').slice(0, 200) })
}

/**
 * The address a try is counted under. A proxy on this machine is believed about whom it speaks for (its last word only);
 * nobody else is, or anyone could write a new address into each try.
 */
export function addressOf(request: IncomingMessage): string {
  const direct = request.socket.remoteAddress ?? 'unknown'
  if (!ipaddr.isValid(direct) || ipaddr.process(direct).range() !== 'loopback') return direct
  const forwarded = request.headers['x-forwarded-for']
  const last = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',').at(-1)?.trim() ?? ''
  return ipaddr.isValid(last) ? last : direct
}
