/**
 * Plurals and small numbers of the interface's own languages, without Intl: the first formatter of a page takes 12 ms, on a phone four
 * times that, before anything is shown.
 *
 * Owns: which form a number has, how a whole number reads. Not here: money and lengths of time (lib/format), ordinals and other forms,
 * which stay with Intl. Pure.
 */

/** A whole number in groups of three: 18,220, in English and Chinese alike. */
export const groupThrees = (whole: number): string => String(whole).replace(/\B(?=(\d{3})+$)/g, ',')

const isPlain = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value)

/** As much of use-intl's formatters as texts need; the rest is handed on. */
type Formatters = {
  getPluralRules: (locale: string, options?: { type?: string }) => { select: (value: number) => string }
  getNumberFormat: (locale: string, options?: object) => { format: (value: number) => string }
}

/** English has one form for 1 and another for the rest, Chinese the same for all. */
const CARDINAL: Readonly<Record<string, { select: (value: number) => string }>> = {
  en: { select: (value) => (Math.abs(value) === 1 ? 'one' : 'other') },
  'en-XA': { select: (value) => (Math.abs(value) === 1 ? 'one' : 'other') },
  zh: { select: () => 'other' },
}

const made = new WeakMap<object, object>()

/** The same formatters, with these two by our own means where that gives the same text. */
export function plainFormatters<F extends object>(formatters: F): F {
  const known = made.get(formatters)
  if (known) return known as F
  const given = formatters as F & Formatters
  const plain: Formatters = {
    getPluralRules: (locale, options) =>
      (options?.type === 'cardinal' ? CARDINAL[locale] : undefined) ?? given.getPluralRules(locale, options),
    getNumberFormat: (locale, options) =>
      options === undefined && locale in CARDINAL
        ? { format: (value) => (isPlain(value) ? groupThrees(value) : given.getNumberFormat(locale).format(value)) }
        : given.getNumberFormat(locale, options),
  }
  const all = { ...given, ...plain }
  made.set(formatters, all)
  return all
}
