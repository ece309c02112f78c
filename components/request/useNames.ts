/** Several names as one phrase in the reader's language: "Ana, Ben and Lee". */
import { useLocale } from 'use-intl'

/** Chinese text has a space between a Han letter and a Latin one. */
const withSpaces = (phrase: string): string => phrase.replace(/(?<=[!-~])和/gu, ' 和').replace(/和(?=[!-~])/gu, '和 ')

const BETWEEN = { zh: ['、', '和'], en: [', ', ' and '] } as const

/** As Intl.ListFormat writes it, which no page waits for (lib/i18n/plainFormatters.ts says why). */
export function listNames(names: readonly string[], language: 'zh' | 'en'): string {
  const [comma, and] = BETWEEN[language]
  const last = names.at(-1)
  if (last === undefined || names.length === 1) return last ?? ''
  return `${names.slice(0, -1).join(comma)}${and}${last}`
}

export function useNames(): (names: readonly string[]) => string {
  const language = useLocale() === 'zh' ? 'zh' : 'en'
  return (names) => {
    const phrase = listNames(names, language)
    return language === 'zh' ? withSpaces(phrase) : phrase
  }
}
