/** One page of the console at its socket: what is sent to it, and how much of that it has not read. */
import type { Socket } from 'socket.io'
import { memo } from '@/lib/memo'
import type { ClientToServer, ServerToClient, SignedOut } from '@/lib/wire/views'
import type { MonitorConnection } from '../../monitor'
import type { SocketMeter } from '../ports'
import type { Credentials, SocketSession } from '../sessions/visitors'

export type SocketPage = MonitorConnection & {
  readonly session: string
  readonly credentials: Credentials
  /** The session of a token; null: of a browser. */
  readonly program: string | null
  /** Steps whose text it follows. */
  follows: ReadonlySet<string>
  bufferedBytes: () => number
  /** There is another page too many of this person. most: pages that they may have */
  crowdOut: (most: number) => void
  signOut: (reason: SignedOut['reason']) => void
}

/** in: backlog: messages that may be queued; with more the page is disconnected */
export function openPage(
  socket: Socket<ClientToServer, ServerToClient>,
  { person, sessionId, scopes }: SocketSession,
  backlog: number,
  meter: SocketMeter | undefined,
): SocketPage {
  const { cookie, authorization } = socket.handshake.headers
  let unread = 0
  let unreadBytes = 0
  /** Of the message that is being sent; null: the packet is the library's own. */
  let sending: number | null = null
  socket.conn.on('packetCreate', ({ data }: { data?: unknown }) => {
    unread += 1
    unreadBytes += sending ?? sizeOf(data)
  })
  socket.conn.on('drain', () => {
    unread = 0
    unreadBytes = 0
  })
  return {
    person,
    session: sessionId,
    credentials: { cookie, authorization },
    program: scopes === undefined ? null : sessionId,
    follows: new Set(),
    bufferedBytes: () => unreadBytes + socket.conn.request.socket.writableLength,
    send: (event, message, view, shared) => {
      if (unread > backlog) {
        socket.disconnect(true)
        return
      }
      const { text, bytes } = packetOf(event, message, shared)
      // Its packet is created before this returns.
      sending = bytes
      socket.conn.write(text)
      sending = null
      meter?.sent(event, view ?? null, bytes)
    },
    crowdOut: (most) => {
      socket.emit('crowded', { most })
      socket.disconnect(true)
    },
    signOut: (reason) => {
      socket.emit('signedOut', { reason })
      socket.disconnect(true)
    },
  }
}

/**
 * A Socket.IO packet as `emit` would make it: type 2, then [event, message] as JSON. The library would make the text anew for each page.
 *
 * in   shared: members of the message that other pages get too, as one object: their text is made once
 */
function packetOf(event: string, message: object, shared: object | undefined): { text: string; bytes: number } {
  if (shared === undefined) {
    const text = `2${JSON.stringify([event, message])}`
    return { text, bytes: Buffer.byteLength(text) }
  }
  const own = Object.entries(message).filter(([name]) => !(name in shared))
  const before = `2["${event}",${JSON.stringify(Object.fromEntries(own)).slice(0, -1)},`
  const { text, bytes } = sharedText(shared)
  return { text: `${before}${text}]`, bytes: Buffer.byteLength(before) + bytes + 1 }
}

/** The members of an object as JSON, with its closing brace. */
const sharedText = memo((shared: object) => {
  const text = JSON.stringify(shared).slice(1)
  return { text, bytes: Buffer.byteLength(text) }
})

const sizeOf = (data: unknown): number =>
  typeof data === 'string' || data instanceof Uint8Array ? Buffer.byteLength(data) : 0
