/** Sentences with values: `{name}` is replaced by a value; a sentence that varies with its values is a function. */
import type { Language } from '@/lib/language'
import type { Translated } from '@/messages/program.en'
import { closeHanSpaces, markValues } from '../format/hanSpaces'

export type Sentence = string | ((values: never) => string)

/** Names of the placeholders in a text; other braces are literal. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string}${' ' | ':'}${string}` ? never : Name) | NamesIn<Rest>
  : never

/** The values that a sentence needs; undefined: none. `Value`: the type of a `{name}`. */
export type ValuesOf<Said, Value = string | number> = Said extends (values: infer Values) => string
  ? Values
  : Said extends string
    ? [NamesIn<Said>] extends [never]
      ? undefined
      : { readonly [Name in NamesIn<Said>]: Value }
    : never

/** The arguments after the key of a sentence. */
export type DataOf<Said> = ValuesOf<Said> extends undefined ? [] : [ValuesOf<Said>]

/** out: formats a sentence of this table in either language */
export const sayerOf =
  <Table extends Readonly<Record<string, Sentence>>>(en: Table, zh: Translated<Table>) =>
  <Key extends keyof Table & string>(language: Language, key: Key, ...[values]: DataOf<Table[Key]>): string =>
    fillIn(language, { en, zh }[language][key], values)

/** The sentence with its values. In Chinese, spaces between Chinese characters are removed. */
export function fillIn(language: Language, sentence: Sentence, values: object = {}): string {
  return language === 'en' ? filled(sentence, values) : closeHanSpaces(filled(sentence, markValues(values)))
}

function filled(sentence: Sentence, values: object): string {
  if (typeof sentence === 'function') return sentence(values as never)
  if (!sentence.includes('{')) return sentence
  const texts = new Map(Object.entries(values))
  return sentence.replace(/\{(\w+)\}/g, (all, name: string) => (texts.has(name) ? String(texts.get(name)) : all))
}
