/** The state of the connection to the server, as one word with its details. Pure. */
import type { Beat } from '@/lib/wire/views'

export type ConnectionWord = 'live' | 'catching-up' | 'slow' | 'offline' | 'crowded' | 'signed-out' | 'new-version'

/**
 * seq         the server's last journal entry, as of the last beat
 * lastBeatAt  page's clock, epoch ms; null before the first
 * since       when `word` last changed, page's clock, epoch ms
 * liveTo      the last entry that was shown while the connection was live; 0 before the first
 * missed      while catching up: the entries since `liveTo`, and how many of them have arrived; null: nothing to count
 */
export type ConnectionState = {
  word: ConnectionWord
  seq: number
  lastBeatAt: number | null
  node: string | null
  since: number
  liveTo: number
  missed: { done: number; of: number } | null
}

export const DISCONNECTED: ConnectionState = {
  word: 'offline',
  seq: 0,
  lastBeatAt: null,
  node: null,
  since: 0,
  liveTo: 0,
  missed: null,
}

export const canSend = (word: ConnectionWord): boolean => word === 'live' || word === 'catching-up' || word === 'slow'

/** Silence after which a connection counts as slow, and as offline; the server sends a beat each second. */
const SLOW_AFTER_MS = 3_000
export const OFFLINE_AFTER_MS = 5_000

export type SocketState = {
  isOpen: boolean
  isSignedOut: boolean
  /** The server ended it: the person has too many pages open. */
  isCrowded: boolean
  isOtherVersion: boolean
  lastMessageAt: number | null
  beat: Beat | null
  beatAt: number | null
  /** The last entry that every pending view has; null: no view is pending. */
  caughtUpTo: number | null
}

export const CLOSED_SOCKET: SocketState = {
  isOpen: false,
  isSignedOut: false,
  isCrowded: false,
  isOtherVersion: false,
  lastMessageAt: null,
  beat: null,
  beatAt: null,
  caughtUpTo: null,
}

function connectionWordOf(socket: SocketState, now: number): ConnectionWord {
  if (socket.isSignedOut) return 'signed-out'
  if (socket.isOtherVersion) return 'new-version'
  if (!socket.isOpen) return socket.isCrowded ? 'crowded' : 'offline'
  const silentMs = socket.lastMessageAt === null ? 0 : now - socket.lastMessageAt
  if (silentMs >= OFFLINE_AFTER_MS) return 'offline'
  if (silentMs >= SLOW_AFTER_MS) return 'slow'
  return socket.caughtUpTo !== null || socket.beat === null ? 'catching-up' : 'live'
}

export function connectionOf(old: ConnectionState, socket: SocketState, now: number): ConnectionState {
  const word = connectionWordOf(socket, now)
  const seq = socket.beat?.head ?? old.seq
  const node = socket.beat?.node ?? old.node
  const lastBeatAt = socket.beatAt ?? old.lastBeatAt
  if (word === old.word && seq === old.seq && node === old.node && lastBeatAt === old.lastBeatAt) return old
  const liveTo = word === 'live' ? seq : old.liveTo
  const missed = word === 'catching-up' && socket.beat !== null ? missedOf(liveTo, socket.caughtUpTo ?? seq, seq) : null
  return { word, seq, node, lastBeatAt, since: word === old.word ? old.since : now, liveTo, missed }
}

const missedOf = (from: number, caughtUpTo: number, seq: number): ConnectionState['missed'] =>
  from === 0 || seq <= from ? null : { done: Math.max(0, Math.min(caughtUpTo, seq) - from), of: seq - from }
