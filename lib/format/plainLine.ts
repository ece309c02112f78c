/**
 * A text as one line of a list: what it says, without the signs that say how it is to be drawn or read by a program.
 *
 * Pure.
 */

// Texts come from anybody: no expression goes over a stretch more than once, or what it goes over is bounded.
/** A row under a table's head, or a line across the page. */
const RULE = /^[ \t|:-]*$/gmu
const ROW = /^[ \t]*\|.*$/gmu
const FENCE = /^[ \t]*(?:`{3,}|~{3,}).*$/gmu
/** Headings, quotes and points of a list at the beginning of a line. */
const BEGINNING = /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+)+/gmu
/** `<job>` by itself; `Array<string>` is part of a word. */
const TAG = /(?<=^|[\s}\]])<\/?[a-z][\w-]{0,60}>/giu
const BOLD = /(\*\*|__)(?=\S)([^\n]{0,300}?\S)\1/gu
const LINK = /!?\[([^[\]\n]{0,300})\]\([^)\s]{0,300}\)/gu
const JSON_BEGINS = /[{[] ?(?:"|\{)/u

/** As one line: "op: compare, where: prices". */
const plainJson = (line: string): string =>
  line
    .replace(/\\[nrt]/gu, ' ')
    .replace(/\\"/gu, '')
    .replace(/" ?: ?/gu, ': ')
    .replace(/([\w"}\]]) ?, ?(?=["{[])/gu, '$1, ')
    .replace(/[{}[\]"]+/gu, ' ')
    .replace(/ +/gu, ' ')
    .replace(/ ([,:])/gu, '$1')

export function plainLine(text: string): string {
  const line = text
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
