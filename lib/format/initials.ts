/**
 * The first letters of a Chinese name as it is typed on a Latin keyboard: 王伟 is "ww".
 *
 * Owns: initialsOf. It asks the platform's own pinyin order, so no dictionary is shipped.
 */

/** The first character of each letter in pinyin order. */
const FIRSTS: readonly (readonly [letter: string, first: string])[] = [
  ['a', '阿'],
  ['b', '八'],
  ['c', '嚓'],
  ['d', '哒'],
  ['e', '妸'],
  ['f', '发'],
  ['g', '旮'],
  ['h', '哈'],
  ['j', '讥'],
  ['k', '咔'],
  ['l', '垃'],
  ['m', '妈'],
  ['n', '拏'],
  ['o', '噢'],
  ['p', '妑'],
  ['q', '七'],
  ['r', '呥'],
  ['s', '扨'],
  ['t', '它'],
  ['w', '穵'],
  ['x', '夕'],
  ['y', '丫'],
  ['z', '帀'],
]
const HAN = /\p{Script=Han}/u
/** Made with the first name that needs it: it takes as long as a small file. */
let order: Intl.Collator | null = null

function letterOf(character: string): string {
  if (!HAN.test(character)) return character.toLocaleLowerCase()
  order ??= new Intl.Collator('zh-Hans-CN-u-co-pinyin')
  const { compare } = order
  return FIRSTS.findLast(([, first]) => compare(character, first) >= 0)?.[0] ?? character
}

/** The initials of a text that holds Chinese characters, other characters as they are; '' when it holds none. */
export const initialsOf = (text: string): string =>
  HAN.test(text)
    ? [...text]
        .filter((character) => character.trim() !== '')
        .map(letterOf)
        .join('')
    : ''
