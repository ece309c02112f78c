/** Tables as spreadsheets save them. */
import { describe, expect, it } from 'vitest'
import { readTable } from './CsvTable'

describe('[R407] a table', () => {
  const rows = [
    ['a', 'b'],
    ['1', '2'],
  ]
  it.each([
    ['commas', 'a,b\n1,2\n'],
    ['semicolons', 'a;b\n1;2\n'],
    ['tabs', 'a\tb\n1\t2\n'],
    ['CR alone', 'a,b\r1,2\r'],
    ['a line that names its separator', 'sep=;\r\na;b\r\n1;2\r\n'],
  ])('with %s is read', (_how, text) => {
    expect(readTable(text)).toEqual({ rows, brokenLine: null })
  })

  it('says the line of a quotation mark that is not closed, or stands alone', () => {
    expect(readTable('a,b\n1,2\n"3,4\n5,6\n').brokenLine).toBe(3)
    expect(readTable('sep=,\na,b\n"x"y,2\n').brokenLine).toBe(3)
    expect(readTable('a,b\n"x ""y""",2\n').brokenLine).toBeNull()
  })
})
