import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { chooseLocale, type Locale, languageCookie } from '@/lib/i18n'

/** Null while prerendered: the static page has no texts. */
const languageStore = createStore<{ locale: Locale | null }>()(() => ({ locale: null }))

/** Read the choice from cookie and browser; called once when the page starts. */
export function readLanguage(): void {
  if (languageStore.getState().locale === null) {
    languageStore.setState({ locale: chooseLocale(document.cookie, navigator.languages) })
  }
}

export const getLanguage = (): Locale | null => languageStore.getState().locale

/** Set the language of this browser. The caller saves it on the server. */
export function setLanguage(locale: Locale): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that we support.
  document.cookie = languageCookie(locale)
  document.documentElement.lang = locale
  languageStore.setState({ locale })
}

export const hasChosenLanguage = (): boolean => document.cookie.includes('convene_language=')

export const useLanguage = (): Locale | null => useStore(languageStore, (state) => state.locale)
