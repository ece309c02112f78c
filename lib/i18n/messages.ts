/** Loads the texts of the interface by language; typed by the English file. */
import type en from '@/messages/en.json'
import type { Locale } from './locale'

export type MessageCatalogue = typeof en

declare module 'use-intl' {
  interface AppConfig {
    Messages: MessageCatalogue
    Locale: Locale
  }
}

/** The sign-in page needs a twentieth of the texts. */
export type WordsOf = 'signIn' | 'console'

/** The texts of one language; each file is a chunk of its own. zh has the same keys (i18n.test.ts). */
export async function loadMessages(locale: Locale, page: WordsOf): Promise<MessageCatalogue> {
  switch (locale) {
    case 'en':
      return page === 'signIn'
        ? (await import('@/messages/en.json?sign-in')).default
        : (await import('@/messages/en.json?console')).default
    case 'zh':
      return page === 'signIn'
        ? (await import('@/messages/zh.json?sign-in')).default
        : (await import('@/messages/zh.json?console')).default
    case 'en-XA':
      return (await import('@/messages/en.json?pseudo')).default
  }
}
