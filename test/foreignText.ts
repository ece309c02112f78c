/** Random texts from outside with characters that nobody sees, and what of them a person would meet. */
import fc from 'fast-check'

const SEEN = ['a', '7', ' ', '价', 'א', '(', '`', '\n']
/** None of them belongs beside what is seen. */
const SIGNS = [
  ...'\u0000\u0007\u001b\u007f\u0085\u009b\u00ad\u034f\u061c\u115f\u17b4\u180e\u200b\u200e\u200f\u2028\u2029',
  ...'\u202a\u202e\u2060\u2064\u2066\u2068\u2069\u206f\u3164\ufeff\uffa0\ufff9\u{e0001}\u{e0041}',
]

export const foreignText = fc
  .array(fc.constantFrom(...SEEN, ...SIGNS), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(''))

export const RUNS = process.env.CONVENE_ALL === '1' ? 20_000 : 200

/** Hidden characters in a text for a person; lines, tabs and closed isolates are none. */
export const signsIn = (text: string): string[] =>
  text
    .replace(/\u2068([^\u2066-\u2069\n]*)\u2069/gu, '$1')
    .match(/(?![\t\n])[\p{Cc}\p{Cf}\p{DI}\p{Cs}\u2028\u2029]/gu) ?? []
