/** One page of the console at its socket: what is sent to it, and how much of that it has not read. */
import type { Socket } from 'socket.io'
import type { AgentId } from '@/lib/mas/ids'
import type { ClientToServer, ServerToClient, SignedOut } from '@/lib/wire/views'
import type { MonitorConnection } from '../../monitor'
import type { SocketMeter } from '../ports'

export type SocketPage = MonitorConnection & {
  readonly session: string
  readonly cookie: string | undefined
  /** Steps whose text it follows. */
  follows: ReadonlySet<string>
  bufferedBytes: () => number
  signOut: (reason: SignedOut['reason']) => void
}

/** in: backlog: messages that may be queued; with more the page is disconnected */
export function openPage(
  socket: Socket<ClientToServer, ServerToClient>,
  { person, sessionId }: { person: AgentId; sessionId: string },
  backlog: number,
  meter: SocketMeter | undefined,
): SocketPage {
  let unread = 0
  let unreadBytes = 0
  let createdBytes = 0
  socket.conn.on('packetCreate', ({ data }: { data?: unknown }) => {
    const size = sizeOf(data)
    unread += 1
    unreadBytes += size
    createdBytes += size
  })
  socket.conn.on('drain', () => {
    unread = 0
    unreadBytes = 0
  })
  return {
    person,
    session: sessionId,
    cookie: socket.handshake.headers.cookie,
    follows: new Set(),
    bufferedBytes: () => unreadBytes + socket.conn.request.socket.writableLength,
    send: (event, message, view) => {
      if (unread > backlog) {
        socket.disconnect(true)
        return
      }
      const before = createdBytes
      // Its packets are made before this returns.
      socket.emit(event, ...([message] as Parameters<ServerToClient[typeof event]>))
      meter?.sent(event, view ?? null, createdBytes - before)
    },
    signOut: (reason) => {
      socket.emit('signedOut', { reason })
      socket.disconnect(true)
    },
  }
}

const sizeOf = (data: unknown): number =>
  typeof data === 'string' || data instanceof Uint8Array ? Buffer.byteLength(data) : 0
