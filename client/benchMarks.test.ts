/** What a bench reads off the page. */
import { describe, expect, it } from 'vitest'
import { createBenchMarks } from './benchMarks'
import { createViews } from './views'
import { readBeat, readFrame, readReset } from './views/wireShapes'

const head = { sub: 'p1', asked: 1, gen: 'g', cursor: 'g@1' }

function page() {
  const seen: string[] = []
  const paints: (() => void)[] = []
  const marks = createBenchMarks(
    (name, { server }) => seen.push(`${name} ${server}`),
    (run) => paints.push(run),
  )
  const views = createViews({ send: () => {}, schedule: () => {}, later: () => {}, onApplied: marks.applied })
  views.connected()
  views.open('me')
  const reset = readReset({ ...head, n: 1, to: 1, rows: [] })
  if (!reset) throw new Error('not read')
  views.receive({ event: 'reset', message: reset })
  const come = (change: object): void => {
    const frame = readFrame({ ...head, from: 1, to: 2, set: [], patch: [], del: [], ...change })
    if (!frame) throw new Error('not read')
    marks.arrived(frame)
    views.receive({ event: 'frame', message: frame })
  }
  return {
    seen,
    come,
    marks,
    flush: views.flush,
    paint: () => {
      for (const run of paints.splice(0)) run()
    },
  }
}

describe('marks of a bench', () => {
  it('[C6] marks say when an entry arrived, and when its view was painted', () => {
    const { seen, come, flush, paint } = page()
    come({ marks: { 2: 10.5 } })
    expect(seen).toEqual(['entry:2 10.5'])
    flush()
    expect(seen).toHaveLength(1)
    paint()
    expect(seen).toEqual(['entry:2 10.5', 'painted:2 10.5'])
  })

  it('[C6] a dropped frame gets no paint mark', () => {
    const { seen, come, flush, paint } = page()
    come({ gen: 'another', marks: { 2: 10 } })
    flush()
    paint()
    expect(seen).toEqual(['entry:2 10'])
  })

  it('[C6] there are no marks without a bench', () => {
    const { seen, come, marks, flush, paint } = page()
    come({})
    flush()
    paint()
    const beat = { at: 1, head: 2, node: 'n', wire: 1, subs: {} }
    for (const said of [beat, { ...beat, mono: 7 }]) {
      const heard = readBeat(said)
      if (heard) marks.beat(heard)
    }
    expect(seen).toEqual(['beat:2 7'])
  })
})
