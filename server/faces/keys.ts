/**
 * Keys of peers: whose one is, and signatures over bytes.
 *
 * Owns: comparing keys in constant time, HMAC. Keys stay in memory and reach no log, entry or answer.
 * Not here: what a peer may do (lib/mas/commands/takeFromOutside.ts decides it), the names of headers (each face), making
 * keys (server/gateway/routes/peers.ts).
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { PeerId } from '@/lib/mas/ids'
import type { PeerMade, PeerRecord } from '@/lib/mas/outsideRecords'
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
  /** Is it to sign what it says? Also where the variable that an operator named for it holds nothing. */
  mustSign(peer: PeerId): boolean
  /** Is it the signature of these bytes? Without a key of both nothing is. */
  isSigned(peer: PeerId, bytes: Uint8Array, signature: string): boolean
}

/** Peers that operators named: they come and go while the team works. secret: the value of a variable. */
export type MadePeers = { all: () => readonly PeerRecord[]; secret: (name: string) => string | null }

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** in: the keys of the configuration's peers; made: left out, there are no others */
export function openKeys(secrets: readonly PeerSecrets[], made?: MadePeers): Keys {
  const byKey = secrets.flatMap(({ id, key }) => (key === null ? [] : [{ id, digest: digest(key) }]))
  const byId = new Map(secrets.map((one) => [one.id, one]))
  const madeOf = (id: PeerId): PeerMade | undefined => made?.all().find((peer) => peer.id === id && !peer.removed)?.made

  const holderOf = (key: string): PeerId | null => {
    const shown = digest(key)
    const ofMade = (made?.all() ?? []).flatMap((peer) =>
      peer.made === undefined || peer.removed ? [] : [{ id: peer.id, digest: Buffer.from(peer.made.keySha, 'hex') }],
    )
    let found: PeerId | null = null
    // All are compared, so that the time tells nothing.
    for (const one of [...byKey, ...ofMade]) if (timingSafeEqual(one.digest, shown)) found = one.id
    return found
  }
  const secretOf = (name: string | null): string | null => (name === null ? null : (made?.secret(name) ?? null))
  const signingKeyOf = (peer: PeerId): string | null => {
    const own = madeOf(peer)
    return own === undefined ? (byId.get(peer)?.signingKey ?? null) : secretOf(own.signingKeyEnv)
  }
  const sign = (peer: PeerId, bytes: string | Uint8Array): string | null => {
    const key = signingKeyOf(peer)
    return key === null ? null : `sha256=${createHmac('sha256', key).update(bytes).digest('hex')}`
  }

  return {
    holder(authorization) {
      const [, key] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
      return key === undefined ? null : holderOf(key)
    },
    holderOf,
    hasKey: (peer) => madeOf(peer) !== undefined || (byId.get(peer)?.key ?? null) !== null,
    sendKey(peer) {
      const own = madeOf(peer)
      return own === undefined ? (byId.get(peer)?.sendKey ?? null) : secretOf(own.sendKeyEnv)
    },
    sign,
    mustSign: (peer) => (madeOf(peer)?.signingKeyEnv ?? null) !== null || signingKeyOf(peer) !== null,
    isSigned(peer, bytes, signature) {
      const right = sign(peer, bytes)
      return right !== null && timingSafeEqual(digest(right), digest(signature.trim().toLowerCase()))
    },
  }
}
