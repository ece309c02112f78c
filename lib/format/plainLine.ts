/** Text as one plain line for lists: without Markdown, tags and JSON punctuation. */

// Texts are untrusted: every expression runs in linear time, or over a bounded length.
/** The delimiter row of a table, or a horizontal rule. */
const RULE = /^[ \t|:-]*$/gmu
const ROW = /^[ \t]*\|.*$/gmu
const FENCE = /^[ \t]*(?:`{3,}|~{3,}).*$/gmu
/** Headings, quotes and list markers. */
const LINE_PREFIX = /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+)+/gmu
/** `<job>`, but not `Array<string>`. */
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
    .replace(LINE_PREFIX, '')
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
