/** The interface's languages: which there are, the reader's choice, their words. */
export { chooseLocale, isLocale, LANGUAGE_COOKIE, LOCALE_NAMES, LOCALES, type Locale, languageCookie } from './locale'
export { loadMessages, type MessageCatalogue, type WordsOf } from './messages'
