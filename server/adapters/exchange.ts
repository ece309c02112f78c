/** Records envelopes without effect: counts those of unknown senders, logs those of peers. */
import type { IncomingMessage } from 'node:http'
import { previewOf } from '@/lib/mas/bodies'
import type { AgentId, PeerId } from '@/lib/mas/ids'
import type { Protocol } from '@/lib/mas/outsideRecords'
import type { BodyRef } from '@/lib/mas/records'
import type { Engine } from '../engine/port'
import type { Clients } from '../net'
import { type LimitName, type LimitRule, openRateLimit } from '../shared/limits'
import { sha256 } from '../shared/sha256'
import type { Store } from '../store'
import { openRefusedSenders } from './refusedSenders'

/**
 * An envelope that led to no message of ours.
 *
 * direction   left out: incoming; out: the answer that was sent
 * theirs      the sender's id of the envelope, if it could be read
 * envelope    its bytes, or the announced size
 */
type NotedEnvelope = {
  peer: PeerId
  protocol: Protocol
  direction?: 'in' | 'out'
  theirs: string | null
  verdict: string
  status?: number | null
  why?: string | null
  envelope: Uint8Array | number
}

const WHY_CHARACTERS = 300

type ExchangeParts = Parameters<typeof openRefusedSenders>[0] & {
  engine: Pick<Engine, 'commit'>
  bodies: Pick<Store['bodies'], 'put'>
  clients: Clients
  limits: Record<LimitName, LimitRule>
  now: () => number
  newId: () => string
  log: { warn(data: object, message: string): void }
}

/** out: what all protocols use to receive, answer and record envelopes */
export function openExchange({ engine, bodies, clients, limits, now, newId, log, ...shared }: ExchangeParts) {
  const refusedSenders = openRefusedSenders(shared)
  const envelopes = openRateLimit(limits.envelopes, now)
  const refusedKeys = openRateLimit(limits.refusedKeys, now)
  const reads = openRateLimit(limits.costlyReads, now)
  return {
    /** Count a refusal of an unknown sender. */
    countRefused: refusedSenders.add,
    refused: refusedSenders.list,
    /** Keep an envelope of a peer with its verdict. Never rejects. */
    async note({
      theirs,
      why = null,
      status = null,
      direction = 'in',
      envelope,
      ...line
    }: NotedEnvelope): Promise<void> {
      const { protocol } = line
      const isWhole = typeof envelope !== 'number'
      const id = newId()
      try {
        const answer = await engine.commit({
          id,
          by: `system:${protocol}`,
          command: {
            type: 'noteEnvelope',
            ...line,
            direction,
            status,
            theirs: theirs ?? '',
            why: why?.slice(0, WHY_CHARACTERS) ?? null,
            bytes: isWhole ? envelope.length : envelope,
            sha: isWhole ? sha256(envelope) : '',
            body: isWhole ? await keepEnvelope(bodies, envelope) : null,
          },
        })
        if (!answer.ok) log.warn({ err: answer.fault, command: id }, 'an envelope could not be recorded')
      } catch (error) {
        log.warn({ err: error, command: id }, 'an envelope could not be recorded')
      }
    },
    /** Counts one envelope of a peer. out: seconds to wait; 0: it may pass */
    tooMany: (peer: PeerId): Promise<number> => envelopes.take(peer),
    /** Counts one refusal of a client without a known key. out: seconds to wait; 0: it may pass */
    tooManyRefused: (request: IncomingMessage): Promise<number> => refusedKeys.take(clients.keyOf(request)),
    /** Counts one read of a person of ours. out: seconds to wait; 0: it may pass */
    tooManyReads: (person: AgentId): Promise<number> => reads.take(person),
  }
}

export type Exchange = ReturnType<typeof openExchange>

/** Only the beginning of a longer envelope is kept. */
export const KEPT_EXCHANGE_BYTES = 256 * 1024

/** Store an envelope as sent. It is stored when the reference is returned. */
export async function keepEnvelope(bodies: Pick<Store['bodies'], 'put'>, envelope: Uint8Array): Promise<BodyRef> {
  const kept = envelope.subarray(0, KEPT_EXCHANGE_BYTES)
  const { sha } = await bodies.put(kept, MIME)
  return { sha, bytes: kept.length, preview: previewOf(new TextDecoder().decode(kept.subarray(0, 1_600))), mime: MIME }
}
const MIME = 'application/json'
