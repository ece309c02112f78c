import { describe, expect, it } from 'vitest'
import { behindMore, placesSum, RAIL } from './railRows'

describe('the bar of a phone', () => {
  it('the bar of a phone has five places: four, and the others behind More', () => {
    const more = behindMore(RAIL)
    const bar = RAIL.filter((row) => !more.includes(row))
    expect(bar.map((row) => row.screen)).toEqual(['inbox', 'tasks', 'direct', 'agents'])
    expect([...bar, ...more]).toEqual(RAIL)
    expect(more.length).toBeGreaterThan(1)
  })

  it('a member with five places needs no More', () => {
    expect(behindMore(RAIL.slice(0, 5))).toEqual([])
  })

  it('a participant has their inbox, tasks, conversations and files in the bar', () => {
    const rows = RAIL.filter((row) => !row.isForWatchers)
    const more = behindMore(rows)
    expect(rows.slice(0, 4).map((row) => row.screen)).toEqual(['inbox', 'tasks', 'direct', 'files'])
    expect(more.map((row) => row.screen)).toEqual(['tools', 'numbers', 'settings'])
  })

  it('More shows the sum of the counts behind it; an unknown count adds nothing', () => {
    const counts = { needsMe: null, urgentUnacknowledged: 0, blockedWaits: 2, unreadDirect: 3 }
    expect(placesSum(RAIL, counts)).toBe(5)
  })
})
