import { describe, expect, it } from 'vitest'
import { type AgentId, asId, type StageId } from '@/lib/mas/ids'
import { treeRow } from '../test/row'
import { gapOf, hidesFailure, isEarlier, type LanePage, withEarlier, withPage } from './earlier'

const lane = { stage: asId<StageId>('s'), agent: asId<AgentId>('a'), parent: 's/a', level: 3 }
const step = (place: number) =>
  treeRow({ ...lane, id: `step-${place}`, kind: 'step', sort: `0001/0001/1${String(place).padStart(6, '0')}` })
const gap = (steps: number) =>
  treeRow({ ...lane, id: 's/a/earlier', kind: 'older', sort: '0001/0001/0', counts: { waiting: 0, failed: 0, steps } })
const page = (from: number, to: number): LanePage => ({
  ...{ lane: 's/a', from, to },
  rows: Array.from({ length: to - from }, (_, at) => step(from + at)),
})
const own = (from: number, to: number) => [gap(from), ...page(from, to).rows]
/** Each missing part as from–to, each run of steps as its ends. */
const shape = (rows: readonly ReturnType<typeof step>[]): string[] => {
  const parts: string[] = []
  for (const row of rows) {
    const missing = gapOf(row)
    const last = parts.at(-1)
    const place = Number(row.id.slice(5))
    if (missing) parts.push(`missing ${missing.from}-${missing.to}`)
    else if (last?.startsWith('steps') && Number(last.split('-').at(-1)) === place - 1)
      parts[parts.length - 1] = `${last.slice(0, last.indexOf('-'))}-${place}`
    else parts.push(`steps ${place}-${place}`)
  }
  return parts
}

describe('steps that ran before those of the view', () => {
  it('[R546] are one row that stands for all of them, until pages are loaded', () => {
    expect(shape(withEarlier(own(950, 960), [], []))).toEqual(['missing 0-950', 'steps 950-959'])
    expect(gapOf(gap(950))).toEqual({ lane: 's/a', stage: 's', agent: 'a', from: 0, to: 950 })
    expect(gapOf(step(1))).toBeNull()
    expect([isEarlier(gap(3)), isEarlier({ kind: 'older', id: 's/a/later' })]).toEqual([true, false])
  })

  it('[R636] hide a failure that is in their place, also where its lane has none beside the rows', () => {
    const rows = own(950, 960)
    const ruler = (places: number[], failed = 0, agent = 'a') => ({ lanes: [{ stage: 's', agent, failed, places }] })
    expect(
      [ruler([40]), ruler([955]), ruler([955], 1), ruler([40], 0, 'b'), null].map((one) => hidesFailure(one, rows)),
    ).toEqual([true, false, true, false, false])
  })

  it('[R546] what is missing before, between and behind pages is a row each, in its place', () => {
    const pages = [page(900, 950), page(400, 500)]
    expect(shape(withEarlier(own(950, 952), pages, []))).toEqual([
      'missing 0-400',
      'steps 400-499',
      'missing 500-900',
      'steps 900-951',
    ])
  })

  it('[R546] steps that ran meanwhile leave a row behind the newest page, and their page closes it', () => {
    const rows = own(1_010, 1_012)
    expect(shape(withEarlier(rows, [page(900, 950)], []))).toEqual([
      'missing 0-900',
      'steps 900-949',
      'missing 950-1010',
      'steps 1010-1011',
    ])
    const closed = [page(900, 1_000), page(1_000, 1_010)]
    expect(shape(withEarlier(rows, closed, []))).toEqual(['missing 0-900', 'steps 900-1011'])
  })

  it('[R546] each step is one row: that of the view, which changes', () => {
    const view = own(950, 951)
    const rows = withEarlier(view, [page(900, 960)], [step(12)])
    expect(rows.filter(({ id }) => id === 'step-950')).toHaveLength(1)
    expect(rows.find(({ id }) => id === 'step-950')).toBe(view[1])
    expect(rows.map(({ id }) => id)).toContain('step-12')
  })

  it('[R546] a page that comes again replaces the one before', () => {
    const pages = withPage([page(900, 950), page(800, 900)], page(900, 1_000), new Set())
    expect(pages.map(({ from, to }) => [from, to])).toEqual([
      [800, 900],
      [900, 1_000],
    ])
  })

  it('[R547] of more than 500 rows the pages go that came first, but none of the window', () => {
    let pages: readonly LanePage[] = []
    for (let from = 0; from < 500; from += 100) pages = withPage(pages, page(from, from + 100), new Set())
    expect(pages).toHaveLength(5)
    const next = withPage(pages, page(500, 600), new Set(['step-42']))
    expect(next.map(({ from }) => from)).toEqual([0, 200, 300, 400, 500])
  })
})
