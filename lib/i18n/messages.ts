/** Loads the interface's messages by language; typed by the English file. */
import type { Language } from '@/lib/language'
import type en from '@/messages/en.json'
import type { Locale } from './locale'

export type MessageCatalogue = typeof en

declare module 'use-intl' {
  interface AppConfig {
    Messages: MessageCatalogue
    Locale: Locale
  }
}

/** The sign-in page needs a twentieth of the messages; `later`: those of lazily loaded screens. */
export type WordsOf = 'signIn' | 'console' | 'later'

type Loader = () => Promise<{ default: MessageCatalogue }>
const FILES: Record<Language, Record<WordsOf, Loader>> = {
  en: {
    signIn: () => import('@/messages/en.json?sign-in'),
    console: () => import('@/messages/en.json?console'),
    later: () => import('@/messages/en.json?later'),
  },
  zh: {
    signIn: () => import('@/messages/zh.json?sign-in'),
    console: () => import('@/messages/zh.json?console'),
    later: () => import('@/messages/zh.json?later'),
  },
}

/** The texts of one language; each file is a chunk of its own. zh has the same keys (i18n.test.ts). */
export async function loadMessages(locale: Locale, page: WordsOf): Promise<MessageCatalogue> {
  if (locale === 'en-XA') return (await import('@/messages/en.json?pseudo')).default
  return (await FILES[locale][page]()).default
}

/** hasLater: includes the messages of lazily loaded screens. */
export async function loadWithLater(locale: Locale, page: WordsOf, hasLater: boolean): Promise<MessageCatalogue> {
  const [first, later] = await Promise.all([
    loadMessages(locale, page),
    hasLater ? loadMessages(locale, 'later') : null,
  ])
  return later === null ? first : { ...first, ...later }
}
