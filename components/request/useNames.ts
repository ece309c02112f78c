import { useLocale, useTranslations } from 'use-intl'
import { joinList } from '@/lib/format'
import type { Language } from '@/lib/language'
import type { Who } from '@/lib/wire/rows'

/** Chinese text has a space between a Han letter and a Latin one. */
const withSpaces = (phrase: string): string => phrase.replace(/(?<=[!-~])和/gu, ' 和').replace(/和(?=[!-~])/gu, '和 ')

const LAST = { zh: '和', en: ' and ' } as const

/** As Intl.ListFormat writes it; lib/i18n/plainFormatters.ts says why that is not loaded. */
export function listNames(names: readonly string[], language: Language): string {
  const last = names.at(-1)
  if (last === undefined || names.length === 1) return last ?? ''
  return `${joinList(names.slice(0, -1), language)}${LAST[language]}${last}`
}

/** out: names as "Ana, Ben and Lee" */
export function useNames(): (names: readonly string[]) => string {
  const language = useLocale() === 'zh' ? 'zh' : 'en'
  return (names) => {
    const phrase = listNames(names, language)
    return language === 'zh' ? withSpaces(phrase) : phrase
  }
}

/** out: the name of a sender; of the system, the words for "the task" */
export function useSenderName(): (who: Pick<Who, 'kind' | 'name'>) => string {
  const t = useTranslations('request')
  return ({ kind, name }) => (kind === 'system' ? t('theTask') : name)
}
