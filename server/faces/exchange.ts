/**
 * What is kept of envelopes that had no effect: before a peer is known they are counted only, after it each is a line.
 *
 * Owns: the counts, the limits of how often somebody may try, putting the lines, keeping an envelope as a body. Not here: the
 * lines of envelopes that were taken (their decision keeps them).
 */
import { previewOf } from '@/lib/mas/bodies'
import type { PeerId } from '@/lib/mas/ids'
import type { Protocol } from '@/lib/mas/outsideRecords'
import type { BodyRef } from '@/lib/mas/records'
import type { Engine } from '../engine/port'
import { recentMap } from '../shared/recentMap'
import { sha256 } from '../shared/sha256'
import type { Store } from '../store'

/**
 * An envelope that brought about no message of ours.
 *
 * direction   left out: it came in; out: what its sender was answered
 * theirs      the sender's id of it, as far as it could be read
 * envelope    as it went over the wire, or how many bytes of it were announced
 */
export type NotedEnvelope = {
  peer: PeerId
  protocol: Protocol
  direction?: 'in' | 'out'
  theirs: string | null
  verdict: string
  status: number | null
  why: string | null
  envelope: Uint8Array | number
}

export interface Exchange {
  /** Refused before anybody knew whose it is. */
  countRefused(protocol: Protocol, code: string): void
  /** Since the start: by protocol and code. */
  refused(): { protocol: Protocol; code: string; count: number }[]
  /** Of a peer that is known: kept with its verdict. Never rejects. */
  note(envelope: NotedEnvelope): Promise<void>
  /** Counts one envelope of a peer. out: seconds to wait, 0: go on. */
  tooMany(peer: PeerId): number
  /** Counts one refusal of an address that showed no good key. out: seconds to wait, 0: go on. */
  tooManyRefused(address: string): number
}

const WINDOW_MS = 60_000
export const ENVELOPES_PER_MINUTE = 600
export const REFUSALS_PER_MINUTE = 60
/** More names than this are never kept: what was used longest ago goes first. */
const MOST_KEYS = 10_000
const WHY_CHARACTERS = 300

export type ExchangeParts = {
  engine: Pick<Engine, 'commit'>
  bodies: Pick<Store['bodies'], 'put'>
  now: () => number
  newId: () => string
  log: { warn(data: object, message: string): void }
}

export function openExchange({ engine, bodies, now, newId, log }: ExchangeParts): Exchange {
  const counts = new Map<string, { protocol: Protocol; code: string; count: number }>()
  const peers = openWindow(ENVELOPES_PER_MINUTE, now)
  const addresses = openWindow(REFUSALS_PER_MINUTE, now)
  return {
    countRefused(protocol, code) {
      const key = `${protocol} ${code}`
      const known = counts.get(key) ?? { protocol, code, count: 0 }
      counts.set(key, { ...known, count: known.count + 1 })
    },
    refused: () => [...counts.values()],
    async note({ theirs, why, direction = 'in', envelope, ...line }) {
      const { protocol } = line
      const isWhole = typeof envelope !== 'number'
      try {
        const answer = await engine.commit({
          id: newId(),
          by: `system:${protocol}`,
          command: {
            type: 'noteEnvelope',
            ...line,
            direction,
            theirs: theirs ?? '',
            why: why?.slice(0, WHY_CHARACTERS) ?? null,
            bytes: isWhole ? envelope.length : envelope,
            sha: isWhole ? sha256(envelope) : '',
            body: isWhole ? await keepEnvelope(bodies, envelope) : null,
          },
        })
        if (!answer.ok) log.warn({ err: answer.fault }, 'an envelope could not be noted')
      } catch (error) {
        log.warn({ err: error }, 'an envelope could not be noted')
      }
    },
    tooMany: peers,
    tooManyRefused: addresses,
  }
}

/** Of a longer envelope its beginning is kept. */
export const KEPT_BYTES = 256 * 1024

/** The envelope as it went over the wire, to be looked at. It is in the store when the reference comes back. */
export async function keepEnvelope(bodies: Pick<Store['bodies'], 'put'>, envelope: Uint8Array): Promise<BodyRef> {
  const kept = envelope.subarray(0, KEPT_BYTES)
  const { sha } = await bodies.put(kept, MIME)
  return { sha, bytes: kept.length, preview: previewOf(new TextDecoder().decode(kept.subarray(0, 1_600))), mime: MIME }
}
const MIME = 'application/json'

/** So many of one name in a minute. out: a function that counts one, and says how many seconds are left when it is too many */
function openWindow(most: number, now: () => number): (key: string) => number {
  const seen = recentMap<string, { since: number; count: number }>(MOST_KEYS)
  return (key) => {
    const at = now()
    const had = seen.get(key)
    const window = had && at - had.since < WINDOW_MS ? had : { since: at, count: 0 }
    window.count += 1
    seen.set(key, window)
    return window.count > most ? Math.max(1, Math.ceil((window.since + WINDOW_MS - at) / 1_000)) : 0
  }
}
