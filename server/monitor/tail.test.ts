/** The newest entries in memory: handed out without a gap, or not at all. */
import { describe, expect, it } from 'vitest'
import type { Entry } from '@/lib/mas/events'
import { walk } from '@/test/worldHistories'
import { createTail } from './tail'

const [any] = walk([]).entries
if (!any) throw new Error('no entry')
const entries = (from: number, to: number): Entry[] =>
  Array.from({ length: to - from + 1 }, (_, n) => ({ ...any, seq: from + n }))
const seqs = (found: Entry[] | null): number[] | null => found?.map(({ seq }) => seq) ?? null

describe('the newest entries', () => {
  it('are those after the one asked for; nothing is missing at the head or past it', () => {
    const tail = createTail(10, 5)
    tail.add(entries(11, 13))
    expect(seqs(tail.since(10))).toEqual([11, 12, 13])
    expect(seqs(tail.since(12))).toEqual([13])
    expect([seqs(tail.since(13)), seqs(tail.since(14))]).toEqual([[], []])
    expect(tail.since(9)).toBeNull()
  })

  it('are handed out as many as were agreed, and not one more', () => {
    const tail = createTail(0, 5)
    tail.add(entries(1, 8))
    expect(seqs(tail.since(3))).toEqual([4, 5, 6, 7, 8])
    expect(tail.since(2)).toBeNull()
  })

  it('stay whole when older ones are cut away', () => {
    const tail = createTail(0, 3)
    for (let seq = 1; seq <= 20; seq++) {
      tail.add(entries(seq, seq))
      expect(seqs(tail.since(Math.max(0, seq - 3)))).toEqual(seqs(entries(Math.max(1, seq - 2), seq)))
    }
  })

  it('come once, also when they are told twice', () => {
    const tail = createTail(0, 9)
    tail.add(entries(1, 3))
    tail.add(entries(2, 4))
    expect(seqs(tail.since(0))).toEqual([1, 2, 3, 4])
  })

  it('begin anew behind a gap', () => {
    const tail = createTail(0, 9)
    tail.add(entries(1, 2))
    tail.add(entries(5, 6))
    expect(tail.since(1)).toBeNull()
    expect(tail.since(3)).toBeNull()
    expect(seqs(tail.since(4))).toEqual([5, 6])
  })

  it('of before the start join on only where nothing is missing between', () => {
    const [joined, apart, none] = [createTail(5, 9), createTail(5, 9), createTail(5, 9)]
    joined.add(entries(6, 7))
    joined.addBefore(entries(3, 6))
    expect(seqs(joined.since(2))).toEqual([3, 4, 5, 6, 7])
    expect(joined.since(1)).toBeNull()
    apart.add(entries(6, 7))
    apart.addBefore(entries(3, 4))
    expect(apart.since(4)).toBeNull()
    expect(seqs(apart.since(5))).toEqual([6, 7])
    none.addBefore(entries(4, 5))
    expect(seqs(none.since(3))).toEqual([4, 5])
  })

  it('are none at the very start, but for who lacks nothing', () => {
    const tail = createTail(5, 9)
    expect([tail.since(4), tail.since(5)]).toEqual([null, []])
  })
})
