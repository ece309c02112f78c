/** What the program says in the team's language, to agents and in what records hold. */
import { NOTES_EN, SENTENCES_EN } from '@/messages/program.en'
import { NOTES_ZH, SENTENCES_ZH } from '@/messages/program.zh'
import { fillIn, type ValuesOf } from '../i18n/sentences'
import type { Language } from './records'

const WORDS = { en: { ...SENTENCES_EN, ...NOTES_EN }, zh: { ...SENTENCES_ZH, ...NOTES_ZH } }

export type WordKey = keyof typeof WORDS.en
export type WordData<Key extends WordKey> =
  ValuesOf<(typeof WORDS.en)[Key]> extends undefined ? [] : [ValuesOf<(typeof WORDS.en)[Key]>]

/** Say it in that language. */
export const sayInLanguage = <Key extends WordKey>(language: Language, key: Key, ...[values]: WordData<Key>): string =>
  fillIn(language, WORDS[language][key], values)
