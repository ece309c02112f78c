/** Pinyin initials of Chinese names: 王伟 is "ww". Derived from Intl's pinyin collation, without a dictionary. */

/** The first character of each letter, in pinyin order. */
const LETTERS = 'abcdefghjklmnopqrstwxyz'
const FIRSTS = [...'阿八嚓哒妸发旮哈讥咔垃妈拏噢妑七呥扨它穵夕丫帀']
const HAN = /\p{Script=Han}/u
/** Created on first use, as that is slow. */
let order: Intl.Collator | null = null

function letterOf(character: string): string {
  if (!HAN.test(character)) return character.toLocaleLowerCase()
  order ??= new Intl.Collator('zh-Hans-CN-u-co-pinyin')
  const { compare } = order
  return LETTERS[FIRSTS.findLastIndex((first) => compare(character, first) >= 0)] ?? character
}

/** The initials of a text with Chinese characters; other characters are kept. '' without any. */
export const initialsOf = (text: string): string =>
  HAN.test(text)
    ? [...text]
        .filter((character) => character.trim() !== '')
        .map(letterOf)
        .join('')
    : ''
