/** Sentences with values: `{name}` stands for a value, and a sentence that depends on its values is a function. */
import type { Translated } from '@/messages/program.en'
import { closeHanSpaces, markValues } from '../format/hanSpaces'

export type Sentence = string | ((values: never) => string)

/** The names of the values in a text; braces around anything but a name stand for themselves. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string}${' ' | ':'}${string}` ? never : Name) | NamesIn<Rest>
  : never

/** What a sentence needs to be said; undefined for nothing. `Value`: what may stand for a `{name}`. */
export type ValuesOf<Said, Value = string | number> = Said extends (values: infer Values) => string
  ? Values
  : Said extends string
    ? [NamesIn<Said>] extends [never]
      ? undefined
      : { readonly [Name in NamesIn<Said>]: Value }
    : never

/** What is given behind the key of a sentence. */
export type DataOf<Said> = ValuesOf<Said> extends undefined ? [] : [ValuesOf<Said>]

/** out: says a key of this table, in one of the two languages. */
export const sayerOf =
  <Table extends Readonly<Record<string, Sentence>>>(en: Table, zh: Translated<Table>) =>
  <Key extends keyof Table & string>(language: 'en' | 'zh', key: Key, ...[values]: DataOf<Table[Key]>): string =>
    fillIn(language, { en, zh }[language][key], values)

/** The sentence with its values, in its language. In Chinese, spaces between Han and Han are closed. */
export function fillIn(language: 'en' | 'zh', sentence: Sentence, values: object = {}): string {
  return language === 'en' ? filled(sentence, values) : closeHanSpaces(filled(sentence, markValues(values)))
}

function filled(sentence: Sentence, values: object): string {
  if (typeof sentence === 'function') return sentence(values as never)
  const texts = new Map(Object.entries(values))
  return sentence.replace(/\{(\w+)\}/g, (all, name: string) => (texts.has(name) ? String(texts.get(name)) : all))
}
