import { describe, expect, it } from 'vitest'
import { treeShift } from '../useLineWindow'
import type { TreeLineModel } from './treeModel'

const linesOf = (ids: string): TreeLineModel[] =>
  ids.split('').map((id) => ({ node: { id } as TreeLineModel['node'], level: 1, isOpen: null, place: 1, of: 1 }))

describe('[R214] what is read in the tree', () => {
  it('lines that come above it move it down by as many', () => {
    expect(treeShift(linesOf('tabcde'), linesOf('txyabcde'), 3, 2)).toBe(2)
  })

  it('a list that loses its first line and gets another at its end moves up by one', () => {
    expect(treeShift(linesOf('tabcdeZ'), linesOf('tbcdefZ'), 3, 3)).toBe(-1)
  })

  it('where the first line of the window is gone the next one in the window stays', () => {
    expect(treeShift(linesOf('tabcdeZ'), linesOf('tcdefgZ'), 2, 3)).toBe(-2)
  })

  it('where all of the window is gone the nearest line above it takes its place', () => {
    expect(treeShift(linesOf('tAabcdeBfg'), linesOf('tABfg'), 4, 2)).toBe(1 - 4)
  })

  it('nothing moves while the first line is where it was', () => {
    expect(treeShift(linesOf('tabcde'), linesOf('tabcdef'), 3, 2)).toBe(0)
  })
})
