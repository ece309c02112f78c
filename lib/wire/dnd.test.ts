import { describe, expect, it } from 'vitest'
import { dndAt, minutesOf, NO_DND } from './dnd'

const NOON = 12 * 60
const AT = 1_700_000_000_000 - (1_700_000_000_000 % 60_000)
const nightly = { ...NO_DND, daily: { from: '22:00', to: '07:30' } }

describe('do not disturb', () => {
  it('do-not-disturb by hand lasts until its time, or until it is switched off', () => {
    expect(dndAt(NO_DND, AT, NOON)).toEqual({ isResting: false, until: null })
    expect(dndAt({ ...NO_DND, isOn: true }, AT, NOON)).toEqual({ isResting: true, until: null })
    expect(dndAt({ ...NO_DND, isOn: true, until: AT + 1 }, AT, NOON)).toEqual({ isResting: true, until: AT + 1 })
    expect(dndAt({ ...NO_DND, isOn: true, until: AT }, AT, NOON).isResting).toBe(false)
  })

  it('daily do-not-disturb holds between its times, over midnight too, and says when it ends', () => {
    expect(dndAt(nightly, AT, 22 * 60 - 1).isResting).toBe(false)
    expect(dndAt(nightly, AT, 22 * 60)).toEqual({ isResting: true, until: AT + 570 * 60_000 })
    expect(dndAt(nightly, AT, 7 * 60 + 29)).toEqual({ isResting: true, until: AT + 60_000 })
    expect(dndAt(nightly, AT, 7 * 60 + 30).isResting).toBe(false)
    // Within a minute it ends with that minute's end.
    expect(dndAt(nightly, AT + 20_000, 7 * 60 + 29)).toEqual({ isResting: true, until: AT + 60_000 })
  })

  it('do-not-disturb by hand and daily together end with the later of the two', () => {
    const both = { ...nightly, isOn: true, until: AT + 5_000 }
    expect(dndAt(both, AT, 7 * 60 + 29).until).toBe(AT + 60_000)
    expect(dndAt({ ...both, until: AT + 90_000 }, AT, 7 * 60 + 29).until).toBe(AT + 90_000)
    expect(dndAt({ ...both, until: null }, AT, 7 * 60 + 29).until).toBeNull()
  })

  it('daily hours with invalid or equal times count as none', () => {
    for (const daily of [
      { from: '25:00', to: '07:00' },
      { from: '07:00', to: '25:00' },
      { from: '', to: '' },
      { from: '07:00', to: '07:00' },
    ])
      for (const hour of [3, 6, 7, 23]) expect(dndAt({ ...NO_DND, daily }, AT, hour * 60).isResting).toBe(false)
    expect([minutesOf('7:05'), minutesOf('07:60'), minutesOf('noon')]).toEqual([425, null, null])
  })
})
