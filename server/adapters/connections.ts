/** The web sockets that peers hold open for one protocol: which agents are connected, messages of ours to them, and what answers these. */
import type { PeerId } from '@/lib/mas/ids'
import type { AdapterContext, OutgoingMessage } from './adapter'
import type { PeerSocket } from './socket'

export type PeerConnection = Pick<PeerSocket, 'peer' | 'send' | 'deliver'> & {
  /** The agents that have spoken on it, as URIs. */
  agents: Set<string>
}

export interface PeerConnections<Answer> {
  /** out: it is closed */
  open(connection: PeerConnection): () => void
  /** That agent speaks on it: messages to it go there. */
  name(connection: PeerConnection, uri: string): void
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
   * in      awaited: our id by which its answer names it; null: no answer is due. signal: stop waiting
   * out     null: the agent is not connected; 'unread': its socket ended before it had read the text; 'sent': no answer is
   *         due, or none came in time; else the answer
   */
  offer(
    sending: Pick<OutgoingMessage, 'peer' | 'to' | 'signal'>,
    text: string,
    awaited: string | null,
  ): Promise<Answer | 'sent' | 'unread' | null>
}

const ANSWER_LIMIT_MS = 20_000

/** out: the connections of all peers by one protocol, none yet */
export function openConnections<Answer>({
  schedule,
  reached,
}: Pick<AdapterContext, 'schedule' | 'reached'>): PeerConnections<Answer> {
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
      reached(({ peer }) => peer === connection.peer)
      return () => all.delete(connection)
    },
    name(connection, uri) {
      if (connection.agents.has(uri)) return
      connection.agents.add(uri)
      if (all.has(connection)) reached(({ peer }) => peer === connection.peer)
    },
    isConnected: (uri) => [...all].some(({ agents }) => agents.has(uri)),
    answered(id, answer) {
      if (id !== null) waiting.get(id)?.(answer)
    },
    async offer({ peer, to, signal }, text, awaited) {
      const connection = connectionTo(peer.id, to)
      if (connection === undefined) return null
      const read = connection.deliver(text, signal)
      if (awaited === null) return (await read) ? 'sent' : 'unread'
      return new Promise((resolve) => {
        const done = (answer: Answer | 'sent' | 'unread'): void => {
          waiting.delete(awaited)
          stop()
          signal.removeEventListener('abort', giveUp)
          resolve(answer)
        }
        const giveUp = (): void => void read.then((isRead) => done(isRead ? 'sent' : 'unread'))
        const stop = schedule(giveUp, ANSWER_LIMIT_MS)
        signal.addEventListener('abort', giveUp)
        waiting.set(awaited, done)
        void read.then((isRead) => {
          if (!isRead || signal.aborted) giveUp()
        })
      })
    },
  }
}
