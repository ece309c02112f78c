/** Passwords that are tried first: those of a shipped list, alone or with digits around them, repetitions, runs of keys. */

/** Keys that lie beside each other. */
const ROWS = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'abcdefghijklmnopqrstuvwxyz']
/** A repeated part, or a word of the list, that is as short as this adds nothing. */
const SHORT = 4

let list: Promise<ReadonlySet<string>> | null = null
/** Loaded when the first password is set: it takes 0.2 s, and few processes ever need it. */
const common = (): Promise<ReadonlySet<string>> => {
  list ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(Array.from(dictionary['passwords-common'] as Iterable<string>, (word) => plain(word))),
  )
  return list
}

/** in: own: words that belong to the person and are no secret */
export async function isCommon(password: string, own: readonly string[]): Promise<boolean> {
  const known = await common()
  const text = plain(password)
  const words = own.map(plain).filter((word) => [...word].length >= SHORT)
  const isKnown = (word: string): boolean => known.has(word) || words.includes(word)
  const letters = lettersOf(text)
  return (
    [text, letters, unitOf(text), unitOf(letters)].some((word) => isKnown(word) || isTwoOf(word, isKnown)) ||
    [unitOf(text), unitOf(letters.replaceAll(/[^\p{L}]/gu, ''))].some((unit) => isShort(unit)) ||
    isRunOfKeys(text)
  )
}

/** '': there is none: digits and signs alone are no repetition. */
const isShort = (unit: string): boolean => unit !== '' && [...unit].length <= SHORT

const plain = (text: string): string => text.normalize('NFKC').toLowerCase()

/** Without the digits and signs at both ends. */
const lettersOf = (text: string): string => text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')

/** The part of which a text is a repetition, else the text. */
function unitOf(text: string): string {
  const again = `${text}${text}`.indexOf(text, 1)
  return again > 0 ? text.slice(0, again) : text
}

const isTwoOf = (text: string, isKnown: (word: string) => boolean): boolean =>
  Array.from(text, (_, at) => at).some(
    (at) => at >= SHORT && text.length - at >= SHORT && isKnown(text.slice(0, at)) && isKnown(text.slice(at)),
  )

/** Does it consist of few runs along a row of keys or the alphabet? */
function isRunOfKeys(text: string): boolean {
  const signs = [...text]
  const breaks = signs.filter((sign, at) => at > 0 && !isBeside(signs[at - 1] ?? '', sign)).length
  return (breaks + 1) * SHORT <= signs.length
}

const isBeside = (a: string, b: string): boolean =>
  a === b || ROWS.some((row) => row.includes(`${a}${b}`) || row.includes(`${b}${a}`))
