/** Which characters are shown as codes, and which belong to a script or an emoji. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foreignText, RUNS, signsIn } from '@/test/foreignText'
import { escapedJson, isPlain, shownText, shownValue, shownValues, textPieces, withIsolates } from './hiddenSigns'

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at)
const HIDDEN = [
  ...range(0x00, 0x08),
  ...range(0x0b, 0x0c),
  ...range(0x0e, 0x1f),
  ...range(0x7f, 0x9f),
  ...[0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x2800, 0x3164, 0xfeff, 0xffa0, 0xfffc],
  ...range(0x180b, 0x180f),
  ...range(0x200b, 0x200f),
  ...range(0x2028, 0x202e),
  ...range(0x2060, 0x206f),
  ...range(0xfe00, 0xfe0f),
  ...range(0xfff9, 0xfffb),
  ...range(0xe0000, 0xe01ef),
]

describe('a character that nobody sees', () => {
  it('[R387] is a code between Latin letters, whichever it is', () => {
    for (const code of HIDDEN) {
      const name = code.toString(16).toUpperCase().padStart(4, '0')
      expect(shownText(`a${String.fromCodePoint(code)}b`)).toBe(`a[U+${name}]b`)
    }
    expect(shownText('a\ud800b')).toBe('a[U+D800]b')
    expect(shownText('a\rb')).toBe('a[U+000D]b')
  })

  it('[R387] is none where a script or an emoji needs it', () => {
    for (const text of [
      ...['می\u200cخواهم', 'ه\u200d', 'PDF\u200cها', 'क्\u200dष', 'क्\u200c', 'ന്\u200d', 'ක්\u200dෂ', 'ဆ\ufe00'],
      ...['👩\u200d👩\u200d👧', '🏳\ufe0f\u200d🌈', '🧑🏽\u200d💻', '❤\ufe0f', '1\ufe0f\u20e3', '☎\ufe0e'],
      ...['\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}', '葛\u{e0100}', '神\ufe00', '，\ufe01'],
      ...['ᠮᠣ\u180b', 'ภาษา\u200bไทย', 'ភាសា\u200bខ្មែរ', 'ᄀ\u1160', '\u115fᅡ', '⠁\u2800⠃', 'a\tb\nc\r\nd', '\u0600١'],
    ])
      expect([text, textPieces(text).filter(({ is }) => is === 'sign')]).toEqual([text, []])
  })

  it('[R387] is a code where it only pretends to belong: twice, beside another script, in a row', () => {
    for (const [text, shown] of [
      ['ab\u200dcd', 'ab[U+200D]cd'],
      ['می\u200c\u200cخ', 'می[U+200C][U+200C]خ'],
      ['❤\ufe0f\ufe0f', '❤\ufe0f[U+FE0F]'],
      ['价\u{e0100}\u{e0101}', '价\u{e0100}[U+E0101]'],
      ['5\ufe0f', '5[U+FE0F]'],
      ['👩\u200dx', '👩[U+200D]x'],
      ['\u{1f3f4}\u{e0061}\u{e007f}', '\u{1f3f4}[U+E0061][U+E007F]'],
      ['价\u200b格', '价[U+200B]格'],
      ['\u115f\u1160', '[U+115F][U+1160]'],
      ['a\u2068b\u2069c', 'a[U+2068]b[U+2069]c'],
      ['שלום\u202e3', 'שלום[U+202E]3'],
    ])
      expect([text, shownText(text ?? '')]).toEqual([text, shown])
  })

  it('[R387] nothing else of a text changes, and the pieces are the whole text', () => {
    const known = fc.constantFrom('a', '价', 'م', '\u200d', '\u200c', '❤', '\ufe0f', '\u2068', '\u2069')
    const unit = fc.oneof(
      known,
      fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
    )
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 20 }), fc.boolean(), (parts, isLiteral) => {
        const text = parts.join('')
        const whole = textPieces(text, isLiteral)
          .map((piece) =>
            piece.is === 'plain'
              ? piece.text
              : piece.is === 'isolate'
                ? `\u2068${piece.text}\u2069`
                : String.fromCodePoint(Number.parseInt(piece.code.slice(2), 16)),
          )
          .join('')
        expect(whole).toBe(text)
        if (isPlain(text, isLiteral)) expect(shownText(text, isLiteral)).toBe(text)
      }),
      { numRuns: process.env.CONVENE_ALL === '1' ? 50_000 : 500 },
    )
  })
})

describe('a value of a sentence', () => {
  it('[R387] is isolated where it runs from right to left, once, with its hidden characters as codes', () => {
    expect(shownValues({ name: 'מיכל', count: 3, path: 'a\u202eb', plain: 'Ben' })).toEqual({
      name: '\u2068מיכל\u2069',
      count: 3,
      path: 'a[U+202E]b',
      plain: 'Ben',
    })
    expect(shownValues({ text: '\u2068מיכל\u2069 waits' })).toEqual({ text: '\u2068מיכל\u2069 waits' })
    expect(shownValues({ text: 'מיכל\u2069\u202e' })).toEqual({ text: '\u2068מיכל[U+2069][U+202E]\u2069' })
    expect(textPieces('\u2068מיכל[U+2069]\u2069 waits').map(({ is }) => is)).toEqual(['isolate', 'plain'])
  })

  it('[R387] has no hidden character, whatever it is, and leaves the direction of the words beside it', () => {
    expect(shownValue('\u2068א\u2069ב')).toBe('\u2068אב\u2069')
    // An isolate ends with its line.
    expect(shownValue('א\nב')).toBe('א\nב')
    fc.assert(
      fc.property(foreignText, (text) => {
        const shown = shownValue(text)
        expect(signsIn(shown)).toEqual([])
        if (!shown.includes('\n')) expect(shown.replace(/\u2068[^\u2069]*\u2069/gu, '')).not.toMatch(/א/)
      }),
      { numRuns: RUNS },
    )
  })

  it('[R387] is isolated in a sentence that was filled before, in any depth of its values', () => {
    const values = { who: 'מיכל', n: 3, names: ['Ben', 'דן'], why: { say: 'isPaused', with: { who: 'דן (מיכל)' } } }
    expect(withIsolates('מיכל, Ben and דן: 3. דן (מיכל) is paused', values)).toBe(
      '\u2068מיכל\u2069, Ben and \u2068דן\u2069: 3. \u2068דן (מיכל)\u2069 is paused',
    )
    // What nobody put into it is no value.
    expect(withIsolates('מיכל waits', undefined)).toBe('מיכל waits')
    expect(withIsolates('Ben waits', { who: 'Ben' })).toBe('Ben waits')
  })
})

describe('JSON for a terminal', () => {
  it('[R387] means the same and has no hidden character', () => {
    const line = JSON.stringify({ text: 'a\u009b31m\u202eb\u007f价\u{e0041}', n: 1 })
    expect(escapedJson(line)).toBe('{"text":"a\\u009b31m\\u202eb\\u007f价\\udb40\\udc41","n":1}')
    fc.assert(
      fc.property(fc.dictionary(foreignText, foreignText), (value) => {
        const json = escapedJson(JSON.stringify(value))
        expect(JSON.parse(json)).toEqual(value)
        expect(json).not.toMatch(/[\p{Cc}\p{Cf}\p{DI}\u2028\u2029]/u)
      }),
      { numRuns: RUNS },
    )
  })
})
