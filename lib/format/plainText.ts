/**
 * Converts Markdown and JSON to one plain line, for lists, accessible names and notifications. Pure.
 *
 * Every letter and digit stays, except for the address of a link and the language of a block of code.
 */

import { withHandoffWords } from '../protocols/harmony/handoff'

// Texts may be hostile: each expression is linear or bounded. A parser (mdast) would be too large for the first page.
/** The row below a table's head, or a thematic break. */
const RULE = /^[ \t|:-]*$/gmu
const ROW = /^[ \t]*\|.*$/gmu
/** With the language of the code. Any other words behind a fence stay. */
const FENCE = /^[ \t]*(?:`{3,}|~{3,})(?:[\w+#-]{1,20}[ \t]*$)?/gmu
/** Headings, quotes and list items at the beginning of a line. */
const BEGINNING = /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+)+/gmu
/** Not within a word or a number: `2**3**4` and `__init__` are no emphasis. */
const BOLD =
  /(?<![A-Za-z0-9)\]](?=\*\*[A-Za-z0-9]))\*\*(?=\S)([^\n]{0,300}?\S)\*\*(?!(?<=[A-Za-z0-9]\*\*)[A-Za-z0-9])/gu
const BOLD_BY_LINES = /(?<!\w)__(?=\S)(?!\w+__)([^\n]{0,300}?\S)__(?!\w)/gu
/** To an address; `list[i](x)` is none. One that cannot be followed is shown, as in Markdown.tsx. */
const LINK = /!?\[([^[\]\n]{0,300})\]\((?:https?:\/\/|mailto:|\/)[^)\s]{0,300}\)/giu
const OTHER_LINK = /!?\[([^[\]\n]{0,300})\]\(([^)\s]{0,300}[./:][^)\s]{0,300})\)/gu
const JSON_BEGINS = /[{[] ?(?:"|\{)/u

/** Escapes of a text in JSON; any other stays. */
const ESCAPES: Readonly<Record<string, string>> = { n: ' ', r: ' ', t: ' ', '"': '', '\\': '\\', '/': '/' }

/** out: `op: compare, where: prices` */
const plainJson = (line: string): string =>
  line
    .replace(/"(?:[^"\\]|\\.)*"/gu, (text) => text.replace(/\\([nrt"\\/])/gu, (_, sign: string) => ESCAPES[sign] ?? ''))
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
    .replace(LINK, '$1')
    .replace(OTHER_LINK, '$1 ($2)')
    .replace(BOLD, '$1')
    .replace(BOLD_BY_LINES, '$1')
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

/** Does Markdown show the text without some of its signs? */
export const hasMarks = (text: string): boolean => plainText(text) !== oneLine(text)

/** The first `length` characters of the plain line, with `…` where it was cut. */
export function firstWords(text: string, length = 80): string {
  const letters = [...plainText(text)]
  if (letters.length <= length) return letters.join('')
  const cut = letters.slice(0, length - 1).join('')
  // An isolate that is cut off would be shown as its codes.
  return `${cut}${cut.lastIndexOf('\u2068') > cut.lastIndexOf('\u2069') ? '\u2069' : ''}…`
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
