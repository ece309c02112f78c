import { jsonValueOf } from '@/lib/json'
import { isNestedDeeper } from '@/server/shared/boundedJson'
import { parseDecimal } from './decimal'
import { fileKindOf } from './fileNames'

export type SourceFile = { path: string; text: string; cut: boolean }
type TableRow = { line: number; cells: Record<string, string> }
export type ParsedTable = { columns: string[]; rows: TableRow[] }
type KeyValue = { key: string; value: string; line: number }
export type Parsed = SourceFile & { lines: string[]; tables: ParsedTable[]; pairs: KeyValue[] }

/** Lines as an editor counts them: a final line break begins no line. */
export function editorLinesOf(text: string): string[] {
  if (text === '') return []
  return text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
}

export function parseSource(source: SourceFile): Parsed {
  const { path, text } = source
  const kind = fileKindOf(path)
  const lines = editorLinesOf(text)
  const parsed: Parsed = { ...source, lines, tables: [], pairs: [] }
  if (kind === 'json') return { ...parsed, ...fromJson(text) }
  if (kind === 'csv' || kind === 'tsv')
    return { ...parsed, tables: [delimited(text, kind === 'tsv' ? '\t' : delimiterOf(lines))] }
  const piped = pipeTables(lines)
  const delimiter = piped.length === 0 ? evenDelimiter(lines) : null
  if (delimiter !== null) return { ...parsed, tables: [delimited(text, delimiter)] }
  return { ...parsed, tables: piped, pairs: pairsOf(lines) }
}

function delimiterOf(lines: string[]): string {
  const first = lines.find((line) => line.trim() !== '') ?? ''
  const count = (mark: string) => first.split(mark).length
  return [',', ';', '\t', '|'].reduce((best, mark) => (count(mark) > count(best) ? mark : best))
}

/** The separator of a plain text all of whose lines hold it equally often; null: it is no table. */
function evenDelimiter(lines: string[]): string | null {
  const filled = lines.filter((line) => line.trim() !== '')
  if (filled.length < 2) return null
  for (const mark of ['\t', ';', ',']) {
    const counts = new Set(filled.map((line) => line.split(mark).length))
    if (counts.size === 1 && !counts.has(1)) return mark
  }
  return null
}

function delimited(text: string, mark: string): ParsedTable {
  const rows: { line: number; cells: string[] }[] = []
  let cells: string[] = []
  let cell = ''
  let quoted = false
  let line = 1
  let startLine = 1
  const endRow = () => {
    cells.push(cell.trim())
    if (cells.some((one) => one !== '')) rows.push({ line: startLine, cells })
    cells = []
    cell = ''
  }
  const whole = text.replace(/\r\n?/g, '\n')
  for (let at = 0; at < whole.length; at += 1) {
    const sign = whole.charAt(at)
    if (quoted) {
      if (sign === '"' && whole.charAt(at + 1) === '"') {
        cell += '"'
        at += 1
      } else if (sign === '"') quoted = false
      else {
        cell += sign
        if (sign === '\n') line += 1
      }
    } else if (sign === '"' && cell.trim() === '') {
      quoted = true
      cell = ''
    } else if (sign === mark) {
      cells.push(cell.trim())
      cell = ''
    } else if (sign === '\n') {
      endRow()
      line += 1
      startLine = line
    } else cell += sign
  }
  endRow()
  return tableOf(rows)
}

/** The first row holds column names unless one of its cells is a number. */
function tableOf(rows: { line: number; cells: string[] }[]): ParsedTable {
  const [first, ...rest] = rows
  if (!first) return { columns: [], rows: [] }
  const headless = first.cells.some((cell) => parseDecimal(cell) !== null)
  const columns = first.cells.map((cell, at) => (headless || cell === '' ? `column ${at + 1}` : cell))
  return {
    columns,
    rows: (headless ? rows : rest).map((row) => ({ line: row.line, cells: cellsBy(columns, row.cells) })),
  }
}

const cellsBy = (columns: string[], cells: string[]) =>
  Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']))

function pipeTables(lines: string[]): ParsedTable[] {
  const tables: ParsedTable[] = []
  let block: { line: number; cells: string[] }[] = []
  const close = () => {
    const ruled = block.length >= 2 && block[1]?.cells.every((cell) => /^:?-+:?$/.test(cell))
    if (ruled) tables.push(tableOf([block[0] ?? { line: 0, cells: [] }, ...block.slice(2)]))
    block = []
  }
  for (const [at, line] of lines.entries()) {
    if (/^\s*\|.*\|\s*$/.test(line)) {
      block.push({
        line: at + 1,
        cells: line
          .trim()
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim()),
      })
    } else close()
  }
  close()
  return tables
}

/** Longer lines are prose or other data; the patterns below would be slow on them. */
const LONGEST_PAIR = 240

/** `key: value` lines and `name 3.20` lines. Sentences are excluded by the length of the text before the colon. */
function pairsOf(lines: string[]): KeyValue[] {
  return lines.flatMap((line, at) => {
    const bare = line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').trim()
    if (bare.length > LONGEST_PAIR || bare === '' || bare.startsWith('#') || bare.startsWith('|') || /:\/\//.test(bare))
      return []
    const named = /^\**([^:：*]{1,60}?)\**\s*[:：]\s*\**(\S.{0,120}?)\**$/.exec(bare)
    if (named?.[1] && named[2] && named[1].trim().split(/\s+/).length <= 5)
      return [{ key: named[1].trim(), value: named[2].trim(), line: at + 1 }]
    const priced = /^(.*[^\s\d.,].*?)[\s\t]+([€$£¥￥]?\s?-?\d[\d.,]*(?:\s?(?:[€$£¥￥%元]|EUR|USD))?)$/.exec(bare)
    if (priced?.[1] && priced[2] && priced[1].length <= 60 && parseDecimal(priced[2]) !== null)
      return [{ key: priced[1].trim(), value: priced[2].trim(), line: at + 1 }]
    return []
  })
}

function fromJson(text: string): { tables: ParsedTable[]; pairs: KeyValue[] } {
  const tables: ParsedTable[] = []
  const pairs: KeyValue[] = []
  const walk = (node: JsonNode, path: string): void => {
    if ('text' in node) pairs.push({ key: path, value: node.text, line: node.line })
    else if ('fields' in node)
      for (const [name, child] of fieldsOf(node)) walk(child, path === '' ? name : `${path}.${name}`)
    else {
      const rows = node.items.flatMap((item) => ('fields' in item ? [{ line: item.line, cells: cellsIn(item) }] : []))
      if (rows.length > 0) tables.push({ columns: [...new Set(rows.flatMap((row) => Object.keys(row.cells)))], rows })
      else for (const [at, item] of node.items.entries()) walk(item, `${path}[${at}]`)
    }
  }
  const root = parseJsonLines(text)
  if (root !== null) walk(root, '')
  return { tables, pairs }
}

const cellsIn = (node: JsonObject): Record<string, string> =>
  Object.fromEntries(fieldsOf(node).flatMap(([name, child]) => ('text' in child ? [[name, child.text]] : [])))

/** fields: names and values in turn, so that their order and repeated names stay. */
type JsonObject = { line: number; fields: (string | JsonNode)[] }
type JsonNode = { line: number; text: string } | { line: number; items: JsonNode[] } | JsonObject

const fieldsOf = ({ fields }: JsonObject): [string, JsonNode][] =>
  fields.flatMap((name, at): [string, JsonNode][] => {
    const value = fields[at + 1]
    return typeof name === 'string' && typeof value === 'object' ? [[name, value]] : []
  })

const DEEPEST = 200
/** A name, a value that is neither list nor object, a sign, or a line break. */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"(?=\s*:)|("(?:[^"\\]|\\.)*"|[^\s{}[\]:,"]+)|[{}[\]:\n]/g

/** The tree of a JSON text with the line of each value; null: it is none. The text is rewritten, so that JSON.parse makes the tree. */
export function parseJsonLines(text: string): JsonNode | null {
  const value = jsonValueOf(text)
  if (value === undefined || isNestedDeeper(value, DEEPEST)) return null
  let line = 1
  const withLines = text.replace(JSON_TOKEN, (token, scalar?: string) => {
    if (token === '\n') line += 1
    if (scalar !== undefined) return `{"line":${line},"text":${scalar.startsWith('"') ? scalar : `"${scalar}"`}}`
    if (token === '{') return `{"line":${line},"fields":[`
    if (token === '[') return `{"line":${line},"items":[`
    if (token === ':') return ','
    return token === '}' || token === ']' ? ']}' : token
  })
  return JSON.parse(withLines) as JsonNode
}
