/** The web sockets that peers hold open for one protocol: which agents are connected, messages of ours to them, and what answers these. */
import type { PeerId } from '@/lib/mas/ids'
import type { OutgoingMessage } from './adapter'

export type PeerConnection = {
  peer: PeerId
  /** The agents that have spoken on it, as URIs. */
  agents: Set<string>
  /** out: whether it could be sent */
  send(text: string): boolean
}

export interface PeerConnections<Answer> {
  /** out: it is closed */
  open(connection: PeerConnection): () => void
  /** Does an agent of that URI hold a connection? */
  isConnected(uri: string): boolean
  /** The one on which that agent of the peer is reached; a connection that has named no agents is for all. */
  to(peer: PeerId, uri: string): PeerConnection | undefined
  /** Those of a peer that are open. */
  of(peer: PeerId): PeerConnection[]
  /** What came in answers our message of that id; null: none. */
  answered(id: string | null, answer: Answer): void
  /**
   * Send it where the agent is connected.
   *
   * in      awaited: our id by which its answer names it; null: no answer is due. signal: stop waiting for the answer
   * out     null: the agent is not connected; 'sent': no answer is due, or none came in time; else the answer
   */
  offer(
    sending: Pick<OutgoingMessage, 'peer' | 'to' | 'signal'>,
    text: string,
    awaited: string | null,
  ): Promise<Answer | 'sent' | null>
}

const ANSWER_LIMIT_MS = 20_000

/** in: schedule: ends the wait for an answer over a connection; out: the connections of all peers by one protocol, none yet */
export function openConnections<Answer>(
  schedule: (run: () => void, ms: number) => () => void,
): PeerConnections<Answer> {
  const all = new Set<PeerConnection>()
  const waiting = new Map<string, (answer: Answer) => void>()
  const of = (peer: PeerId): PeerConnection[] => [...all].filter((one) => one.peer === peer)

  const connectionTo = (peer: PeerId, uri: string): PeerConnection | undefined => {
    const own = of(peer)
    return own.find(({ agents }) => agents.has(uri)) ?? own.find(({ agents }) => agents.size === 0)
  }

  return {
    of,
    to: connectionTo,
    open(connection) {
      all.add(connection)
      return () => all.delete(connection)
    },
    isConnected: (uri) => [...all].some(({ agents }) => agents.has(uri)),
    answered(id, answer) {
      if (id !== null) waiting.get(id)?.(answer)
    },
    async offer({ peer, to, signal }, text, awaited) {
      if (connectionTo(peer.id, to)?.send(text) !== true) return null
      if (awaited === null) return 'sent'
      return new Promise((resolve) => {
        const done = (answer: Answer | 'sent'): void => {
          waiting.delete(awaited)
          stop()
          signal.removeEventListener('abort', giveUp)
          resolve(answer)
        }
        const giveUp = (): void => done('sent')
        const stop = schedule(giveUp, ANSWER_LIMIT_MS)
        signal.addEventListener('abort', giveUp)
        waiting.set(awaited, done)
        if (signal.aborted) giveUp()
      })
    },
  }
}
