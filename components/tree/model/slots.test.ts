import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { slotsOf } from './slots'

const NONE: ReadonlyMap<string, number> = new Map()

describe('slots of drawn lines', () => {
  it('[R225] a line keeps its elements, and one that comes takes those of one that went', () => {
    const first = slotsOf(NONE, ['a', 'b', 'c'])
    expect([...first]).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 2],
    ])
    expect([...slotsOf(first, ['b', 'x', 'c'])]).toEqual([
      ['b', 1],
      ['x', 0],
      ['c', 2],
    ])
    // A jump to elsewhere takes them in their order: nothing is moved.
    expect([...slotsOf(first, ['x', 'y', 'z', 'w']).values()]).toEqual([0, 1, 2, 3])
  })

  it('[R225] no two lines share elements', () => {
    const windows = fc.array(fc.uniqueArray(fc.nat(30).map(String), { maxLength: 12 }))
    fc.assert(
      fc.property(windows, (all) => {
        let before = NONE
        for (const ids of all) {
          const after = slotsOf(before, ids)
          expect([...after.keys()]).toEqual(ids)
          expect(new Set(after.values()).size).toBe(ids.length)
          for (const [id, slot] of after) if (before.has(id)) expect(slot).toBe(before.get(id))
          before = after
        }
      }),
    )
  })
})
