/** How the line to the server is: one word, and what stands behind it. Pure. */

import type { Beat } from '@/lib/wire/views'

export type ConnectionWord = 'live' | 'catching-up' | 'slow' | 'offline' | 'signed-out' | 'new-version'

/**
 * seq         last entry the server has, as of the last beat
 * lastBeatAt  page's clock, epoch ms; null before the first
 * since       when the word became what it is, page's clock, epoch ms
 * liveTo      the last entry that was shown while the line was live; 0 before the first
 * missed      while catching up: entries that came meanwhile, and how many of them are here; null when there is nothing to count
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

/** Whether what is sent now can arrive; behind or slow is no hindrance. */
export const isUp = (word: ConnectionWord): boolean => word === 'live' || word === 'catching-up' || word === 'slow'

/** Silence after which a line counts as slow, and as dead: the server says something each second. */
export const SLOW_AFTER_MS = 3_000
export const OFFLINE_AFTER_MS = 5_000

export type LinkState = {
  isOpen: boolean
  isSignedOut: boolean
  isOtherVersion: boolean
  /** When anything was last heard on this connection; null: nothing yet. */
  heardAt: number | null
  beat: Beat | null
  beatAt: number | null
  /** The last entry that is held of what was asked for and has not come; null: all has come. */
  heldTo: number | null
}

export const deadLink: LinkState = {
  isOpen: false,
  isSignedOut: false,
  isOtherVersion: false,
  heardAt: null,
  beat: null,
  beatAt: null,
  heldTo: null,
}

export function connectionWordOf(line: LinkState, now: number): ConnectionWord {
  if (line.isSignedOut) return 'signed-out'
  if (line.isOtherVersion) return 'new-version'
  if (!line.isOpen) return 'offline'
  const silentMs = line.heardAt === null ? 0 : now - line.heardAt
  if (silentMs >= OFFLINE_AFTER_MS) return 'offline'
  if (silentMs >= SLOW_AFTER_MS) return 'slow'
  return line.heldTo !== null || line.beat === null ? 'catching-up' : 'live'
}

/** The next state; the same object when nothing that is shown changed. */
export function connectionOf(old: ConnectionState, line: LinkState, now: number): ConnectionState {
  const word = connectionWordOf(line, now)
  const seq = line.beat?.head ?? old.seq
  const node = line.beat?.node ?? old.node
  const lastBeatAt = line.beatAt ?? old.lastBeatAt
  if (word === old.word && seq === old.seq && node === old.node && lastBeatAt === old.lastBeatAt) return old
  const liveTo = word === 'live' ? seq : old.liveTo
  const missed = word === 'catching-up' && line.beat !== null ? missedOf(liveTo, line.heldTo ?? seq, seq) : null
  return { word, seq, node, lastBeatAt, since: word === old.word ? old.since : now, liveTo, missed }
}

const missedOf = (from: number, heldTo: number, seq: number): ConnectionState['missed'] =>
  from === 0 || seq <= from ? null : { done: Math.max(0, Math.min(heldTo, seq) - from), of: seq - from }
