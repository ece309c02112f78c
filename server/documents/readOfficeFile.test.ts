/** Workbooks and text documents: what is read, and what is refused before anything reads it. */
import { describe, expect, it } from 'vitest'
import { paragraph, rowOf, textDocument, workbook, zipOf } from '@/test/documents'
import { DOCUMENT_LIMITS, documentText, readOfficeFile } from '.'

const PRICES = workbook({
  Prices: [
    rowOf(1, 'item', 'price', 'day', 'sum'),
    rowOf(
      2,
      'apple',
      '<c r="B2"><v>9007199254740993.10</v></c>',
      '<c r="C2" s="1"><v>46357</v></c>',
      '<c r="D2"><f>B2*2</f><v>6.4</v></c>',
    ),
  ].join(''),
  Notes: rowOf(1, 'only, here'),
})
const limited = (change: Partial<Record<keyof typeof DOCUMENT_LIMITS, number>>) => ({ ...DOCUMENT_LIMITS, ...change })

describe('[R802] a workbook', () => {
  it('is its sheets with cells as they are stored: digits whole, a day as a day, of a formula its last value', async () => {
    expect(await readOfficeFile(PRICES, 'sheets')).toEqual({
      kind: 'sheets',
      sheets: [
        {
          name: 'Prices',
          rows: [
            ['item', 'price', 'day', 'sum'],
            ['apple', '9007199254740993.10', '2026-12-01', '6.4'],
          ],
          left: 0,
        },
        { name: 'Notes', rows: [['only, here']], left: 0 },
      ],
      left: 0,
    })
  })

  it('is for an agent each sheet as a heading and lines of CSV', async () => {
    expect(documentText(await readOfficeFile(PRICES, 'sheets'))).toBe(
      '## Prices\nitem,price,day,sum\napple,9007199254740993.10,2026-12-01,6.4\n\n## Notes\n"only, here"',
    )
  })

  it('is read up to so many cells and sheets, and says how much is left out', async () => {
    expect(await readOfficeFile(PRICES, 'sheets', limited({ cells: 4 }))).toMatchObject({
      sheets: [
        { name: 'Prices', rows: [['item', 'price', 'day', 'sum']], left: 1 },
        { name: 'Notes', rows: [], left: 1 },
      ],
    })
    expect(await readOfficeFile(PRICES, 'sheets', limited({ cells: 9 }))).toMatchObject({
      sheets: [{ left: 0 }, { left: 0 }],
    })
    expect(await readOfficeFile(PRICES, 'sheets', limited({ sheets: 1 }))).toMatchObject({ sheets: [{}], left: 1 })
  })
})

describe('[R802] a text document', () => {
  const document = textDocument(paragraph('First, 价格.') + paragraph('Second.'))
  it('is its paragraphs, up to so many characters', async () => {
    expect(await readOfficeFile(document, 'words')).toEqual({ kind: 'words', text: 'First, 价格.\n\nSecond.', left: 0 })
    expect(await readOfficeFile(document, 'words', limited({ characters: 5 }))).toEqual({
      kind: 'words',
      text: 'First',
      left: 14,
    })
  })
})

describe('[R803] a document is refused with the reason', () => {
  const none = (why: string) => ({ kind: 'none', why })
  it('when it is no such file, is cut, or lacks what a reader needs', async () => {
    for (const bytes of [
      Buffer.from('item,price'),
      Buffer.alloc(0),
      PRICES.subarray(0, PRICES.length / 2),
      zipOf({ a: 'b' }),
    ])
      expect(await readOfficeFile(bytes, 'sheets')).toEqual(none('broken'))
    expect(await readOfficeFile(PRICES, 'words')).toEqual(none('broken'))
  })

  it('when the file, its parts or what they unpack to are larger than the limit, and read when they just reach it', async () => {
    expect(await readOfficeFile(PRICES, 'sheets', limited({ fileBytes: PRICES.length - 1 }))).toEqual(none('tooLarge'))
    expect(await readOfficeFile(PRICES, 'sheets', limited({ fileBytes: PRICES.length }))).toMatchObject({
      kind: 'sheets',
    })
    expect(await readOfficeFile(PRICES, 'sheets', limited({ parts: 6 }))).toEqual(none('tooLarge'))
    expect(await readOfficeFile(PRICES, 'sheets', limited({ parts: 7 }))).toMatchObject({ kind: 'sheets' })
    expect(await readOfficeFile(PRICES, 'sheets', limited({ unpackedBytes: 500 }))).toEqual(none('tooLarge'))
  })

  it('when it unpacks to far more than it is', async () => {
    const bomb = workbook({ Sheet: rowOf(1, 'a') }, { 'xl/media/zeros.bin': '0'.repeat(8 * 1024 * 1024) })
    expect(await readOfficeFile(bomb, 'sheets')).toEqual(none('unsafe'))
  })

  it.each(['utf8', 'utf16le'] as const)('when a part declares a document type or entities (%s)', async (encoding) => {
    const declared = '<!DOCTYPE x [<!ENTITY a "b">]><worksheet/>'
    const text = encoding === 'utf8' ? declared : Buffer.from(declared, 'utf16le').toString('latin1')
    const sheet = workbook({ Sheet: rowOf(1, 'a') }, { 'xl/worksheets/sheet1.xml': text })
    expect(await readOfficeFile(sheet, 'sheets')).toEqual(none('unsafe'))
  })

  it('when it is not read in time', async () => {
    expect(await readOfficeFile(PRICES, 'sheets', limited({ readMs: 0 }))).toEqual(none('tooLong'))
  })
})
