/** Keys and signatures of peers. Keys are in memory only; no log, entry or answer holds them. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { PeerId } from '@/lib/mas/ids'
import type { PeerMade, PeerRecord } from '@/lib/mas/outside/records'
import type { PeerSecrets } from '@/server/otherSystems'
import { signatureProblem, signBody } from './signatures'

/** Peers that operators add and remove at run time. secret: the value of a variable. */
type MadePeers = { all: () => readonly PeerRecord[]; secret: (name: string) => string | null }

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** in: keys of the configured peers; now: epoch ms; made: left out: there are no others */
export function openPeerKeys(secrets: readonly PeerSecrets[], now: () => number, made?: MadePeers) {
  const byKey = secrets.flatMap(({ id, key }) => (key === null ? [] : [{ id, digest: digest(key) }]))
  const byId = new Map(secrets.map((one) => [one.id, one]))
  const madeOf = (id: PeerId): PeerMade | undefined => made?.all().find((peer) => peer.id === id && !peer.removed)?.made

  const holderOf = (key: string): PeerId | null => {
    const shown = digest(key)
    const ofMade = (made?.all() ?? []).flatMap((peer) =>
      peer.made === undefined || peer.removed ? [] : [{ id: peer.id, digest: Buffer.from(peer.made.keySha, 'hex') }],
    )
    let found: PeerId | null = null
    // Compares with all keys, so that timing reveals nothing.
    for (const one of [...byKey, ...ofMade]) if (timingSafeEqual(one.digest, shown)) found = one.id
    return found
  }
  const secretOf = (name: string | null): string | null => (name === null ? null : (made?.secret(name) ?? null))
  const signingKeyOf = (peer: PeerId): string | null => {
    const own = madeOf(peer)
    return own === undefined ? (byId.get(peer)?.signingKey ?? null) : secretOf(own.signingKeyEnv)
  }
  const mustSign = (peer: PeerId): boolean =>
    (madeOf(peer)?.signingKeyEnv ?? null) !== null || signingKeyOf(peer) !== null

  return {
    /** The peer whose key is in the header `Authorization: Bearer …`; null: no peer. */
    holder(authorization: string | undefined): PeerId | null {
      const [, key] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
      return key === undefined ? null : holderOf(key)
    },
    holderOf,
    hasKey: (peer: PeerId): boolean => madeOf(peer) !== undefined || (byId.get(peer)?.key ?? null) !== null,
    /** The key that we send to the peer; null: it needs none. */
    sendKey(peer: PeerId): string | null {
      const own = madeOf(peer)
      return own === undefined ? (byId.get(peer)?.sendKey ?? null) : secretOf(own.sendKeyEnv)
    },
    /** The signature of these bytes at the present time; null: this peer needs none. */
    sign(peer: PeerId, bytes: string | Uint8Array): string | null {
      const key = signingKeyOf(peer)
      return key === null ? null : signBody(key, bytes, now())
    },
    /** Must the peer sign? Also true while the variable that an operator named is empty. */
    mustSign,
    /**
     * Why a signature is refused, for the peer to read; null: it is accepted.
     *
     * in      signature: null or undefined: none came, which is right for a peer that does not sign
     */
    signatureProblem(peer: PeerId, bytes: string | Uint8Array, signature: string | null | undefined): string | null {
      const key = signingKeyOf(peer)
      if (key !== null) return signatureProblem(key, bytes, signature, now())
      const isPlain = (signature ?? null) === null && !mustSign(peer)
      return isPlain ? null : 'There is no key here that both sign with.'
    },
  }
}

export type PeerKeys = ReturnType<typeof openPeerKeys>
