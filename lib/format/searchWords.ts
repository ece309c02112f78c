/**
 * How a text is cut into what can be searched, and a wish into what must stand in it. Pure; the same for every store
 * and the page.
 *
 * Words of letters and digits are terms as they are, in lower case. Chinese and other scripts without gaps have no
 * words to cut at: a run of them becomes its overlapping pairs and its last character, so that any two characters that
 * follow each other are found.
 */

const RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{N}\p{M}])+/gu
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

const normalise = (text: string): string => text.normalize('NFKC').toLowerCase()
const runsOf = (text: string): string[] => normalise(text).match(RUNS) ?? []
const pairsOf = (run: string): string[] => {
  const signs = [...run]
  return signs.slice(1).map((sign, at) => `${signs[at]}${sign}`)
}

/** Terms of a text in their order; a term's place counts. */
export const termsOf = (text: string): string[] =>
  runsOf(text).flatMap((run) => (UNSPACED.test(run) ? [...pairsOf(run), [...run].at(-1) ?? ''] : [run]))

/**
 * One part of a wish: terms that stand one behind the other; `isOpen`: the last may be only the beginning of what stands there.
 */
export type QueryPart = { terms: readonly string[]; isPrefix: boolean }

/** A word of one letter is the word, not the beginning of a third of all words. */
const PREFIX_FROM = 2

/** A wish's parts, all of which must be in a text; gaps part them. */
export function queryOf(query: string): QueryPart[] {
  return query.split(/\s+/u).flatMap((part): QueryPart[] => {
    const runs = runsOf(part)
    const last = runs.at(-1)
    if (last === undefined) return []
    const before = termsOf(runs.slice(0, -1).join(' '))
    if (!UNSPACED.test(last)) return [{ terms: [...before, last], isPrefix: [...last].length >= PREFIX_FROM }]
    const pairs = pairsOf(last)
    // Its last character may go on in the text: pairs alone say that it stands there. One alone begins a pair, or ends its run.
    return pairs.length === 0
      ? [{ terms: [...before, last], isPrefix: true }]
      : [{ terms: [...before, ...pairs], isPrefix: false }]
  })
}

/** Whether all parts of a wish are among these terms of one text. */
export const matchesQuery = (terms: readonly string[], query: readonly QueryPart[]): boolean =>
  query.every((part) => terms.some((_, at) => matchesAt(terms, at, part)))

const matchesAt = (terms: readonly string[], at: number, { terms: wanted, isPrefix }: QueryPart): boolean =>
  wanted.every((term, index) => {
    const found = terms[at + index]
    if (found === undefined) return false
    return isPrefix && index === wanted.length - 1 ? found.startsWith(term) : found === term
  })

/** Where in a text the runs of a wish stand, for marking them: [from, to) in characters of the text, in order, never overlapping. */
export function matchRanges(text: string, query: string): [number, number][] {
  const wanted = [...new Set(runsOf(query))].sort((a, b) => b.length - a.length)
  const lower = text.toLowerCase()
  // Where lower case has another length than the text, places would be wrong: then nothing is marked.
  if (wanted.length === 0 || lower.length !== text.length) return []
  const found: [number, number][] = []
  for (const run of wanted) {
    for (let at = lower.indexOf(run); at >= 0; at = lower.indexOf(run, at + run.length)) {
      const before = lower.slice(0, at)
      // In the middle of a word it was not found, so it is not marked.
      if (!UNSPACED.test(run) && /[\p{L}\p{N}\p{M}]$/u.test(before) && !UNSPACED.test(before.slice(-1))) continue
      const to = at + run.length
      if (!found.some(([from, end]) => at < end && from < to)) found.push([at, to])
    }
  }
  return found.sort((a, b) => a[0] - b[0])
}
