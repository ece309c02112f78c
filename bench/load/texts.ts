/** Texts for load: the same for a seed, about as compressible as what models write. */

/** Numbers from 0 up to 1, the same row for the same seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const LETTERS = 'eeeetttaaaooiinnsshhrrddlucmwfgypbvk'
const WORDS = 3_000

/** A maker of texts of exactly so many characters. */
export function loadTexts(seed: number): (characters: number) => string {
  const next = numbersFrom(seed)
  const upTo = (n: number): number => Math.floor(next() * n)
  const word = (): string => Array.from({ length: 2 + upTo(8) }, () => LETTERS.charAt(upTo(LETTERS.length))).join('')
  const words = Array.from({ length: WORDS }, word)
  return (characters) => {
    let text = ''
    // The square of a number below 1 leans to 0: as in any language, few words come often and most seldom.
    while (text.length < characters) text += `${words[Math.floor(next() ** 2 * WORDS)]} `
    return text.slice(0, characters)
  }
}
