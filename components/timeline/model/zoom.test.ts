import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Axis } from './timeScale'
import { following, movedBy, scaleOf, type TimeChoice, withTime, zoomedAt, zoomedTo } from './zoom'

const WIDTH = 1_000
const AXIS: Axis = { from: 0, to: 1_100_000, gaps: [{ from: 300_000, to: 900_000 }] }
const all = scaleOf(AXIS, WIDTH, null)
const near = zoomedAt(AXIS, all, 8, 800)

describe('[R474] zoom', () => {
  it('the time under the pointer stays where it is', () => {
    const factors = fc.double({ min: 1, max: 50, noNaN: true })
    fc.assert(
      fc.property(factors, fc.integer({ min: 0, max: WIDTH }), (factor, x) => {
        const time = all.timeAt(x)
        expect(scaleOf(AXIS, WIDTH, zoomedAt(AXIS, all, factor, x)).xOf(time)).toBeCloseTo(x, 1)
      }),
    )
  })

  it('farther than all of the task is all of it', () => {
    expect(zoomedAt(AXIS, scaleOf(AXIS, WIDTH, near), 1 / 100, 500)).toBeNull()
  })

  it('what was chosen keeps its place while the task goes on', () => {
    const scale = scaleOf(AXIS, WIDTH, near)
    const later = scaleOf({ ...AXIS, to: 2_000_000 }, WIDTH, near)
    expect(later.timeAt(0)).toBeCloseTo(scale.timeAt(0), 0)
  })

  it('a span that is selected fills the width, also with an idle time in it', () => {
    for (const [one, other] of [
      [100, 200],
      [700, 300],
    ] as const) {
      const [from, to] = [all.timeAt(Math.min(one, other)), all.timeAt(Math.max(one, other))]
      const scale = scaleOf(AXIS, WIDTH, zoomedTo(AXIS, all, one, other))
      expect(scale.xOf(from)).toBeCloseTo(0, 1)
      expect(scale.xOf(to)).toBeCloseTo(WIDTH, 1)
    }
  })

  it('the newest stays in sight for one who follows, at the zoom that was chosen', () => {
    const scale = scaleOf(AXIS, WIDTH, near)
    const choice = following(scale, near)
    const later: Axis = { ...AXIS, to: 1_500_000 }
    const shown = scaleOf(later, WIDTH, choice)
    expect(shown.pxPerMs).toBeCloseTo(scale.pxPerMs, 9)
    expect(shown.xOf(later.to)).toBeCloseTo(WIDTH, 3)
  })

  it('a time that is out of sight comes into it, one in sight moves nothing', () => {
    const choice: TimeChoice = movedBy(AXIS, scaleOf(AXIS, WIDTH, near), -1e9)
    const scale = scaleOf(AXIS, WIDTH, choice)
    expect(scale.timeAt(0)).toBe(0)
    expect(withTime(AXIS, scale, choice, 1_000)).toBe(choice)
    const moved = scaleOf(AXIS, WIDTH, withTime(AXIS, scale, choice, 1_000_000))
    expect(moved.xOf(1_000_000)).toBeGreaterThan(0)
    expect(moved.xOf(1_000_000)).toBeLessThanOrEqual(WIDTH)
  })
})
