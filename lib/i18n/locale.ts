/** The languages of the interface, and where a reader's choice is kept. */

/** en-XA is English with marks on every word and 40 % longer, for finding words that were never translated. */
export const LOCALES = ['en', 'zh', 'en-XA'] as const
export type Locale = (typeof LOCALES)[number]

/** Those a reader can choose, by their own name. */
export const LOCALE_NAMES: { locale: Locale; name: string }[] = [
  { locale: 'en', name: 'English' },
  { locale: 'zh', name: '中文' },
]

export const LANGUAGE_COOKIE = 'convene_language'

export const isLocale = (text: unknown): text is Locale => LOCALES.some((locale) => locale === text)

/** The reader's language: the cookie, else the first of the browser's that we have, else English. */
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

/** The cookie that keeps the choice for a year, as `document.cookie` takes it. */
export const languageCookie = (locale: Locale): string =>
  `${LANGUAGE_COOKIE}=${locale}; path=/; max-age=31536000; samesite=lax`
