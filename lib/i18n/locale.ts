import { LANGUAGES } from '../language'

/** en-XA is a pseudo-locale: accented English, 40 % longer, which reveals untranslated texts. */
const LOCALES = [...LANGUAGES, 'en-XA'] as const
export type Locale = (typeof LOCALES)[number]

/** The selectable languages with their native names. */
export const LOCALE_NAMES: { locale: Locale; name: string }[] = [
  { locale: 'en', name: 'English' },
  { locale: 'zh', name: '中文' },
]

export const LANGUAGE_COOKIE = 'convene_language'

/** Does a text name a language with messages? */
export const isLocale = (text: unknown): text is Locale => LOCALES.some((locale) => locale === text)

/** The cookie's language, else the first supported one of the browser's, else English. */
export function chooseLocale(cookies: string, preferred: readonly string[]): Locale {
  for (const part of cookies.split(';')) {
    const [name, value] = part.trim().split('=')
    if (name === LANGUAGE_COOKIE && isLocale(value)) return value
  }
  for (const tag of preferred) {
    const base = tag.toLowerCase().split('-')[0]
    if (base === 'zh' || base === 'en') return base
  }
  return 'en'
}

/** The cookie of the choice, valid for a year, for `document.cookie`. */
export const languageCookie = (locale: Locale): string =>
  `${LANGUAGE_COOKIE}=${locale}; path=/; max-age=31536000; samesite=lax`
