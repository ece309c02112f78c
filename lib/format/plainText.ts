/** Converts Markdown, tags and JSON to one plain line, for lists, accessible names and notifications. Pure. */

import { withHandoffWords } from '../protocols/harmony/handoff'

// Texts may be hostile: each expression is linear or bounded. A parser (mdast) would be too large for the first page.
/** The row below a table's head, or a thematic break. */
const RULE = /^[ \t|:-]*$/gmu
const ROW = /^[ \t]*\|.*$/gmu
const FENCE = /^[ \t]*(?:`{3,}|~{3,}).*$/gmu
/** Headings, quotes and list items at the beginning of a line. */
const BEGINNING = /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+)+/gmu
/** `<job>` by itself; `Array<string>` is part of a word. */
const TAG = /(?<=^|[\s}\]])<\/?[a-z][\w-]{0,60}>/giu
const BOLD = /(\*\*|__)(?=\S)([^\n]{0,300}?\S)\1/gu
const LINK = /!?\[([^[\]\n]{0,300})\]\([^)\s]{0,300}\)/gu
const JSON_BEGINS = /[{[] ?(?:"|\{)/u

/** out: `op: compare, where: prices` */
const plainJson = (line: string): string =>
  line
    .replace(/\\[nrt]/gu, ' ')
    .replace(/\\"/gu, '')
    .replace(/" ?: ?/gu, ': ')
    .replace(/([\w"}\]]) ?, ?(?=["{[])/gu, '$1, ')
    .replace(/[{}[\]"]+/gu, ' ')
    .replace(/ +/gu, ' ')
    .replace(/ ([,:])/gu, '$1')

/** Markdown as one line of words, without its marks; a handoff packet in the words that it says. */
export function plainText(text: string): string {
  const line = withHandoffWords(text)
    .replace(FENCE, ' ')
    .replace(RULE, ' ')
    .replace(BEGINNING, '')
    .replace(TAG, ' ')
    .replace(LINK, '$1')
    .replace(BOLD, '$2')
    .replace(/`/gu, '')
    .replace(ROW, (row) =>
      row
        .split('|')
        .filter((cell) => cell.trim() !== '')
        .join(' · '),
    )
    .replace(/\s+/gu, ' ')
  return (JSON_BEGINS.test(line) ? plainJson(line) : line).trim()
}

/** White space, line ends among it, as single spaces. */
export const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim()

/** The first `length` characters of the plain line, with `…` where it was cut. */
export function firstWords(text: string, length = 80): string {
  const letters = [...plainText(text)]
  return letters.length <= length ? letters.join('') : `${letters.slice(0, length - 1).join('')}…`
}

/** The plain line without its middle, cut between words if possible: `Compare the lists … to report.md`. */
export function withoutMiddle(text: string, length: number): string {
  const letters = [...plainText(text)]
  if (letters.length <= length) return letters.join('')
  const atStart = Math.ceil((length - 3) * 0.6)
  const start = letters.slice(0, atStart).join('').trimEnd()
  const end = letters
    .slice(letters.length - (length - 3 - atStart))
    .join('')
    .trimStart()
  const [cutStart, cutEnd] = [start.replace(/\s+\S*$/u, ''), end.replace(/^\S*\s+/u, '')]
  return `${cutStart} … ${cutEnd}`
}
