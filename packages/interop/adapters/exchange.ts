/** Records envelopes without effect: counts those of unknown senders, logs those of peers. */
import type { IncomingMessage } from 'node:http'
import type { AgentId, PeerId } from '@/lib/mas/ids'
import { isUnseen } from '@/lib/mas/outside/outside'
import type { Protocol } from '@/lib/mas/outside/peerProtocols'
import type { NewEnvelope } from '@/lib/mas/outside/records'
import type { Engine } from '@/server/engine/port'
import type { Clients } from '@/server/net'
import { type LimitName, type LimitRule, openRateLimit } from '@/server/shared/limits'
import { sha256 } from '@/server/shared/sha256'
import type { Store } from '@/server/store'
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
  engine: Pick<Engine, 'commit' | 'world'>
  bodies: Pick<Store['bodies'], 'put'>
  envelopes: Pick<Store['envelopes'], 'add'>
  clients: Clients
  limits: Record<LimitName, LimitRule>
  now: () => number
  newId: () => string
  log: { warn(data: object, message: string): void }
}

/** out: what all protocols use to receive, answer and record envelopes */
export function openExchange(parts: ExchangeParts) {
  const { engine, clients, limits, now, newId, log, ...shared } = parts
  const refusedSenders = openRefusedSenders(shared)
  const received = openRateLimit(limits.envelopes, now)
  const refusedKeys = openRateLimit(limits.refusedKeys, now)
  const reads = openRateLimit(limits.costlyReads, now)
  return {
    /** Count a refusal of an unknown sender. */
    countRefused: refusedSenders.add,
    refused: refusedSenders.list,
    /** Keep an envelope of a peer with its verdict. It is stored when this resolves, unless it cannot be. Never rejects. */
    async note(noted: NotedEnvelope): Promise<void> {
      const peer = engine.world().peers[noted.peer]
      // Its key was valid when it came.
      if (!peer || peer.removed) return
      const id = newId()
      try {
        await parts.envelopes.add(await envelopeOf(parts, id, noted))
        if (noted.direction === 'out' || !isUnseen(peer, now())) return
        await engine.commit({
          id: newId(),
          by: `system:${noted.protocol}`,
          command: { type: 'seePeer', peer: peer.id },
        })
      } catch (error) {
        log.warn({ err: error, peer: peer.id }, 'an envelope could not be recorded')
      }
    },
    /** Counts one envelope of a peer. out: seconds to wait; 0: it may pass */
    tooMany: (peer: PeerId): Promise<number> => received.take(peer),
    /** Counts one refusal of a client without a known key. out: seconds to wait; 0: it may pass */
    tooManyRefused: (request: IncomingMessage): Promise<number> => refusedKeys.take(clients.keyOf(request)),
    /** Counts one read of a person of ours. out: seconds to wait; 0: it may pass */
    tooManyReads: (person: AgentId): Promise<number> => reads.take(person),
  }
}

export type Exchange = ReturnType<typeof openExchange>

async function envelopeOf(
  { bodies }: Pick<ExchangeParts, 'bodies'>,
  id: string,
  { theirs, why = null, status = null, direction = 'in', envelope, ...line }: NotedEnvelope,
): Promise<NewEnvelope> {
  const isWhole = typeof envelope !== 'number'
  return {
    ...{ conversation: null, task: null, outsider: null, message: null },
    ...line,
    id,
    direction,
    by: direction === 'out' ? 'call' : null,
    theirs: theirs ?? '',
    status,
    why: why?.slice(0, WHY_CHARACTERS) ?? null,
    bytes: isWhole ? envelope.length : envelope,
    sha: isWhole ? sha256(envelope) : '',
    body: isWhole ? await keepEnvelope(bodies, envelope) : null,
  }
}

/** Only the beginning of a longer envelope is kept. */
export const KEPT_EXCHANGE_BYTES = 256 * 1024

/** Store an envelope as sent. out: the SHA-256 by which it is stored */
export const keepEnvelope = async (bodies: Pick<Store['bodies'], 'put'>, envelope: Uint8Array): Promise<string> =>
  (await bodies.put(envelope.subarray(0, KEPT_EXCHANGE_BYTES), 'application/json')).sha
