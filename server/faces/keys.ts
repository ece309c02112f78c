/**
 * Keys of peers: whose one is, and signatures over bytes.
 *
 * Owns: comparing keys in constant time, HMAC. Keys stay in memory and reach no log, entry or answer.
 * Not here: what a peer may do (lib/mas/commands/takeFromOutside.ts decides it), the names of headers (each face).
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { PeerId } from '@/lib/mas/ids'
import type { PeerSecrets } from './face'

export interface Keys {
  /** Whose key the header `Authorization: Bearer …` shows; null: nobody's. */
  holder(authorization: string | undefined): PeerId | null
  /** Whose key that is; null: nobody's. */
  holderOf(key: string): PeerId | null
  /** Does the peer show a key at all? */
  hasKey(peer: PeerId): boolean
  /** Our key at theirs; null: they want none. */
  sendKey(peer: PeerId): string | null
  /** `sha256=<hex>` over the bytes with the key of both; null: there is none. */
  sign(peer: PeerId, bytes: string | Uint8Array): string | null
  /** Is it the signature of these bytes? Without a key of both nothing is. */
  isSigned(peer: PeerId, bytes: Uint8Array, signature: string): boolean
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

export function openKeys(secrets: readonly PeerSecrets[]): Keys {
  const byKey = secrets.flatMap(({ id, key }) => (key === null ? [] : [{ id, digest: digest(key) }]))
  const byId = new Map(secrets.map((one) => [one.id, one]))

  const holderOf = (key: string): PeerId | null => {
    const shown = digest(key)
    let found: PeerId | null = null
    // All are compared, so that the time tells nothing.
    for (const one of byKey) if (timingSafeEqual(one.digest, shown)) found = one.id
    return found
  }
  const sign = (peer: PeerId, bytes: string | Uint8Array): string | null => {
    const key = byId.get(peer)?.signingKey ?? null
    return key === null ? null : `sha256=${createHmac('sha256', key).update(bytes).digest('hex')}`
  }

  return {
    holder(authorization) {
      const [, key] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
      return key === undefined ? null : holderOf(key)
    },
    holderOf,
    hasKey: (peer) => (byId.get(peer)?.key ?? null) !== null,
    sendKey: (peer) => byId.get(peer)?.sendKey ?? null,
    sign,
    isSigned(peer, bytes, signature) {
      const right = sign(peer, bytes)
      return right !== null && timingSafeEqual(digest(right), digest(signature.trim().toLowerCase()))
    },
  }
}
