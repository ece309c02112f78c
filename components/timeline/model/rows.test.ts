import { describe, expect, it } from 'vitest'
import type { TimelineBar } from '@/lib/wire/rows'
import { barOf, laneOf } from '@/test/timelineRows'
import {
  indexOf,
  keyOf,
  MOST_SOUGHT,
  nextSought,
  pagesFor,
  pinnedRow,
  placeOfBar,
  placeOfKey,
  rowAt,
  rowShift,
  rowsOf,
  viewOfPage,
} from './rows'

const barsOf = (lane: string, from: number, to: number): TimelineBar[] =>
  Array.from({ length: to - from }, (_, at) =>
    barOf(lane, `${lane} ${from + at}`, { from: from + at, to: from + at + 1 }),
  )

/** Coder has 250 bars, the view the newest 40; Ana has 2. */
const VIEW = [
  laneOf('Coder', { bars: 250, before: 210 }),
  ...barsOf('Coder', 210, 250),
  laneOf('Ana', { bars: 2 }),
  ...barsOf('Ana', 0, 2),
]
const ALL = rowsOf(VIEW, () => true)
const said = (index: number, pages: Parameters<typeof rowAt>[1] = []): string | undefined => {
  const row = rowAt(ALL, pages, index)
  return row === null ? undefined : row.kind === 'lane' ? row.lane.who.name : (row.bar?.name ?? '…')
}

describe('[R472] the rows of a timeline', () => {
  it('are the members and all of their bars, also those that are not loaded', () => {
    expect(ALL.length).toBe(254)
    expect([0, 1, 210, 211, 250, 251, 252, 253, 254].map((index) => said(index))).toEqual([
      ...['Coder', '…', '…', 'Coder 210', 'Coder 249', 'Ana', 'Ana 0', 'Ana 1'],
      undefined,
    ])
  })

  it('a loaded page fills its own places and no others', () => {
    const pages = [{ agent: 'Coder', from: 100, bars: barsOf('Coder', 100, 200) }]
    expect([100, 101, 200, 201].map((index) => said(index, pages))).toEqual(['…', 'Coder 100', 'Coder 199', '…'])
  })

  it('a closed lane has one row', () => {
    const rows = rowsOf(VIEW, (agent) => agent !== 'Coder')
    expect(rows.length).toBe(4)
    expect(indexOf(rows, { agent: 'Coder', bar: 17 })).toBe(0)
    expect(indexOf(rows, { agent: 'Ana', bar: 1 })).toBe(3)
    expect(indexOf(rows, { agent: 'gone', bar: null })).toBe(-1)
  })

  it('a window asks for the pages that it needs, and for none of what the view has', () => {
    const of = (first: number, count: number): string[] =>
      pagesFor(ALL, first, count).map((page) => viewOfPage('task', page))
    expect(of(0, 30)).toEqual(['timeline:task/Coder@100'])
    expect(of(90, 30)).toEqual(['timeline:task/Coder@100', 'timeline:task/Coder@200'])
    expect(of(205, 30)).toEqual(['timeline:task/Coder@300'])
    expect(of(211, 43)).toEqual([])
  })

  it('a key leads back to its place, and a bar is found in view and pages', () => {
    for (const place of [
      { agent: 'Coder', bar: null },
      { agent: 'Coder', bar: 0 },
    ])
      expect(placeOfKey(keyOf(place))).toEqual(place)
    const pages = [{ agent: 'Coder', from: 100, bars: barsOf('Coder', 100, 200) }]
    expect(placeOfBar(ALL, pages, 'Coder 230')).toEqual({ agent: 'Coder', bar: 230 })
    expect(placeOfBar(ALL, pages, 'Coder 120')).toEqual({ agent: 'Coder', bar: 120 })
    expect(placeOfBar(ALL, pages, 'Coder 20')).toBeNull()
  })

  it('what is read moves with the bars that come above it, and a lane that closes leaves its own row', () => {
    const more = rowsOf(
      VIEW.map((row) => (row.kind === 'lane' && row.agent === 'Coder' ? { ...row, bars: 253 } : row)),
      () => true,
    )
    expect(rowShift(ALL, more, 252)).toBe(3)
    expect(rowShift(ALL, more, 17)).toBe(0)
    const closed = rowsOf(VIEW, (agent) => agent !== 'Coder')
    expect(rowShift(ALL, closed, 120)).toBe(-120)
  })

  it('what is read moves up with the oldest bars that leave the world, also on a page', () => {
    const shorter = [laneOf('Coder', { bars: 245, before: 205 }), ...barsOf('Coder', 210, 250)]
    const after = rowsOf(shorter, () => true)
    expect(rowShift(ALL, after, 230)).toBe(-5)
    expect(rowShift(ALL, after, 100)).toBe(-5)
    // What was read is gone: the oldest that is left takes its place.
    expect(rowShift(ALL, after, 3)).toBe(-2)
  })

  it('the member of the first row stays at the top while its own row is above it', () => {
    expect(pinnedRow(ALL, 0)).toBeNull()
    expect(pinnedRow(ALL, 9)).toBe(0)
    expect(pinnedRow(ALL, 251)).toBeNull()
    expect(pinnedRow(ALL, 252)).toBe(251)
  })
})

describe('[R544] a bar that the view lacks', () => {
  const soughtIn = (before: number): number[] => {
    const lane = laneOf('Coder', { bars: before + 40, before })
    const found: number[] = []
    let page = nextSought(lane, null, 0)
    while (page !== null) {
      found.push(page.from)
      page = nextSought(lane, page, found.length)
    }
    return found
  }

  it('is looked for page by page, from the newest to the oldest', () => {
    expect(soughtIn(210)).toEqual([200, 100, 0])
    expect(soughtIn(200)).toEqual([100, 0])
    expect(soughtIn(1)).toEqual([0])
    expect(soughtIn(0)).toEqual([])
  })

  it('is looked for in so many pages and no more', () => {
    expect(soughtIn(100 * MOST_SOUGHT)).toHaveLength(MOST_SOUGHT)
    expect(soughtIn(100 * MOST_SOUGHT).at(-1)).toBe(0)
    expect(soughtIn(100 * MOST_SOUGHT + 1)).toHaveLength(MOST_SOUGHT)
    expect(soughtIn(100 * MOST_SOUGHT + 1).at(-1)).toBe(100)
  })
})
