/** What is formatted by our own means reads as Intl writes it. */
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '@/lib/language'
import { groupThrees, plainFormatters } from './plainFormatters'

const NUMBERS = [0, 1, 2, 7, 10, 11, 21, 100, 101, 999, 1_000, 1_001, 12_345, 999_999, 1_234_567, -1, -1_234]
const intl = {
  getPluralRules: (locale: string, options?: Intl.PluralRulesOptions) => new Intl.PluralRules(locale, options),
  getNumberFormat: (locale: string, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
}
const plain = plainFormatters(intl)

describe.each(LANGUAGES)('in %s', (locale) => {
  it('a number has the plural form of Intl', () => {
    for (const type of ['cardinal', 'ordinal'] as const)
      for (const value of [...NUMBERS, 0.5, 1.5])
        expect(plain.getPluralRules(locale, { type }).select(value), `${type} ${value}`).toBe(
          intl.getPluralRules(locale, { type }).select(value),
        )
  })

  it('a number is formatted as by Intl, integer or not, and with options', () => {
    for (const value of [...NUMBERS, 0.5, 1234.5678, Number.NaN, 1e21]) {
      expect(plain.getNumberFormat(locale).format(value)).toBe(intl.getNumberFormat(locale).format(value))
      const percent = { style: 'percent' } as const
      expect(plain.getNumberFormat(locale, percent).format(value)).toBe(
        intl.getNumberFormat(locale, percent).format(value),
      )
    }
    for (const value of NUMBERS) expect(groupThrees(value)).toBe(intl.getNumberFormat(locale).format(value))
  })
})

it('a page whose texts have integers creates no Intl formatter', () => {
  const refuse = (): never => {
    throw new Error('made')
  }
  const own = plainFormatters<typeof intl>({ getPluralRules: refuse, getNumberFormat: refuse })
  expect(own.getPluralRules('en', { type: 'cardinal' }).select(1)).toBe('one')
  expect(own.getNumberFormat('zh').format(1_284)).toBe('1,284')
})
