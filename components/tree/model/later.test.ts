import { describe, expect, it } from 'vitest'
import { treeRow } from '../test/row'
import { pagesOf, reachOneMore, withLater } from './later'

const rest = (steps: number, before: number) =>
  treeRow({
    ...{ id: 's/a/later', kind: 'older', parent: 's/a', sort: '0001/0001/9', more: `tree:t/s/a@${before}` },
    counts: { waiting: 0, failed: 0, steps },
  })
const step = (id: string, key: string) => treeRow({ id, kind: 'step', parent: 's/a', sort: `0001/0001/${key}` })

describe('steps that have not run and that the tree leaves out', () => {
  it('are asked for by whole pages from where the tree ends', () => {
    expect(reachOneMore(rest(150, 240), {})).toBe(290)
    expect(pagesOf([rest(150, 240)], { 's/a/later': 290 })).toEqual(['tree:t/s/a@200', 'tree:t/s/a@300'])
    expect(pagesOf([rest(150, 240)], {})).toEqual([])
    expect(reachOneMore(step('one', '1'), {})).toBeNull()
  })

  it('are in their places once, and the row says what is left', () => {
    const own = step('own', '2001')
    const page = [step('own', '2001'), step('next', '2002')]
    const rows = withLater([own, rest(150, 240)], [page], { 's/a/later': 200 })
    expect(rows.map((row) => [row.id, row.counts.steps])).toEqual([
      ['own', 0],
      ['next', 0],
      ['s/a/later', 90],
    ])
    expect(rows[0]).toBe(own)
    expect(withLater([own, rest(150, 240)], [page], { 's/a/later': 290 }).map(({ id }) => id)).toEqual(['own', 'next'])
  })
})
