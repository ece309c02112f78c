export { chooseLocale, isLocale, LANGUAGE_COOKIE, LOCALE_NAMES, LOCALES, type Locale, languageCookie } from './locale'
export { loadMessages, loadWithLater, type MessageCatalogue, type WordsOf } from './messages'
