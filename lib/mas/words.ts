/** Texts of the program in the team's language: for agents, and in records. */
import { NOTES_EN } from '@/messages/notes.en'
import { NOTES_ZH } from '@/messages/notes.zh'
import { SENTENCES_EN } from '@/messages/program.en'
import { SENTENCES_ZH } from '@/messages/program.zh'
import { type DataOf, sayerOf } from '../i18n/sentences'

const ENGLISH = { ...SENTENCES_EN, ...NOTES_EN }

export type WordKey = keyof typeof ENGLISH
export type WordData<Key extends WordKey> = DataOf<(typeof ENGLISH)[Key]>

export const sayInLanguage = sayerOf(ENGLISH, { ...SENTENCES_ZH, ...NOTES_ZH })
