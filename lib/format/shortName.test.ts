/** Short names: cut between words, in English and in Chinese. */
import { describe, expect, it } from 'vitest'
import { shortName } from './shortName'

describe('[R143] a short name', () => {
  it.each([
    ['Compare prices', 6, 'Compare prices'],
    ['Compare the price lists in prices.', 6, 'Compare the price lists in prices'],
    ['  Compare\n the  `prices` ', 6, 'Compare the prices'],
    ['## Read **both** lists', 4, 'Read both lists'],
  ])('is the whole line when it is short enough: %j', (text, words, name) => {
    expect(shortName(text, words)).toBe(name)
  })

  it.each([
    ['Read the lists; then write what differs between them', 4, 'Read the lists'],
    ['Compare the lists. Write a report to prices/report.md', 4, 'Compare the lists'],
    ['读取价格清单；移交事实给分析师并且写一份报告', 4, '读取价格清单'],
  ])('ends with a sentence where one ends in time: %j', (text, words, name) => {
    expect(shortName(text, words)).toBe(name)
  })

  it.each([
    ['Read every list in the folder prices and all others', 4, 'Read every list…'],
    ['First, read every list in the folder prices', 4, 'First, read every list…'],
    ['Read prices, resolve contradictions, hand over the facts', 4, 'Read prices, resolve contradictions…'],
    ['Compare prices: work out the result and write it to prices/report.md', 4, 'Compare prices: work out…'],
    ['Compare north.csv, south.csv and west.csv of March now', 6, 'Compare north.csv, south.csv and west.csv…'],
    ['Find out which of the suppliers in the north is the cheapest', 6, 'Find out which of the suppliers…'],
    ['Write a report to the', 4, 'Write a report…'],
  ])('else ends between words, with no small word at its end: %j', (text, words, name) => {
    expect(shortName(text, words)).toBe(name)
  })

  it('counts 16 Chinese characters as six words and 10 as four, and is cut between Chinese words', () => {
    expect(shortName('比较价格文件夹里的全部价格清单呢', 6)).toBe('比较价格文件夹里的全部价格清单呢')
    expect(shortName('读取价格清单的全部内', 4)).toBe('读取价格清单的全部内')
    expect(shortName('读取文件夹里的全部价格清单并且写一份报告', 4)).toBe('读取文件夹里的全部…')
    expect(shortName('读取价格清单，弄清矛盾之处，移交事实给分析师', 4)).toBe('读取价格清单，弄清矛盾…')
    expect(shortName('比较 prices 里的清单', 6)).toBe('比较 prices 里的清单')
  })

  it('counts a long path as several words, and cuts one that alone is too long', () => {
    expect(shortName(`Total ${'a'.repeat(40)}.csv and b.csv of it`, 4)).toBe(`Total ${'a'.repeat(40)}.csv`.concat('…'))
    expect(shortName('x'.repeat(3_000), 4)).toBe(`${'x'.repeat(63)}…`)
    expect(shortName('', 4)).toBe('')
  })

  it('takes no long time over a long text', () => {
    for (const piece of ['a ', '价', ',', '，', 'a,'])
      expect(shortName(piece.repeat(60_000), 4).length).toBeLessThanOrEqual(65)
  })
})
