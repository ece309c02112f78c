/** The client of a request, possibly behind proxies. */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

/** in  trustedProxies: addresses and ranges (CIDR), checked by the configuration */
export function openClients(trustedProxies: readonly string[]) {
  const ranges = trustedProxies.map(rangeOf)
  const isTrusted = (address: string): boolean => {
    if (!ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    return ranges.some(([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits))
  }
  const directOf = (request: IncomingMessage): string => request.socket.remoteAddress ?? 'unknown'

  function addressOf(request: IncomingMessage): string {
    let address = directOf(request)
    // Each proxy appends its client: read from the right, up to the first address that is no trusted proxy.
    const forwarded = listOf(request.headers['x-forwarded-for'])
    while (isTrusted(address)) {
      const before = forwarded.pop()
      if (before === undefined || !ipaddr.isValid(before)) break
      address = before
    }
    return address
  }

  return {
    /** The address of a client, for the log. */
    addressOf,
    /**
     * What is counted for a client: its address; of IPv6 the /64, which one household holds as a whole. X-Forwarded-For counts
     * as far as trusted proxies wrote it.
     */
    keyOf: (request: IncomingMessage): string => keyOfAddress(addressOf(request)),
    /** The same for a connection before its first request; null: a trusted proxy's, which is of many clients, or one that is closed. */
    keyOfConnection: ({ remoteAddress: address }: Pick<Socket, 'remoteAddress'>): string | null =>
      address === undefined || isTrusted(address) ? null : keyOfAddress(address),
    /** Is a trusted proxy the peer of this connection? */
    isFromProxy: (request: IncomingMessage): boolean => isTrusted(directOf(request)),
    /** Did it come by https? True by X-Forwarded-Proto of a trusted proxy only: this server itself speaks http. */
    isHttps: (request: IncomingMessage): boolean =>
      // The proxy that is connected to us wrote the last one.
      isTrusted(directOf(request)) && listOf(request.headers['x-forwarded-proto']).at(-1) === 'https',
  }
}

export type Clients = ReturnType<typeof openClients>

function keyOfAddress(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

function rangeOf(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

const listOf = (header: string | string[] | undefined): string[] =>
  (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
