/** SHA-256 names, and checks of arguments: a mistake of a caller must never look like a failed database. */

// A text column ends at a NUL when read, and an unpaired surrogate becomes another character:
// two different keys would be one row.
const UNKEEPABLE = /[\0\ud800-\udfff]/u

/** faults: TypeError for an empty text or one that a database would change */
export function requireText(what: string, text: string): void {
  if (text === '' || UNKEEPABLE.test(text))
    throw new TypeError(`${what} is empty or holds a character that cannot be kept`)
}

/** faults: TypeError unless each is an integer of at least 0 (a page size from a query string may be anything) */
export function requireWhole(numbers: Record<string, number>): void {
  for (const [what, number] of Object.entries(numbers)) {
    if (!Number.isSafeInteger(number) || number < 0)
      throw new TypeError(`${what} is ${number}, not a whole number from 0 on`)
  }
}
