/** A table of goals never calls a missed one held. */
import { describe, expect, it } from 'vitest'
import { goalTable, median, table } from './figures'

describe('figures', () => {
  it('takes the middle, or the mean of the two in the middle', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 3, 2])).toBe(2.5)
    expect(median([])).toBeNaN()
  })

  it('holds at the goal itself, misses above it and without a number', () => {
    const of = (ratio: number) => goalTable([{ what: 'one chain', figures: '', ratio, most: 1.8 }]).split('\n')[1]
    expect(of(1.8)).toMatch(/1\.80 × +at most 1\.8 × +holds$/)
    expect(of(1.81)).toMatch(/1\.81 × +at most 1\.8 × +MISSED$/)
    expect(of(Number.NaN)).toMatch(/MISSED$/)
  })

  it('makes columns as wide as their longest cell', () => {
    expect(table([['a', 'b'], ['long', 'c'], ['d']])).toBe('a     b\nlong  c\nd')
  })
})
