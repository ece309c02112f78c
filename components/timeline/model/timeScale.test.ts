import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Gap } from './idle'
import { type Axis, fitScale, GAP_PX, gapWidth, timeScale, type Zoom } from './timeScale'

const START = 1_700_000_000_000
/** An axis with idle times that do not touch, at a time of today. */
const axes = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 5_000_000 }), fc.integer({ min: 60_000, max: 90_000_000 })), {
    maxLength: 12,
  })
  .chain((parts) => fc.integer({ min: 1, max: 5_000_000 }).map((rest) => axisOf(parts, rest)))

/** in: how long is worked, and how long nothing is done, in turns; rest: worked at the end; ms */
function axisOf(parts: readonly (readonly [number, number])[], rest: number): Axis {
  const gaps: Gap[] = []
  let at = START
  for (const [worked, idle] of parts) {
    gaps.push({ from: at + worked, to: at + worked + idle })
    at += worked + idle
  }
  return { from: START, to: at + rest, gaps }
}
const zooms: fc.Arbitrary<Zoom | null> = fc.option(
  fc.record({
    pxPerMs: fc.double({ min: 1e-6, max: 8, noNaN: true }),
    left: fc.double({ min: 0, max: 1e7, noNaN: true }),
  }),
)
const widths = fc.integer({ min: 100, max: 2_000 })
const share = fc.double({ min: 0, max: 1, noNaN: true })
const timeIn = ({ from, to }: Axis, part: number): number => Math.round(from + (to - from) * part)

describe('[R470] the places of times', () => {
  it('a later time is farther right, squeezed or not', () => {
    fc.assert(
      fc.property(axes, widths, zooms, share, share, (axis, width, zoom, one, other) => {
        const scale = timeScale(axis, width, zoom)
        const [early, late] = [timeIn(axis, Math.min(one, other)), timeIn(axis, Math.max(one, other))]
        if (late > early) expect(scale.xOf(late)).toBeGreaterThan(scale.xOf(early))
      }),
    )
  })

  it('the time at the place of a time is that time', () => {
    fc.assert(
      fc.property(axes, widths, zooms, share, (axis, width, zoom, part) => {
        const scale = timeScale(axis, width, zoom)
        const time = timeIn(axis, part)
        // A place has as many digits as a length of hours at the largest zoom leaves.
        const least = Math.max(
          0.01,
          1e-6 / scale.pxPerMs,
          ...axis.gaps.map((gap) => ((gap.to - gap.from) / GAP_PX) * 1e-3),
        )
        expect(Math.abs(scale.timeAt(scale.xOf(time)) - time)).toBeLessThanOrEqual(least)
      }),
    )
  })

  it('without a zoom the whole axis fills the width, or is at its largest', () => {
    fc.assert(
      fc.property(axes, widths, (axis, width) => {
        const scale = timeScale(axis, width, null)
        expect(scale.xOf(axis.from)).toBeCloseTo(0, 3)
        expect(scale.xOf(axis.to)).toBeCloseTo(scale.total, 3)
        if (scale.pxPerMs < 8) expect(scale.total).toBeCloseTo(width, 3)
      }),
    )
  })

  it('an idle time is as wide at every zoom, and many of them leave more than half of the width', () => {
    const axis = axisOf([[1_000, 600_000]], 1_000)
    for (const pxPerMs of [fitScale(axis, 500), 1, 8]) {
      const scale = timeScale(axis, 500, { pxPerMs, left: 0 })
      expect(scale.xOf(START + 601_000) - scale.xOf(START + 1_000)).toBeCloseTo(GAP_PX, 6)
    }
    const many = axisOf(
      Array.from({ length: 100 }, () => [1_000, 60_000] as const),
      1_000,
    )
    expect(gapWidth(many, 500) * 100).toBeLessThanOrEqual(250)
  })

  it('what is shown never goes beyond the axis', () => {
    const axis = axisOf([], 100_000)
    const scale = timeScale(axis, 500, { pxPerMs: 0.01, left: 1e9 })
    expect(scale.xOf(axis.to)).toBeCloseTo(500, 6)
    // Smaller than all of it is none.
    expect(timeScale(axis, 500, { pxPerMs: 1e-9, left: 0 }).pxPerMs).toBe(fitScale(axis, 500))
  })
})
