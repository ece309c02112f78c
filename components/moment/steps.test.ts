/** Going from moment to moment. */
import { describe, expect, it } from 'vitest'
import type { MomentBucket, MomentChange } from '@/lib/wire/http'
import {
  changeAt,
  endsOf,
  lastUntil,
  type MomentList,
  markedBeside,
  marksOn,
  seqAtShare,
  shareOf,
  stepped,
} from './steps'

const change = (seq: number, place: number, kind: 'ask' | null = null): MomentChange => ({
  seq,
  at: seq * 1_000,
  place,
  mark: kind === null ? null : { kind, who: 'a', whom: [] },
})
const bucket = (from: number, to: number, changes: number, ask = 0): MomentBucket => ({
  ...{ from, to, at: from * 1_000, changes },
  marks: { ask, answer: 0, failure: 0, stage: 0, checkpoint: 0 },
})
const list: MomentList = {
  whole: { changes: 20, buckets: [bucket(10, 20, 10, 12), bucket(30, 50, 10)] },
  near: [change(10, 1), change(12, 2, 'ask'), change(20, 3), change(30, 4), change(44, 5, 'ask')],
}

describe('a moment', () => {
  it('shows the last change until then', () => {
    expect([9, 11, 12, 90].map((seq) => changeAt(list.near, seq)?.place ?? null)).toEqual([null, 1, 2, 5])
  })

  it('[R628] is moved by changes, and stays within those that are known', () => {
    expect(stepped(list, 12, 1)).toBe(20)
    expect(stepped(list, 12, -1)).toBe(10)
    expect([stepped(list, 12, 100), stepped(list, 12, -100)]).toEqual([44, 10])
    // Between two changes.
    expect([stepped(list, 25, 1), stepped(list, 25, -1)]).toEqual([30, 20])
  })

  it('[R628] is moved from mark to mark', () => {
    expect([markedBeside(list, 30, -1), markedBeside(list, 30, 1)]).toEqual([12, 44])
    expect([markedBeside(list, 12, -1), markedBeside(list, 44, 1)]).toEqual([null, null])
    expect(marksOn(list.whole)).toEqual([{ kind: 'ask', share: 0.1 }])
  })

  it('stands on the scale by changes, not by time, and is found there again', () => {
    expect(endsOf(list.whole)).toEqual({ first: 10, last: 50 })
    expect([shareOf(list.whole, 10), shareOf(list.whole, 25), shareOf(list.whole, 50)]).toEqual([0, 0.5, 1])
    for (const seq of [10, 15, 20, 40, 50]) expect(seqAtShare(list.whole, shareOf(list.whole, seq))).toBe(seq)
  })

  it('[R628] is played by time', () => {
    expect(lastUntil(list.near, 29_000)?.seq).toBe(20)
    expect(lastUntil(list.near, 1)).toBeNull()
  })
})
