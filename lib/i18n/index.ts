export { chooseLocale, isLocale, LOCALE_NAMES, type Locale, languageCookie } from './locale'
export { loadMessages, loadWithLater, type MessageCatalogue, type WordsOf } from './messages'
