/** Spacing of values in Chinese sentences: a space between Chinese and Latin text, none between Chinese and Chinese. */

/** Private-use marks around a value while the sentence is formatted: U+E000 before, U+E001 after. */
const MARKS = /(?<=\p{Script=Han})(?:\uE001 \uE000?| \uE000)(?=\p{Script=Han})|[\uE000\uE001]/gu

/** Values without Chinese at either end are not marked: sentences may compare them. */
const marked = <Value>(value: Value): Value =>
  typeof value === 'string' && /^\p{Script=Han}|\p{Script=Han}$/u.test(value)
    ? (`\uE000${value}\uE001` as Value & string)
    : value

/** Marks the ends of the values for closeHanSpaces. */
export function markValues<Values extends object>(values: Values): Values {
  const all = { ...values }
  for (const name in all) all[name] = marked(all[name])
  return all
}

/** Removes the marks, and spaces between Chinese and Chinese. */
export const closeHanSpaces = (sentence: string): string => sentence.replace(MARKS, '')

/** Template tag for Chinese sentences: inHan`交给 ${name}`. */
export const inHan = (sentence: TemplateStringsArray, ...names: readonly string[]): string =>
  closeHanSpaces(String.raw({ raw: sentence }, ...names.map(marked)))
