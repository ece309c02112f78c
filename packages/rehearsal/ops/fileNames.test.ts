import { describe, expect, it } from 'vitest'
import { namesFile } from './fileNames'

describe('a sentence names a file', () => {
  it('by its name or its stem, as a word of its own', () => {
    expect(namesFile('leave out south', 'prices/south.csv')).toBe(true)
    expect(namesFile('Leave out South.csv, please', 'prices/south.csv')).toBe(true)
    expect(namesFile('leave out b', 'b.csv')).toBe(true)
    expect(namesFile('leave out b', 'a.csv')).toBe(false)
    expect(namesFile('southern prices only', 'south.csv')).toBe(false)
  })

  it('also between Chinese characters, and with signs in its name', () => {
    expect(namesFile('去掉south吧', 'prices/south.csv')).toBe(true)
    expect(namesFile('skip a+b (1).csv', 'a+b (1).csv')).toBe(true)
  })
})
