import { describe, expect, it } from 'vitest'
import type { TimelineBar, TimelineLane } from '@/lib/wire/rows'
import { barOf, laneOf, whoNamed } from '@/test/timelineRows'
import { drawingOf, type Picture, type Shape } from './drawing'
import { type RowModel, rowAt, rowsOf } from './rows'
import { timeScale } from './timeScale'

const WIDTH = 1_000
/** 1 px is 10 ms. */
const SCALE = timeScale({ from: 0, to: 10_000, gaps: [] }, WIDTH, null)
const PICTURE: Picture = {
  scale: SCALE,
  marks: { step: 1_000, ticks: [], gaps: [] },
  height: 28,
  now: 10_000,
  from: 0,
  columnMs: 1_000,
  isPathShown: true,
  isOpenEnded: false,
  selected: null,
}
const rowOf = (bar: TimelineBar): RowModel => ({ kind: 'bar', key: bar.id, lane: laneOf('Coder'), place: 0, bar })
const drawn = (bar: Partial<TimelineBar>, picture: Partial<Picture> = {}) =>
  drawingOf([rowOf(barOf('Coder', 'step', bar))], { ...PICTURE, ...picture })
/** Kind, left and right edge of each shape. */
const said = (shapes: readonly Shape[]): string[] =>
  shapes.map((shape) => ('width' in shape ? `${shape.is} ${shape.x} ${shape.x + shape.width}` : shape.is))

describe('[R473] what is drawn of a timeline', () => {
  it('a step is a bar in the colour of its state, from its start to its end', () => {
    const { shapes } = drawn({ from: 1_000, to: 3_000, chip: 'failed' })
    expect(shapes).toEqual([{ is: 'bar', x: 100, y: 5, width: 200, hue: 'failed' }])
  })

  it('a step that runs reaches until now, one that waits until its wait, which is a dashed line', () => {
    expect(said(drawn({ from: 1_000, chip: 'running' }).shapes)).toEqual(['bar 100 1000'])
    const waits = [{ from: 2_000, to: null, on: [whoNamed('Ana', 'human')], onPath: false }]
    expect(said(drawn({ from: 1_000, chip: 'waiting', waits }).shapes)).toEqual(['wait 200 1000', 'bar 100 200'])
    const over = [{ from: 2_000, to: 4_000, on: [whoNamed('Ana', 'human')], onPath: false }]
    expect(said(drawn({ from: 1_000, to: 5_000, waits: over }).shapes)).toEqual([
      'wait 200 400',
      'bar 100 200',
      'bar 400 500',
    ])
  })

  it('a step that waits for two at once is at work before and after both', () => {
    const waits = [2_000, 3_000].map((from) => ({ from, to: from + 2_000, on: [], onPath: false }))
    const bars = said(drawn({ from: 1_000, to: 6_000, waits }).shapes).filter((shape) => shape.startsWith('bar'))
    expect(bars).toEqual(['bar 100 200', 'bar 500 600'])
  })

  it('a step that waits from its start on is seen there', () => {
    const waits = [{ from: 1_000, to: null, on: [whoNamed('Ana', 'human')], onPath: false }]
    expect(said(drawn({ from: 1_000, chip: 'waiting', waits }).shapes)).toEqual(['wait 100 1000', 'bar 100 103'])
  })

  it('the critical path is a line below bars and waits that are on it, while it is wanted', () => {
    const waits = [{ from: 2_000, to: 3_000, on: [], onPath: true }]
    const bar = { from: 1_000, to: 2_000, onPath: true, waits }
    const paths = (isPathShown: boolean) =>
      said(drawn(bar, { isPathShown }).shapes).filter((shape) => shape.startsWith('path'))
    expect(paths(true)).toEqual(['path 100 200', 'path 200 300'])
    expect(paths(false)).toEqual([])
  })

  it('a call is weaker until its first token, and has a mark where it failed', () => {
    const calls = [
      { from: 1_000, first: 1_500, to: 2_000, isFailed: false },
      { from: 2_000, first: null, to: 2_800, isFailed: true },
    ]
    expect(said(drawn({ from: 1_000, to: 3_000, calls }).shapes)).toEqual([
      ...['bar 100 300', 'call 100 150', 'call 200 280', 'failure 280 282'],
    ])
  })

  it('a step of no length is seen, and one that is out of sight is not drawn', () => {
    expect(said(drawn({ from: 1_000, to: 1_000 }).shapes)).toEqual(['bar 100 103'])
    const later = timeScale({ from: 0, to: 10_000, gaps: [] }, WIDTH, { pxPerMs: 1, left: 5_000 })
    expect(drawn({ from: 1_000, to: 2_000 }, { scale: later })).toEqual({ shapes: [], labels: [] })
    // A bar that goes through all of the window has its edges just beyond it.
    expect(said(drawn({ from: 0, to: 10_000 }, { scale: later }).shapes)).toEqual(['bar -8 1020'])
  })

  it('the sums of a lane are drawn for all of its time, one shape for equal ones, with what goes on', () => {
    const lane: TimelineLane = laneOf('Coder', { busy: '99900300', chip: 'waiting', waitingSince: 8_000 })
    const { shapes } = drawingOf([{ kind: 'lane', key: 'Coder', lane, isOpen: true }], PICTURE)
    expect(said(shapes)).toEqual(['row', 'sum 0 300', 'sum 500 600', 'wait 800 1000'])
    expect(shapes.flatMap((shape) => (shape.is === 'sum' ? shape.share : []))).toEqual([1, 3 / 9])
  })

  it('words have room: inside a bar, beside a failed one, and faces at the end of a wait', () => {
    const marks = (bar: Partial<TimelineBar>) => drawn(bar).labels.map(({ mark, x, edge }) => [mark, x, edge])
    expect(marks({ from: 1_000, to: 3_000 })).toEqual([['state', 104, 'start']])
    expect(marks({ from: 1_000, to: 1_050 })).toEqual([])
    expect(marks({ from: 1_000, to: 1_050, chip: 'failed' })).toEqual([['state', 111, 'start']])
    const waits = [{ from: 1_000, to: 3_000, on: [whoNamed('Ana', 'human')], onPath: false }]
    expect(marks({ from: 1_000, to: 1_000, waits })).toEqual([[0, 294, 'end']])
    // Two faces and no names where names have no room.
    const two = [whoNamed('Ana', 'human'), whoNamed('Ben', 'human')]
    const short = (to: number) => drawn({ waits: [{ from: 1_000, to, on: two, onPath: false }] }).labels[0]?.isShort
    expect([short(2_200), short(2_400)]).toEqual([true, false])
  })

  it('of 100,000 bars only those of the window are drawn', () => {
    const own = Array.from({ length: 40 }, (_, at) => barOf('Coder', `${at}`, { from: at, to: at + 1 }))
    const rows = rowsOf([laneOf('Coder', { bars: 100_000, before: 99_960 }), ...own], () => true)
    const shown = Array.from({ length: 30 }, (_, at) => rowAt(rows, [], 99_971 + at)).filter((row) => row !== null)
    expect(shown).toHaveLength(30)
    const bars = drawingOf(shown, PICTURE).shapes.filter(({ is }) => is === 'bar')
    expect(bars).toHaveLength(30)
  })
})
