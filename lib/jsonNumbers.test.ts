/** Numbers of JSON texts: which ones parsing changes, and how their digits are kept. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exactJsonOf, jsonOrText } from './json'
import { changedNumberIn, isNumberChanged, MOST_KEPT_NUMBERS, withNumbersKept, withNumbersWritten } from './jsonNumbers'

const RUNS = process.env.CONVENE_ALL === '1' ? 20_000 : 100

/** A number as JSON may write it: any digits, a fraction, an exponent. */
const digits = (max: number) => fc.stringMatching(new RegExp(`^\\d{1,${max}}$`))
const literal = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.nat({ max: 9 }),
    digits(24),
    fc.option(digits(24)),
    fc.option(fc.integer({ min: -400, max: 400 })),
  )
  .map(([sign, first, rest, fraction, exponent]) =>
    [
      sign,
      first === 0 ? '0' : `${first}${rest}`,
      fraction === null ? '' : `.${fraction}`,
      exponent === null ? '' : `e${exponent}`,
    ].join(''),
  )
/** The exact value of a number: digits without zeros at the ends, and where the point stands. */
function exact(text: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const all = `${whole}${fraction}`
  const bare = all.replace(/^0+/, '').replace(/0+$/, '')
  if (bare === '') return '0'
  const zeros = all.length - all.replace(/0+$/, '').length
  return `${sign}${bare}e${Number(exponent) - fraction.length + zeros}`
}

describe('[R323] a number that parsing changes', () => {
  it.each([
    '1234567890123456789',
    '9007199254740993',
    '9007199254740993.0',
    '12345678901234567.89',
    '0.1234567890123456789',
    '1e400',
    '-1e999',
    '1e-400',
    '18446744073709551615',
  ])('such as %s is found with its place', (number) => {
    expect(isNumberChanged(number)).toBe(true)
    expect(changedNumberIn(`{"a": [true, ${number}]}`)).toBe(13)
  })

  it.each([
    '0',
    '-0',
    '3.10',
    '1.0',
    '0.1',
    '0.10000000000000001',
    '0.30000000000000004',
    '1e23',
    '5e-324',
    '1.7976931348623157e308',
    '9007199254740992',
    '100000000000000000000',
    '1E5',
  ])('does not include %s, which keeps its digits', (number) => expect(isNumberChanged(number)).toBe(false))

  it('is one exactly if the number that is written back is another one', () => {
    fc.assert(
      fc.property(literal, (text) => {
        const number = JSON.parse(text) as number
        if (isNumberChanged(text)) return
        // Its own shortest form may be shorter than what was written: the same digits are in it.
        const length = exact(text).replace(/e.*|-/g, '').length
        expect(exact(number.toPrecision(Math.max(1, Math.min(100, length))))).toBe(exact(text))
      }),
      { numRuns: RUNS },
    )
  })

  it('is found outside of texts only', () => {
    for (const text of ['"1234567890123456789"', '{"1234567890123456789":1}', '["\\\\", "\\"1234567890123456789"]'])
      expect(changedNumberIn(text)).toBeNull()
  })

  it('keeps its digits as a text, and nothing else of the JSON changes', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            literal.map((number) => ({ number })),
            fc.oneof(
              fc.string({ maxLength: 12 }),
              fc.constantFrom('\\', '"', '\\"', '价\u2028', '1234567890123456789'),
            ),
          ),
        ),
        (items) => {
          const written = items.map((item) => (typeof item === 'string' ? JSON.stringify(item) : item.number))
          const read: unknown = JSON.parse(withNumbersKept(`[${written.join(', ')}]`)?.text ?? '')
          expect(read).toEqual(
            items.map((item) =>
              typeof item === 'string' ? item : isNumberChanged(item.number) ? item.number : Number(item.number),
            ),
          )
        },
      ),
      { numRuns: RUNS },
    )
    const many = (count: number) => `[${'1e400,'.repeat(count - 1)}1e400]`
    expect(withNumbersKept(many(MOST_KEPT_NUMBERS))?.kept).toHaveLength(MOST_KEPT_NUMBERS)
    expect(withNumbersKept(many(MOST_KEPT_NUMBERS + 1))).toBeNull()
  })

  it('makes the text be shown in place of a value', () => {
    expect(exactJsonOf('{"a":1e400}')).toBeUndefined()
    expect(jsonOrText('{"a":1234567890123456789}')).toBe('{"a":1234567890123456789}')
    expect(jsonOrText('{"a":12}')).toEqual({ a: 12 })
  })

  it('is no other than any that would be written otherwise, where a value is only shown', () => {
    expect(withNumbersWritten('[3.10, 1e400, -0, 7, "3.10"]')).toBe('["3.10", "1e400", "-0", 7, "3.10"]')
  })
})
