/** Facts of parsed sources: one value each, with file and line. */
import type { PacketFact } from '../factsPacket'
import { parseDecimal } from './decimal'
import type { Parsed, ParsedTable } from './parse'

export type Fact = PacketFact

/** The column name of a `key: value` line. */
export const PAIR_COLUMN = 'value'

/** Normalises keys and columns: equal when they differ only in case or spaces. */
export const plain = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase()

const numeric = (table: ParsedTable, column: string): boolean => {
  const filled = table.rows.map((row) => row.cells[column] ?? '').filter((cell) => cell !== '')
  return filled.length > 0 && filled.every((cell) => parseDecimal(cell) !== null)
}

/** The requested column if there is one, else the first that is not all numbers, else the first. */
function keyColumn(table: ParsedTable, preferred: readonly string[]): string {
  const named = table.columns.find((column) => preferred.some((name) => plain(name) === plain(column)))
  return named ?? table.columns.find((column) => !numeric(table, column)) ?? table.columns[0] ?? ''
}

/**
 * All cells of all tables and all pairs, as facts by key.
 *
 * in      columns: only these, if some exist; group: the column whose cells are the keys
 * out     without cells that name one of the files: an index is not data
 */
export function factsOf(
  sources: readonly Parsed[],
  wanted: { columns: readonly string[]; group: string | null; numbersOnly: boolean },
): Fact[] {
  const names = new Set(sources.map((source) => plain(source.path.split('/').at(-1) ?? '')))
  const anyTable = sources.some((source) => source.tables.some((table) => table.rows.length > 0))
  const facts: Fact[] = []
  for (const source of sources) {
    for (const table of source.tables) {
      const key = keyColumn(table, wanted.group === null ? [] : [wanted.group])
      const named = table.columns.filter((column) => wanted.columns.some((name) => plain(name) === plain(column)))
      const columns = (named.length > 0 ? named : table.columns).filter((column) => column !== key)
      for (const row of table.rows) {
        for (const column of columns) {
          const value = row.cells[column] ?? ''
          if (value === '' || (row.cells[key] ?? '') === '') continue
          if (wanted.numbersOnly && (!numeric(table, column) || parseDecimal(value) === null)) continue
          facts.push({ key: row.cells[key] ?? '', column, value, file: source.path, line: row.line })
        }
      }
    }
    for (const pair of source.pairs) {
      const isNumber = parseDecimal(pair.value) !== null
      // Beside tables, prose with a colon is not data; only its figures count.
      if (names.has(plain(pair.key)) || (!isNumber && (anyTable || wanted.numbersOnly))) continue
      facts.push({ key: pair.key, column: PAIR_COLUMN, value: pair.value, file: source.path, line: pair.line })
    }
  }
  return facts
}
