/** What a screen reader is told: little, whole sentences, at a bearable rhythm. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAnnouncements } from './announcer'

const MIN_GAP_MS = 3_000

function setUp() {
  const said: [number, string, string][] = []
  const start = Date.now()
  const announcements = createAnnouncements((text, politeness) => said.push([Date.now() - start, politeness, text]))
  announcements.summarizeBy((count, forMe) => `${count} new messages, ${forMe} for you`)
  return { said, announcements }
}

describe('announcements', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('a message to me is announced at once, as a sentence, and once', () => {
    const { said, announcements } = setUp()
    announcements.message('a', 'FYI from Ben: one')
    announcements.message('a', 'FYI from Ben: one')
    vi.advanceTimersByTime(10 * MIN_GAP_MS)
    expect(said).toEqual([[0, 'polite', 'FYI from Ben: one']])
  })

  it('messages within three seconds become one sentence with their number', () => {
    const { said, announcements } = setUp()
    announcements.message('a', 'FYI from Ben: one')
    for (const id of ['b', 'c', 'd', 'e']) announcements.message(id, null)
    announcements.message('f', 'Action from Ben: two')
    vi.advanceTimersByTime(MIN_GAP_MS)
    expect(said.slice(1)).toEqual([[MIN_GAP_MS, 'polite', '5 new messages, 1 for you']])
  })

  it('polite announcements are at least three seconds apart', () => {
    const { said, announcements } = setUp()
    for (let at = 0; at < 1_000; at++) {
      announcements.message(`m${at}`, at % 3 === 0 ? `sentence ${at}` : null)
      announcements.writing(`agent ${at % 7}`, `agent ${at % 7} is writing`)
      vi.advanceTimersByTime(37)
    }
    vi.advanceTimersByTime(20 * MIN_GAP_MS)
    const times = said.map(([at]) => at)
    expect(times.length).toBeGreaterThan(10)
    for (const [index, at] of times.entries()) {
      const before = times[index - 1]
      if (before !== undefined) expect(at - before).toBeGreaterThanOrEqual(MIN_GAP_MS)
    }
    const counted = said.map(([, , text]) =>
      Number(/^(\d+) new/.exec(text)?.[1] ?? (text.startsWith('sentence') ? 1 : 0)),
    )
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(1_000)
  })

  it('messages among others are not announced', () => {
    const { said, announcements } = setUp()
    for (let at = 0; at < 1_000; at++) announcements.message(`m${at}`, null)
    vi.advanceTimersByTime(10 * MIN_GAP_MS)
    expect(said).toEqual([])
  })

  it('an Urgent is announced at once, between polite ones too, and once', () => {
    const { said, announcements } = setUp()
    announcements.message('a', 'FYI from Ben: one')
    announcements.urgent('u', 'Urgent from Coder: which?')
    announcements.urgent('u', 'Urgent from Coder: which?')
    announcements.message('u', 'Urgent from Coder: which?')
    expect(said).toEqual([
      [0, 'polite', 'FYI from Ben: one'],
      [0, 'assertive', 'Urgent from Coder: which?'],
    ])
  })

  it('of somebody who writes only the last state is announced', () => {
    const { said, announcements } = setUp()
    announcements.message('a', 'one')
    announcements.writing('coder', 'Coder is writing')
    announcements.writing('coder', 'Coder finished')
    vi.advanceTimersByTime(10 * MIN_GAP_MS)
    expect(said.map(([, , text]) => text)).toEqual(['one', 'Coder finished'])
  })
})
