/**
 * The web sockets of peers: which agents are connected, messages to them, and the answers to our requests.
 */

import type { PeerId } from '@/lib/mas/ids'
import { BROADCAST, correlationOf, type WireEnvelope } from '@/lib/protocols/envelope/envelope'
import { recentMap } from '../../shared/recentMap'
import type { OutgoingMessage } from '../adapter'

export type EnvelopeConnection = {
  peer: PeerId
  /** The agents that have spoken on it, as URIs. */
  agents: Set<string>
  /** out: whether it could be sent */
  send(text: string): boolean
}

export interface EnvelopeConnections {
  open(connection: EnvelopeConnection): () => void
  /** Does an agent of that URI hold a connection? */
  isConnected(uri: string): boolean
  /** An envelope came in on one of them. */
  came(envelope: WireEnvelope): void
  /**
   * Send it where the agent is connected.
   *
   * in      signal: stop waiting for the answer
   * out     null: the agent is not connected; 'sent': no answer is due, or none came in time; else the answer
   */
  offer(
    sending: Pick<OutgoingMessage, 'peer' | 'to' | 'signal'>,
    envelope: WireEnvelope,
    text: string,
  ): Promise<WireEnvelope | 'sent' | null>
  /**
   * An event to all goes to each connection of its peer but the one that it came on, once by its id; other envelopes go to none.
   *
   * in      on: null: it came by HTTP
   */
  relay(said: { peer: PeerId; on: EnvelopeConnection | null; envelope: WireEnvelope; text: string }): void
}

const ANSWER_LIMIT_MS = 20_000
/** Ids of events to all that are remembered, so that a repeat is not passed on again. */
const MOST_RELAYED = 10_000

export function openEnvelopeConnections(schedule: (run: () => void, ms: number) => () => void): EnvelopeConnections {
  const all = new Set<EnvelopeConnection>()
  const waiting = new Map<string, (answer: WireEnvelope) => void>()
  const relayed = recentMap<string, true>(MOST_RELAYED)

  return {
    open(connection) {
      all.add(connection)
      return () => all.delete(connection)
    },
    isConnected: (uri) => [...all].some(({ agents }) => agents.has(uri)),
    came(envelope) {
      const correlation = correlationOf(envelope)
      if (correlation !== null) waiting.get(correlation)?.(envelope)
    },
    async offer({ peer, to, signal }, envelope, text) {
      const own = [...all].filter((one) => one.peer === peer.id)
      // A connection that has named its agents gets messages for them; one that has not gets all.
      const connection = own.find(({ agents }) => agents.has(to)) ?? own.find(({ agents }) => agents.size === 0)
      if (connection === undefined || !connection.send(text)) return null
      if (envelope.message_type !== 'request') return 'sent'
      return new Promise((resolve) => {
        const done = (answer: WireEnvelope | 'sent'): void => {
          waiting.delete(envelope.message_id)
          stop()
          signal.removeEventListener('abort', giveUp)
          resolve(answer)
        }
        const giveUp = (): void => done('sent')
        const stop = schedule(giveUp, ANSWER_LIMIT_MS)
        signal.addEventListener('abort', giveUp)
        waiting.set(envelope.message_id, done)
        if (signal.aborted) giveUp()
      })
    },
    relay({ peer, on, envelope: { message_type, receiver_id, message_id, sender_id }, text }) {
      if (message_type !== 'event' || receiver_id !== BROADCAST) return
      const key = JSON.stringify([peer, sender_id, message_id])
      if (relayed.get(key) !== undefined) return
      relayed.set(key, true)
      for (const one of all) if (one !== on && one.peer === peer) one.send(text)
    },
  }
}
