/** The tables of ../shared/tables.ts in SQLite. */
import { type ColumnOf, TABLES, type Table, type TableRow, type Tables } from '../shared/tables'
import { asBytes, decodeText } from './database/columns'
import type { SqliteConnection } from './database/connection'
import type { Query } from './database/query'
import { DATABASE, readRow } from './journal/entries'

type KeptValue = ArrayBuffer | number | null
type KeptRow = Record<string, KeptValue>

export function sqliteTables({
  ensureUsable,
  read,
  write,
  query,
}: Pick<SqliteConnection, 'ensureUsable' | 'read' | 'write' | 'query'>): Tables {
  /** Each is prepared once. */
  const statements = new Map<string, Query<KeptRow>>()
  const statement = (sql: string): Query<KeptRow> => {
    const known = statements.get(sql) ?? query<KeptRow>(sql.replaceAll('$', '?'))
    statements.set(sql, known)
    return known
  }
  return {
    file: DATABASE,
    ensureUsable,
    async select(what, table, columns, rest, values) {
      const sql = `select ${selected(table, columns)} from ${table} ${rest}`
      const rows = read(table, () => statement(sql).all(...values))
      return rowsIn(what, table, columns, rows)
    },
    async count(table, where, values) {
      const [row] = read(table, () => statement(`select count(*) as n from ${table} ${where}`).all(...values))
      return Number(row?.n ?? 0)
    },
    async take(what, table, columns, where, values) {
      const sql = `delete from ${table} where ${where} returning ${selected(table, columns)}`
      const rows = write(table, () => statement(sql).all(...values))
      return rowsIn(what, table, columns, rows)
    },
    async change(table, changes) {
      return write(table, () => changes.reduce((sum, [sql, values]) => sum + statement(sql).run(...values), 0))
    },
  }
}

/** By `table.column`. */
const KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries(TABLES).flatMap(([table, columns]) =>
    Object.entries(columns).map(([column, kind]) => [`${table}.${column}`, kind] as const),
  ),
)
const kindOf = (table: Table, column: string): string | undefined => KINDS.get(`${table}.${column}`)

/** Texts as bytes: the driver ends the process on invalid UTF-8. */
const selected = (table: Table, columns: readonly string[]): string =>
  columns
    .map((name) => (kindOf(table, name)?.startsWith('number') ? `"${name}"` : asBytes(`"${name}"`, `"${name}"`)))
    .join(', ')

/** Column by column: the driver adds some of its own. faults: StoreDamagedError */
function rowsIn<Of extends Table, Column extends ColumnOf<Of>>(
  what: string | null,
  table: Of,
  columns: readonly Column[],
  rows: readonly KeptRow[],
): Pick<TableRow<Of>, Column>[] {
  const valueIn = (kept: KeptValue, column: string) => {
    if (kept === null || typeof kept === 'number') return kept
    return kindOf(table, column) === 'bytes' ? new Uint8Array(kept) : decodeText(kept)
  }
  return rows.flatMap((row) => {
    const decode = () =>
      Object.fromEntries(columns.map((name) => [name, valueIn(row[name] ?? null, name)])) as Pick<TableRow<Of>, Column>
    if (what !== null) return readRow(what, decode)
    try {
      return decode()
    } catch {
      return []
    }
  })
}
