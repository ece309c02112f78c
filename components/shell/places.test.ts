import { describe, expect, it } from 'vitest'
import { barOf, placesSum } from './places'
import { RAIL } from './screens'

describe('the bar of a phone', () => {
  it('has five places: four, and the others behind More', () => {
    const { bar, more } = barOf(RAIL)
    expect(bar.map((row) => row.screen)).toEqual(['inbox', 'tasks', 'direct', 'agents'])
    expect([...bar, ...more]).toEqual(RAIL)
    expect(more.length).toBeGreaterThan(1)
  })

  it('needs no More for who has five places', () => {
    const participants = RAIL.filter((row) => !row.isForWatchers)
    expect(barOf(participants)).toEqual({ bar: participants, more: [] })
  })

  it('sums what waits at the places behind More, and takes what is not known for nothing', () => {
    const counts = { needsMe: null, urgentUnacknowledged: 0, blockedWaits: 2, unreadDirect: 3 }
    expect(
      placesSum([{ screen: 'waits' }, { screen: 'direct' }, { screen: 'inbox' }, { screen: 'tools' }], counts),
    ).toBe(5)
  })
})
