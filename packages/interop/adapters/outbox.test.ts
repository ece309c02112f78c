/** When a message to another system is tried again: longer and longer pauses, what the peer asks for up to an hour, an end after a day. */
import { describe, expect, it } from 'vitest'
import { type AgentId, asId, type ConversationId, type MessageId, type PeerId, type TaskId } from '@/lib/mas/ids'
import type { OutgoingRecord } from '@/lib/mas/outside/records'
import { GIVE_UP_MS, nextTry } from './outbox'

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]
const QUEUED = 1_700_000_000_000
const outgoing: OutgoingRecord = {
  task: asId<TaskId>('t1'),
  message: asId<MessageId>('m1'),
  agent: asId<AgentId>('a1'),
  peer: asId<PeerId>('p1'),
  conversation: asId<ConversationId>('c1'),
  queuedAt: QUEUED,
  attempts: 0,
  nextAt: QUEUED,
}
/** How long the pause is after that many tries, with what the peer said. */
const pause = (attempt: number, saidMs: number | null = null): number | null => {
  const at = nextTry(outgoing, attempt, QUEUED, saidMs)
  return at === null ? null : at - QUEUED
}

describe('the next try of a message to another system', () => {
  it('comes after pauses of 5 s, 20 s, 1 min, 5 min, 15 min, 1 h, and then every 3 h', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 20].map((attempt) => pause(attempt))).toEqual([
      5 * SECOND,
      20 * SECOND,
      MINUTE,
      5 * MINUTE,
      15 * MINUTE,
      HOUR,
      3 * HOUR,
      3 * HOUR,
      3 * HOUR,
    ])
  })

  it('waits as long as the peer asks for, an hour at most, and never less than its own pause', () => {
    expect(pause(1, 30 * SECOND)).toBe(30 * SECOND)
    expect(pause(1, HOUR)).toBe(HOUR)
    expect(pause(1, HOUR + 1)).toBe(HOUR)
    expect(pause(1, 365 * 24 * HOUR)).toBe(HOUR)
    expect(pause(4, SECOND)).toBe(5 * MINUTE)
  })

  it('no further try is planned more than a day after the message was due', () => {
    const last = QUEUED + GIVE_UP_MS - 3 * HOUR
    expect(nextTry(outgoing, 9, last, null)).toBe(QUEUED + GIVE_UP_MS)
    expect(nextTry(outgoing, 9, last + 1, null)).toBeNull()
  })
})
