import type { Fact } from './facts'
import type { Parsed } from './parse'

export const EXTRACTS = ['emails', 'urls', 'dates', 'amounts', 'headings', 'todos', 'pairs', 'rows'] as const
export type Extract = (typeof EXTRACTS)[number]

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

/** The facts of these kinds: of each kind its values with their lines. */
export const extractFrom = (source: Parsed, kinds: readonly Extract[]): Fact[] =>
  kinds.flatMap((kind) =>
    valuesIn(source, kind).map(({ value, line }) => ({ key: kind, column: kind, value, file: source.path, line })),
  )

function valuesIn({ pairs, tables, lines }: Parsed, kind: Extract): { value: string; line: number }[] {
  if (kind === 'pairs') return pairs.map(({ key, value, line }) => ({ value: `${key}: ${value}`, line }))
  if (kind === 'rows')
    return tables.flatMap(({ columns, rows }) =>
      rows.map(({ cells, line }) => ({
        value: columns.map((column) => `${column}: ${cells[column] ?? ''}`).join(', '),
        line,
      })),
    )
  return lines.flatMap((text, at) =>
    (text.slice(0, LONGEST_LINE).match(PATTERNS[kind]) ?? []).map((value) => ({
      value: value.replace(/^#+\s+/, '').trim(),
      line: at + 1,
    })),
  )
}
