/** Several names as one phrase in the reader's language: "Ana, Ben and Lee". */
import { useLocale } from 'use-intl'

const lists = new Map<string, Intl.ListFormat>()

export function useNames(): (names: readonly string[]) => string {
  const locale = useLocale()
  return (names) => {
    const known =
      lists.get(locale) ?? new Intl.ListFormat(locale === 'en-XA' ? 'en-GB' : locale === 'en' ? 'en-GB' : locale)
    lists.set(locale, known)
    return known.format(names)
  }
}
