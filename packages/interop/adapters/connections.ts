/** Open web sockets of peers for one protocol: connected agents, our messages to them, and the answers. */
import type { PeerId } from '@/lib/mas/ids'
import type { Protocol } from '@/lib/mas/outside/peerProtocols'
import type { AdapterContext, OutgoingMessage } from './adapter'
import type { PeerSocket } from './socket'

export type PeerConnection = Pick<PeerSocket, 'peer' | 'agents' | 'send' | 'deliver'>

const ANSWER_LIMIT_MS = 20_000

/** out: an empty registry of connections for one protocol */
export function openConnections<Answer>(
  protocol: Protocol,
  { schedule, reached, ways }: Pick<AdapterContext, 'schedule' | 'reached' | 'ways'>,
) {
  const all = new Map<PeerConnection, ReturnType<AdapterContext['ways']['open']>>()
  // One message may go to agents of several peers.
  const waiting = new Map<string, (answer: Answer) => void>()
  const keyOf = (peer: PeerId, id: string): string => JSON.stringify([peer, id])
  const of = (peer: PeerId): PeerConnection[] => [...all.keys()].filter((one) => one.peer === peer)

  /** The connection of that agent of the peer; one that named no agents serves all of the peer. */
  const connectionTo = (peer: PeerId, uri: string): PeerConnection | undefined => {
    const own = of(peer)
    return own.find(({ agents }) => agents.has(uri)) ?? own.find(({ agents }) => agents.size === 0)
  }

  return {
    of,
    to: connectionTo,
    /** out: call it when the connection has closed */
    open(connection: PeerConnection): () => void {
      const { peer, agents } = connection
      const way = ways.open(() => ({ protocol, peer, agents: [...agents] }))
      all.set(connection, way)
      reached((outgoing) => outgoing.peer === peer)
      return () => {
        all.delete(connection)
        way.close()
      }
    },
    /** An agent is connected here: messages to it are sent on this connection. */
    name(connection: PeerConnection, uri: string): void {
      if (connection.agents.has(uri)) return
      connection.agents.add(uri)
      all.get(connection)?.changed()
      if (all.has(connection)) reached(({ peer }) => peer === connection.peer)
    },
    /** A message of this peer answers ours of that id; null: it answers none. */
    answered(peer: PeerId, id: string | null, answer: Answer): void {
      if (id !== null) waiting.get(keyOf(peer, id))?.(answer)
    },
    /**
     * Send a text to an agent's connection.
     *
     * in      awaited: our id that the answer refers to; null: no answer is expected. signal: stop waiting
     * out     null: the agent is not connected; 'unread': the socket ended before the text was read; 'sent': no answer is
     *         expected, or none came in time; else the answer
     */
    async offer(
      { peer, to, signal }: Pick<OutgoingMessage, 'to' | 'signal'> & { peer: { id: PeerId } },
      text: string,
      awaited: string | null,
    ): Promise<Answer | 'sent' | 'unread' | null> {
      const connection = connectionTo(peer.id, to)
      if (connection === undefined) return null
      const read = connection.deliver(text, signal)
      if (awaited === null) return (await read) ? 'sent' : 'unread'
      const key = keyOf(peer.id, awaited)
      return new Promise((resolve) => {
        const done = (answer: Answer | 'sent' | 'unread'): void => {
          waiting.delete(key)
          stop()
          signal.removeEventListener('abort', giveUp)
          resolve(answer)
        }
        const giveUp = (): void => void read.then((isRead) => done(isRead ? 'sent' : 'unread'))
        const stop = schedule(giveUp, ANSWER_LIMIT_MS)
        signal.addEventListener('abort', giveUp)
        waiting.set(key, done)
        void read.then((isRead) => {
          if (!isRead || signal.aborted) giveUp()
        })
      })
    },
  }
}

export type PeerConnections<Answer> = ReturnType<typeof openConnections<Answer>>
