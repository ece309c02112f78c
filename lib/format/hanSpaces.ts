/** Spaces around values in Chinese sentences: one between Han and Latin, none between Han and Han. */

/** Private-use marks around a value while the sentence is formatted: U+E000 before it, U+E001 behind. */
const MARKS = /(?<=\p{Script=Han})(?:\uE001 \uE000?| \uE000)(?=\p{Script=Han})|[\uE000\uE001]/gu

/** Values without Han at an end stay as they are: sentences may choose by them. */
const marked = <Value>(value: Value): Value =>
  typeof value === 'string' && /^\p{Script=Han}|\p{Script=Han}$/u.test(value)
    ? (`\uE000${value}\uE001` as Value & string)
    : value

/** The values with their ends marked, for closeHanSpaces. */
export function markValues<Values extends object>(values: Values): Values {
  const all = { ...values }
  for (const name in all) all[name] = marked(all[name])
  return all
}

/** Removes the marks, and the spaces between Han and Han. */
export const closeHanSpaces = (sentence: string): string => sentence.replace(MARKS, '')

/** Template tag for Chinese sentences: inHan`交给 ${name}`. */
export const inHan = (sentence: TemplateStringsArray, ...names: readonly string[]): string =>
  closeHanSpaces(String.raw({ raw: sentence }, ...names.map(marked)))
