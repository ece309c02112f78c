/** The interface's languages: which there are, the reader's choice, their words. */
export { chooseLocale, isLocale, LANGUAGE_COOKIE, LANGUAGES, LOCALES, type Locale, languageCookie } from './locale'
export { loadMessages, type Messages, type WordsOf } from './messages'
