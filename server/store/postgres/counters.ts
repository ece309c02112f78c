/** Counters in PostgreSQL (counters.sql.ts). An append counts its entries in its own transaction. */
import { type CounterRow, mergedCounters } from '@/lib/mas/counters'
import type { Counters } from '../interfaces'
import { COUNTERS_VERSION, checkCounted, columnsOfRow, SUMMED, sumIn, whereOf } from '../shared/counterRows'
import { requireWhole } from '../shared/names'
import type { PostgresConnection } from './connection'

/** As `counters_keep` takes them; null: none. */
export const counterJson = (rows: readonly CounterRow[]): string | null =>
  rows.length === 0 ? null : JSON.stringify(mergedCounters(rows).map(columnsOfRow))

export function postgresCounters({ read, write }: PostgresConnection): Counters {
  return {
    async cursor() {
      const [row] = await read<{ seq: number }>('counters', 'select seq from counter_cursor where version = $1', [
        COUNTERS_VERSION,
      ])
      return row?.seq ?? 0
    },
    async add(after, upTo, rows) {
      const [head] = await read<{ seq: number }>('counters', 'select seq from head')
      checkCounted(after, upTo, head?.seq ?? 0)
      const [row] = await write<{ added: boolean }>('counters', 'select counters_add($1, $2, $3, $4) as added', [
        after,
        upTo,
        COUNTERS_VERSION,
        counterJson(rows) ?? '[]',
      ])
      return row?.added === true
    },
    async sum(by, wish) {
      const { where, values } = whereOf(
        wish,
        (column, place) => `${column} = any(select json_array_elements_text(${place}::json))`,
      )
      const groups = by.length === 0 ? 'having count(*) > 0' : `group by ${by.join(', ')}`
      const sql = `select ${[...by, SUMMED('bigint')].join(', ')} from counter where ${where} ${groups}`
      return (await read<Record<string, unknown>>('counters', sql, values)).map((row) => sumIn(by, row))
    },
    async toDays(before) {
      requireWhole({ before })
      const [row] = await write<{ gone: number }>('counters', 'select counters_to_day($1) as gone', [before])
      return row?.gone ?? 0
    },
  }
}
