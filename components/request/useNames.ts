/** Several names as one phrase in the reader's language: "Ana, Ben and Lee". */
import { useLocale } from 'use-intl'

/** Chinese text has a space between a Han letter and a Latin one. */
const withSpaces = (phrase: string): string => phrase.replace(/(?<=[!-~])和/gu, ' 和').replace(/和(?=[!-~])/gu, '和 ')

const lists = new Map<string, Intl.ListFormat>()

export function useNames(): (names: readonly string[]) => string {
  const locale = useLocale()
  return (names) => {
    const known =
      lists.get(locale) ?? new Intl.ListFormat(locale === 'en-XA' ? 'en-GB' : locale === 'en' ? 'en-GB' : locale)
    lists.set(locale, known)
    const phrase = known.format(names)
    return locale === 'zh' ? withSpaces(phrase) : phrase
  }
}
