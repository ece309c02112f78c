import { describe, expect, it } from 'vitest'
import { axisMarks, gapsWithWords } from './ticks'
import { timeScale } from './timeScale'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('the marks of the time axis', () => {
  it('are round times of the reader’s clock with room for their words', () => {
    const scale = timeScale({ from: 7 * MINUTE, to: 67 * MINUTE, gaps: [] }, 600, null)
    const { step, ticks } = axisMarks(scale, 0, 600)
    expect(step).toBe(10 * MINUTE)
    expect(ticks.map(({ at }) => at / MINUTE)).toEqual([10, 20, 30, 40, 50, 60])
    // In a zone that is five and a half hours ahead the full hour is at another place.
    const hours = timeScale({ from: 0, to: 12 * HOUR, gaps: [] }, 600, null)
    expect(axisMarks(hours, 5.5 * HOUR, 600).ticks.map(({ at }) => at / HOUR)).toEqual([2.5, 4.5, 6.5, 8.5, 10.5])
  })

  it('none is in an idle time, and a day of it is passed in one step', () => {
    const gap = { from: 10 * MINUTE, to: 10 * MINUTE + 1_000 * HOUR }
    const scale = timeScale({ from: 0, to: gap.to + 10 * MINUTE, gaps: [gap] }, 800, null)
    const { ticks, gaps } = axisMarks(scale, 0, 800)
    expect(ticks.length).toBeGreaterThan(3)
    // At the left edge the idle time has no words that keep others away.
    const pxPerMs = scale.pxPerMs * 2
    const edge = timeScale({ from: 0, to: gap.to + 10 * MINUTE, gaps: [gap] }, 800, {
      pxPerMs,
      left: gap.from * pxPerMs - 10,
    })
    for (const { at } of [...ticks, ...axisMarks(edge, 0, 800).ticks]) expect(at <= gap.from || at >= gap.to).toBe(true)
    expect(gaps.map(({ ms }) => ms)).toEqual([1_000 * HOUR])
  })

  it('the words of idle times that stand close are said once, and none is below the word for now', () => {
    const at = (x: number) => ({ ms: MINUTE, from: x - 14, to: x + 14 })
    expect(gapsWithWords([at(100), at(120), at(300), at(560)], 600).map(({ from }) => from + 14)).toEqual([100, 300])
  })
})
