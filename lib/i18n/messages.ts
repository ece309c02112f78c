/**
 * The words of the interface: fetched per language, typed by the English file.
 *
 * Owns: loading messages/<language>.json, the type that makes a wrong key fail the compiler.
 * Not here: the choice of language (locale.ts), rendering (IntlRoot in components/shell).
 */
import type en from '@/messages/en.json'
import type { Locale } from './locale'
import { pseudoWords } from './pseudo'

export type Messages = typeof en

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages
    Locale: Locale
  }
}

/** The words of one language; each is a chunk of its own. zh has the same keys (held by messages.test.ts). */
export async function loadMessages(locale: Locale): Promise<Messages> {
  switch (locale) {
    case 'en':
      return (await import('@/messages/en.json')).default
    case 'zh':
      return (await import('@/messages/zh.json')).default
    case 'en-XA':
      return pseudoWords((await import('@/messages/en.json')).default)
  }
}
