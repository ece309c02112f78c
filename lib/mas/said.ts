/** What the program says to people: a sentence in the team's language, with its key and values for readers of another one. */
import { SENTENCES_EN } from '@/messages/program.en'
import { SENTENCES_ZH } from '@/messages/program.zh'
import { fillIn, type Sentence, type ValuesOf } from '../i18n/sentences'
import type { Language } from './records/values'

type Sentences = typeof SENTENCES_EN
export type SentenceKey = keyof Sentences
type Value = string | number | boolean | readonly string[] | Said

/** A sentence by its key. Names in a row are a list; a value may be a sentence itself. */
export type Said = { readonly say: SentenceKey; readonly with: Readonly<Record<string, Value>> }

type Values<Data> = {
  readonly [Name in keyof Data]: Data[Name] extends string ? string | readonly string[] | Said : Data[Name]
}
export type SentenceData<Key extends SentenceKey> = Sentences[Key] extends string
  ? ValuesOf<Sentences[Key]> extends undefined
    ? []
    : [ValuesOf<Sentences[Key], string | number | readonly string[] | Said>]
  : [Values<ValuesOf<Sentences[Key]>>]

const TABLE: Record<Language, Readonly<Record<string, Sentence>>> = { en: SENTENCES_EN, zh: SENTENCES_ZH }

export const said = <Key extends SentenceKey>(say: Key, ...[values]: SentenceData<Key>): Said => ({
  say,
  with: Object.fromEntries(Object.entries(values ?? {})),
})

/** The sentence in that language; null where a newer program said it. */
export function saySaid(language: Language, { say, with: values }: Said): string | null {
  const sentence = Object.hasOwn(TABLE[language], say) ? TABLE[language][say] : undefined
  if (sentence === undefined) return null
  return fillIn(
    language,
    sentence,
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, sayValue(language, value)])),
  )
}

function sayValue(language: Language, value: Value): string | number | boolean {
  if (typeof value !== 'object') return value
  return 'say' in value ? (saySaid(language, value) ?? '') : sayNames(language, value)
}

/** Names in a row, as people write them: "Ana, Ben and Coder", "Ana、Ben、Coder". */
export const sayNames = (language: Language, names: readonly string[]): string =>
  language === 'zh' || names.length < 2
    ? names.join('、')
    : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`

/** What a record tells, in that language where the program said it, and else as it was written. */
export const textIn = (language: Language, { text, said: own }: { text: string; said?: Said }): string =>
  (own === undefined ? null : saySaid(language, own)) ?? text
