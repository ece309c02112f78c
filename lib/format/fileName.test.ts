/** Names of files as they are shown and saved. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shownFileName } from './fileName'

describe('[R356] the name of a file', () => {
  it.each([
    ['prices 2026.csv', 'prices 2026.csv'],
    ['../../../evil.sh', 'evil.sh'],
    ['C:\\Users\\ben\\a.txt', 'a.txt'],
    ['\u202Egpj.exe', 'gpj.exe'],
    ['invoice\u2066fdp.exe\u2069', 'invoicefdp.exe'],
    ['a\u200Bb\uFEFF.txt', 'ab.txt'],
    ['a\u0000b\r\nc\u2028.txt', 'abc.txt'],
    ['e\u0301.txt', '\u00E9.txt'],
    ['價目表.xlsx', '價目表.xlsx'],
    ['half \uD83D.png', 'half .png'],
    ['..', 'file'],
    ['folder/', 'file'],
    [' \u202E ', 'file'],
    [`${'a'.repeat(300)}.pdf`, `${'a'.repeat(196)}.pdf`],
    [`${'🐎'.repeat(300)}`, '🐎'.repeat(200)],
  ])('%j is %j', (name, shown) => expect(shownFileName(name)).toBe(shown))

  it('has no folder, no hidden character and no more than 200 characters, and stays what it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (name) => {
        const shown = shownFileName(name)
        expect(shown).not.toMatch(/[\\/\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
        expect(shown.trim()).not.toBe('')
        expect([...shown].length).toBeLessThanOrEqual(200)
        expect(shownFileName(shown)).toBe(shown)
      }),
      { numRuns: process.env.CONVENE_ALL ? 5_000 : 200 },
    )
  })
})
