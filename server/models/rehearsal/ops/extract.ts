import type { Parsed } from './parse'

export const EXTRACTS = ['emails', 'urls', 'dates', 'amounts', 'headings', 'todos', 'pairs', 'rows'] as const
export type Extract = (typeof EXTRACTS)[number]

type Extracted = { kind: Extract; value: string; line: number }

const PATTERNS: Record<Exclude<Extract, 'pairs' | 'rows'>, RegExp> = {
  emails: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g,
  urls: /https?:\/\/[^\s<>"')\]]*[^\s<>"')\].,;:!?]/g,
  dates:
    /\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\d{4}年\d{1,2}月\d{1,2}日|\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{4}\b/g,
  amounts: /[€$£¥￥]\s?\d[\d.,]*\d|[€$£¥￥]\s?\d|\b\d[\d.,]*\s?(?:€|EUR|USD|GBP|CNY|元)/g,
  headings: /^#{1,6}\s+.+$/g,
  todos: /^.*(?:\bTODO\b|\bFIXME\b|\[ \]|待办).*$/g,
}

/** A longer line is data and is searched up to here: the patterns are slow on it. */
const LONGEST_LINE = 4_000

export function extractFrom(source: Parsed, kinds: readonly Extract[]): Extracted[] {
  return kinds.flatMap((kind) => extractOne(source, kind))
}

function extractOne(source: Parsed, kind: Extract): Extracted[] {
  if (kind === 'pairs')
    return source.pairs.map((pair) => ({ kind, value: `${pair.key}: ${pair.value}`, line: pair.line }))
  if (kind === 'rows') {
    return source.tables.flatMap((table) =>
      table.rows.map((row) => ({
        kind,
        value: table.columns.map((column) => `${column}: ${row.cells[column] ?? ''}`).join(', '),
        line: row.line,
      })),
    )
  }
  return source.lines.flatMap((line, at) =>
    (line.slice(0, LONGEST_LINE).match(PATTERNS[kind]) ?? []).map((value) => ({
      kind,
      value: value.replace(/^#+\s+/, '').trim(),
      line: at + 1,
    })),
  )
}
