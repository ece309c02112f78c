import { describe, expect, it } from 'vitest'
import type { TimelineBar, TimelineLane } from '@/lib/wire/rows'
import { barOf, laneOf } from '@/test/timelineRows'
import { countsOf, firstOf, isBusy, lastWordsOf, membersIn } from './atWork'
import { dropsIn, type Kept, keptAfter } from './kept'

const lane = (agent: string, change: Partial<TimelineLane> = {}) => laneOf(agent, { chip: 'idle', ...change })
/** A step that runs. */
const bar = (id: string, of: string, change: Partial<TimelineBar> = {}) =>
  barOf(of, id, { chip: 'running', from: 1, ...change })
const runs = (agent: string, step = `of ${agent}`) => lane(agent, { chip: 'running', running: step })
const waits = (agent: string) => lane(agent, { chip: 'waiting', waitingSince: 5 })
const blocked = (agent: string) => lane(agent, { chip: 'blocked', waitingSince: 5, cause: 'limit' })
const names = (members: readonly { lane: TimelineLane }[]) => members.map(({ lane: { agent } }) => agent)

describe('who is at work', () => {
  it('[R476] is who runs a step, with that step, or waits with a reason', () => {
    const rows = [runs('a', 's2'), bar('s1', 'a', { to: 3 }), bar('s2', 'a'), waits('b'), blocked('c'), lane('d')]
    const members = membersIn(rows)
    expect(members.map(({ step }) => step?.id ?? null)).toEqual(['s2', null, null, null])
    expect(names(members.filter(isBusy))).toEqual(['a', 'b', 'c'])
    expect(countsOf(members)).toEqual({ working: 1, waiting: 1, blocked: 1 })
  })

  it('[R476] is not who has nothing to do while the task is paused', () => {
    const paused = { chip: 'blocked', waitingSince: 5, cause: 'paused' } as const
    const rows = [lane('a', paused), bar('s', 'a'), lane('b', paused), bar('t', 'b', { to: 3 })]
    expect(names(membersIn(rows).filter(isBusy))).toEqual(['a'])
  })

  it('[R478] where there are too many, those that stand still give way, and one between two steps does not', () => {
    const members = membersIn([waits('a'), runs('b'), lane('c'), blocked('d'), runs('e')])
    expect(names(firstOf(members, 4))).toEqual(['b', 'c', 'd', 'e'])
    expect(names(firstOf(members, 3))).toEqual(['b', 'c', 'e'])
    expect(firstOf(members, 5)).toBe(members)
  })
})

describe('what stays on screen', () => {
  const kept = (before: Kept, present: string[], at: number) => keptAfter(before, present, at, 10)
  it('[R478] is what is there, and what was there until lately', () => {
    const first = kept(new Map(), ['a', 'b'], 100)
    const left = kept(first, ['b'], 104)
    expect([...left.keys()].sort()).toEqual(['a', 'b'])
    expect(dropsIn(left, 106, 10)).toBe(8)
    expect(kept(left, ['b'], 113)).toBe(left)
    expect([...kept(left, ['b'], 114).keys()]).toEqual(['b'])
    expect(dropsIn(first, 106, 10)).toBeNull()
  })

  it('[R478] begins anew when it comes back in between', () => {
    const left = kept(kept(new Map(), ['a'], 100), [], 104)
    const back = kept(left, ['a'], 110)
    expect([...kept(back, [], 112).keys()]).toEqual(['a'])
    expect([...kept(kept(back, [], 112), [], 121).keys()]).toEqual(['a'])
    expect([...kept(kept(back, [], 112), [], 122).keys()]).toEqual([])
  })
})

describe('the last words of a text', () => {
  it('[R477] end with the newest piece, and begin at the same place for the next thousand characters', () => {
    const text = 'word '.repeat(700)
    const ends = [2_000, 2_400, 2_999].map((length) => lastWordsOf(text.slice(0, length)))
    expect(ends.map((end) => text.slice(0, 2_999).indexOf(end))).toEqual([0, 0, 0])
    expect(new Set(ends.map((end) => end.slice(0, 500))).size).toBe(1)
    expect(lastWordsOf(`${text}newest\n\n`)).toMatch(/newest$/)
    expect(lastWordsOf(text).length).toBeLessThan(2_001)
  })

  it('[R477] begin with a whole line and a whole character where they are cut', () => {
    const lines = Array.from({ length: 300 }, (_, at) => `line ${at}`).join('\n')
    expect(lastWordsOf(lines)).toMatch(/^line \d+\nline/)
    expect(lastWordsOf(`x${'\u{1F600}'.repeat(1_200)}`)).toMatch(/^\u{1F600}+$/u)
  })
})
