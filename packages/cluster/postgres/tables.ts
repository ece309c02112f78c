/** The tables of ../shared/tables.ts in PostgreSQL. */
import { IN_POSTGRES } from '@/server/store/errors'
import type { ColumnOf, Table, TableRow, Tables, TableValue } from '@/server/store/shared/tables'
import type { PostgresConnection } from './connection'

export const postgresTables = ({ ensureUsable, read, write }: PostgresConnection): Tables => ({
  file: IN_POSTGRES,
  ensureUsable,
  select: <Of extends Table, Column extends ColumnOf<Of>>(
    _: string | null,
    table: Of,
    columns: readonly Column[],
    rest: string,
    values: readonly TableValue[],
  ) => read<Pick<TableRow<Of>, Column>>(table, `select ${quoted(columns)} from ${table} ${rest}`, values),
  async count(table, where, values) {
    const [row] = await read<{ n: number }>(table, `select count(*) as n from ${table} ${where}`, values)
    return row?.n ?? 0
  },
  take: <Of extends Table, Column extends ColumnOf<Of>>(
    _: string,
    table: Of,
    columns: readonly Column[],
    where: string,
    values: readonly TableValue[],
  ) =>
    write<Pick<TableRow<Of>, Column>>(
      table,
      `delete from ${table} where ${where} returning ${quoted(columns)}`,
      values,
    ),
  async change(table, changes, lost = 'fails') {
    let count = 0
    for (const [sql, values] of changes) count += (await write(table, `${sql} returning 1`, values, lost)).length
    return count
  },
})

const quoted = (columns: readonly string[]): string => columns.map((name) => `"${name}"`).join(', ')
