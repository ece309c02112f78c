import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesQuery } from '@/test/memoryStore/memorySearch'
import { matchRanges, queryOf, termsOf } from './searchWords'

const finds = (text: string, wish: string): boolean => matchesQuery(termsOf(text), queryOf(wish))

describe('the words of a search', () => {
  it('search terms are letters and digits in lower case, and pairs in scripts without spaces', () => {
    expect(termsOf('Read prices/East.csv, 价格表 v2')).toEqual([
      'read',
      'prices',
      'east',
      'csv',
      '价格',
      '格表',
      '表',
      'v2',
    ])
    expect(termsOf('Ａ①')).toEqual(['a1'])
    expect(termsOf(' …! ')).toEqual([])
  })

  it('any two or more adjacent Chinese characters are found', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('价', '格', '表', '报', '告'), { minLength: 2, maxLength: 12 }),
        fc.nat(),
        fc.nat(),
        (signs, from, length) => {
          const start = from % (signs.length - 1)
          const end = start + 2 + (length % (signs.length - start - 1))
          expect(finds(`a ${signs.join('')} b`, signs.slice(start, end).join(''))).toBe(true)
        },
      ),
      { numRuns: 200, seed: 1 },
    )
  })

  it('a text is found by its words and their beginnings, and not by other words', () => {
    expect(finds('Compare the lists', 'list comp')).toBe(true)
    expect(finds('Compare the lists', 'ists')).toBe(false)
    expect(finds('Compare the lists', 'the compare-lists')).toBe(false)
    expect(finds('plan b', 'b')).toBe(true)
    expect(finds('bolt', 'b')).toBe(false)
  })
})

describe('the places of a wish in a text', () => {
  const marked = (text: string, wish: string): string[] =>
    matchRanges(text, wish).map(([from, to]) => text.slice(from, to))
  it('the highlighted ranges are the query’s words, in the order of the text, without overlaps', () => {
    expect(marked('The Price of prices', 'price THE')).toEqual(['The', 'Price', 'price'])
    expect(marked('underprice', 'price')).toEqual([])
    expect(marked('价格表和价格', '价格')).toEqual(['价格', '价格'])
    expect(marked('<b>bold</b>', 'b')).toEqual(['b', 'b', 'b'])
    expect(marked('anything', '…')).toEqual([])
  })
})
