/**
 * Plurals and small numbers of the interface's own languages, without Intl: the first formatter of a page takes 12 ms, on a phone four
 * times that, before anything is shown.
 *
 * Pure.
 */

/** A whole number in groups of three: 18,220, in English and Chinese alike. */
export const groupThrees = (whole: number): string => String(whole).replace(/\B(?=(\d{3})+$)/g, ',')

/** As much of use-intl's formatters as texts need; the rest is handed on. */
type Formatters = {
  getPluralRules: (locale: string, options?: Intl.PluralRulesOptions) => { select: (value: number) => string }
  getNumberFormat: (locale: string, options?: Intl.NumberFormatOptions) => { format: (value: number) => string }
}

const isEnglish = (locale: string): boolean => locale !== 'zh'

/** The same formatters, with these two by our own means where that gives the same text: English has one form for 1 and another for the rest, Chinese one for all. */
export const plainFormatters = <F extends object>(formatters: F & Formatters): F => ({
  ...formatters,
  getPluralRules: (locale: string, options?: Intl.PluralRulesOptions) =>
    options?.type === 'cardinal'
      ? { select: (value: number) => (isEnglish(locale) && Math.abs(value) === 1 ? 'one' : 'other') }
      : formatters.getPluralRules(locale, options),
  getNumberFormat: (locale: string, options?: Intl.NumberFormatOptions) =>
    options === undefined
      ? {
          format: (value: number) =>
            Number.isSafeInteger(value) ? groupThrees(value) : formatters.getNumberFormat(locale).format(value),
        }
      : formatters.getNumberFormat(locale, options),
})
