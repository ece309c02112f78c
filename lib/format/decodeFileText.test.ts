/** Files as people's programs save them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeFileText } from './decodeFileText'

const bytes = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
const utf16 = (text: string, isBig: boolean): Uint8Array => {
  const raw = Buffer.from(text, 'utf16le')
  return Uint8Array.from(isBig ? raw.swap16() : raw)
}

describe('[R405] the text of a file', () => {
  it.each<[string, string, string]>([
    ['utf-8', Buffer.from('品名,单价\n苹果,3.20\n').toString('hex'), '品名,单价\n苹果,3.20\n'],
    ['utf-8', `efbbbf${Buffer.from('品名').toString('hex')}`, '品名'],
    [
      'gb18030',
      'c6b7c3fb2cb5a5bcdb2ccafdc1bf0ac6bbb9fb2c332e32302c31300ac0e62c342e35302c350a',
      '品名,单价,数量\n苹果,3.20,10\n梨,4.50,5\n',
    ],
    [
      'big5',
      'ab7e a657 2c b3e6 bbf9 0a c4ab aa47 2c 33 0a b1f9 2c 34 0a'.replaceAll(' ', ''),
      '品名,單價\n蘋果,3\n梨,4\n',
    ],
    ['shift_jis', '956996bc2c926c92690a82e882f182b22c330a', '品名,値段\nりんご,3\n'],
    ['windows-1252', '4d fc 6c 6c 65 72 2c 33 80 0a 63 61 66 e9 2c 34 0a'.replaceAll(' ', ''), 'Müller,3€\ncafé,4\n'],
  ])('in %s is read', (encoding, hex, text) => {
    expect(decodeFileText(bytes(hex))).toEqual({ text, encoding })
  })

  it('in UTF-16 is read, with and without its mark', () => {
    for (const isBig of [false, true]) {
      const encoding = isBig ? 'utf-16be' : 'utf-16le'
      expect(decodeFileText(utf16('\uFEFF品名,单价\n苹果,3.20\n', isBig))).toEqual({
        text: '品名,单价\n苹果,3.20\n',
        encoding,
      })
      expect(decodeFileText(utf16('name,price\r\n苹果,3.20\r\n', isBig))?.encoding).toBe(encoding)
    }
  })

  it('is none where the bytes are those of a picture, an archive or a program', () => {
    for (const hex of [
      '89504e470d0a1a0a0000000d49484452',
      '504b0304140000000800',
      '7f454c4602010100',
      '41004242',
      '80818283',
    ])
      expect(decodeFileText(bytes(hex))).toBeNull()
  })

  it('in UTF-8 is never read as anything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const plain = text.replaceAll('\0', '').replace(/^\uFEFF+/, '')
        expect(decodeFileText(new TextEncoder().encode(plain))).toEqual({ text: plain, encoding: 'utf-8' })
      }),
      { numRuns: process.env.CONVENE_ALL === '1' ? 5_000 : 100 },
    )
  })
})
