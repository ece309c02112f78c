/** Numbers in a JSON text that a JavaScript number cannot hold: parsing changes them. */

/** The only numbers that parsing can change: of 16 characters or more, or with an exponent of three digits or more. */
const LONG_NUMBER = /-?\d[\d.]{15,}(?:[eE][+-]?\d+)?|-?\d+(?:\.\d+)?[eE][+-]?\d{3,}/g
const WHOLE = /^-?\d+$/
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** A longer number is not compared: no number has as many digits of its own. */
const LONGEST_COMPARED = 1_000
/** The most digits that toPrecision writes. */
const MOST_DIGITS = 100

/** Does parsing change a number: its digits are more than are kept, or it is too large or too small? in: as JSON writes it */
export function isNumberChanged(text: string): boolean {
  const number = Number(text)
  if (!Number.isFinite(number)) return true
  if (text.length > LONGEST_COMPARED) return true
  // It is written again as it was, whatever the digits are that the number itself does not have: 22622899174783470.
  if (String(number) === text) return false
  // Most whole numbers and most fractions, without taking them apart.
  if (WHOLE.test(text) && text.length <= 21) return !Number.isSafeInteger(number) && BigInt(text) !== BigInt(number)
  if (!DECIMAL.test(text)) return false
  const digits = digitsOf(text)
  if (digits === '') return false
  return digits.length > MOST_DIGITS || digitsOf(number.toPrecision(digits.length)) !== digits
}

/** The significant digits of a number. */
const digitsOf = (text: string): string =>
  text
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '')

/** Where the first number stands that parsing changes; null: there is none. in: a JSON text */
export function changedNumberIn(text: string): number | null {
  for (const { at } of changedNumbers(text)) return at
  return null
}

/** A text with more of such numbers is not rewritten: it would block the event loop. */
export const MOST_KEPT_NUMBERS = 10_000

/**
 * A JSON text whose numbers survive parsing: one that would change becomes a text with the same digits.
 *
 * out     kept: these numbers, as they were written; [] when the text is unchanged. null: there are more than MOST_KEPT_NUMBERS
 */
export function withNumbersKept(text: string): { text: string; kept: string[] } | null {
  const { kept, text: safe } = quoted(text, changedNumbers(text))
  return kept.length > MOST_KEPT_NUMBERS ? null : { text: safe, kept }
}

/** The same, of each number that would be written otherwise (3.10, 1e3, -0): for values that are only shown. */
export const withNumbersWritten = (text: string): string =>
  quoted(text, numbersIn(text, NUMBER, isWrittenOtherwise)).text

function quoted(text: string, numbers: Iterable<{ at: number; number: string }>): { text: string; kept: string[] } {
  const pieces: string[] = []
  const kept: string[] = []
  let from = 0
  for (const { at, number } of numbers) {
    pieces.push(text.slice(from, at), `"${number}"`)
    kept.push(number)
    from = at + number.length
  }
  return { text: kept.length === 0 ? text : pieces.join('') + text.slice(from), kept }
}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const isWrittenOtherwise = (number: string): boolean => String(Number(number)) !== number

function* changedNumbers(text: string): Generator<{ at: number; number: string }> {
  let found = 0
  for (const one of numbersIn(text, LONG_NUMBER, isNumberChanged)) {
    yield one
    found += 1
    // One more than is kept says that there are too many.
    if (found > MOST_KEPT_NUMBERS) return
  }
}

function* numbersIn(
  text: string,
  pattern: RegExp,
  isOdd: (number: string) => boolean,
): Generator<{ at: number; number: string }> {
  // The next string of the text: a number within it is no number. Both only move forward, so each character is read once.
  let open = -1
  let close = 0
  const isInString = (at: number): boolean => {
    while (at >= close) {
      if (open < close) {
        const next = text.indexOf('"', close)
        open = next === -1 ? text.length : next
      }
      if (at < open) return false
      close = endOfString(text, open)
    }
    return true
  }
  for (const { 0: number, index: at } of text.matchAll(pattern))
    if (!isInString(at) && isOdd(number)) yield { at, number }
}

/** The place behind the string that opens here; the end of the text if it is not closed. */
function endOfString(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
  return text.length
}
