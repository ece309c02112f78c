/**
 * Splits texts and search queries into terms, the same for every store and the page. Pure.
 *
 * A word of letters and digits is a term, in lower case. Scripts without spaces, such as Chinese, are split into overlapping
 * pairs of characters plus the last character of a run, so that any two adjacent characters are found.
 */

const UNSPACED_CHARACTER = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`
const RUNS = new RegExp(String.raw`${UNSPACED_CHARACTER}+|(?:(?!${UNSPACED_CHARACTER})[\p{L}\p{N}\p{M}])+`, 'gu')
const UNSPACED = new RegExp(`^${UNSPACED_CHARACTER}`, 'u')

const normalise = (text: string): string => text.normalize('NFKC').toLowerCase()
const runsOf = (text: string): string[] => normalise(text).match(RUNS) ?? []
const pairsOf = (run: string): string[] => {
  const signs = [...run]
  return signs.slice(1).map((sign, at) => `${signs[at]}${sign}`)
}

/** The terms of a text, in order. */
export const termsOf = (text: string): string[] =>
  runsOf(text).flatMap((run) => (UNSPACED.test(run) ? [...pairsOf(run), [...run].at(-1) ?? ''] : [run]))

/** Adjacent terms of a query; isPrefix: the last one may be the beginning of a word. */
export type QueryPart = { terms: readonly string[]; isPrefix: boolean }

/** A single letter is no prefix: it would match a third of all words. */
const PREFIX_FROM = 2

/** The parts of a query, separated by spaces; a text must contain all. */
export function queryOf(query: string): QueryPart[] {
  return query.split(/\s+/u).flatMap((part): QueryPart[] => {
    const runs = runsOf(part)
    const last = runs.at(-1)
    if (last === undefined) return []
    const before = termsOf(runs.slice(0, -1).join(' '))
    if (!UNSPACED.test(last)) return [{ terms: [...before, last], isPrefix: [...last].length >= PREFIX_FROM }]
    const pairs = pairsOf(last)
    // A run may continue in the text, so its last character is no term here; a single one may start a pair, or end a run.
    return pairs.length === 0
      ? [{ terms: [...before, last], isPrefix: true }]
      : [{ terms: [...before, ...pairs], isPrefix: false }]
  })
}

/** Where a text contains the words of a query, for highlighting: [from, to) in characters, in order, without overlaps. */
export function matchRanges(text: string, query: string): [number, number][] {
  const wanted = [...new Set(runsOf(query))].sort((a, b) => b.length - a.length)
  const lower = text.toLowerCase()
  // If lower case changes the length, positions would be wrong.
  if (wanted.length === 0 || lower.length !== text.length) return []
  const found: [number, number][] = []
  for (const run of wanted) {
    for (let at = lower.indexOf(run); at >= 0; at = lower.indexOf(run, at + run.length)) {
      const before = lower.slice(0, at)
      // Only beginnings of words match.
      if (!UNSPACED.test(run) && /[\p{L}\p{N}\p{M}]$/u.test(before) && !UNSPACED.test(before.slice(-1))) continue
      const to = at + run.length
      if (!found.some(([from, end]) => at < end && from < to)) found.push([at, to])
    }
  }
  return found.sort((a, b) => a[0] - b[0])
}
