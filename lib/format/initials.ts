/**
 * The first letters of a Chinese name as it is typed on a Latin keyboard: 王伟 is "ww".
 *
 * It asks the platform's own pinyin order, so no dictionary is shipped.
 */

/** The first character of each letter in pinyin order. */
const LETTERS = 'abcdefghjklmnopqrstwxyz'
const FIRSTS = [...'阿八嚓哒妸发旮哈讥咔垃妈拏噢妑七呥扨它穵夕丫帀']
const HAN = /\p{Script=Han}/u
/** Made with the first name that needs it: it takes as long as a small file. */
let order: Intl.Collator | null = null

function letterOf(character: string): string {
  if (!HAN.test(character)) return character.toLocaleLowerCase()
  order ??= new Intl.Collator('zh-Hans-CN-u-co-pinyin')
  const { compare } = order
  return LETTERS[FIRSTS.findLastIndex((first) => compare(character, first) >= 0)] ?? character
}

/** The initials of a text that holds Chinese characters, other characters as they are; '' when it holds none. */
export const initialsOf = (text: string): string =>
  HAN.test(text)
    ? [...text]
        .filter((character) => character.trim() !== '')
        .map(letterOf)
        .join('')
    : ''
