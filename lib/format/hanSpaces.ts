/**
 * Names put into a Chinese sentence: a space stands between Han and Latin, none between Han and Han.
 *
 * What stands inside a value stays as somebody wrote it. Pure.
 */

/** Around a value while the sentence is put together: U+E000 before it, U+E001 behind. No text holds them. */
const MARKS = /(?<=\p{Script=Han})(?:\uE001 \uE000?| \uE000)(?=\p{Script=Han})|[\uE000\uE001]/gu

const marked = <Value>(value: Value): Value =>
  typeof value === 'string' && value !== '' ? (`\uE000${value}\uE001` as Value & string) : value

/** The same values, with their ends marked for closeHanSpaces. */
export function markValues<Values extends object>(values: Values): Values {
  const all = { ...values }
  for (const name in all) all[name] = marked(all[name])
  return all
}

/** A sentence made of marked values, as people read it. */
export const closeHanSpaces = (sentence: string): string => sentence.replace(MARKS, '')

/** A Chinese sentence with names in it, as a template: inHan`交给 ${name}`. */
export const inHan = (sentence: TemplateStringsArray, ...names: readonly string[]): string =>
  closeHanSpaces(String.raw({ raw: sentence }, ...names.map(marked)))
