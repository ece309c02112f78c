/** Counters in PostgreSQL (counters.sql.ts). An append counts its entries in its own transaction. */
import { type CounterRow, mergedCounters } from '@/lib/mas/limits/counters'
import type { Counters } from '@/server/store/interfaces'
import {
  COUNTERS_VERSION,
  checkCounted,
  columnsOfRow,
  filterOf,
  GROUPS,
  orderOf,
  SPAN_TASKS,
  SUMMED,
  spanIn,
  sumIn,
  whereOf,
} from '@/server/store/shared/counterRows'
import { requireWhole } from '@/server/store/shared/names'
import type { PostgresConnection } from './connection'

/** As `counters_keep` takes them; null: none. */
export const counterJson = (rows: readonly CounterRow[]): string | null =>
  rows.length === 0 ? null : JSON.stringify(mergedCounters(rows).map(columnsOfRow))

const inList = (column: string, place: string): string =>
  `${column} = any(select json_array_elements_text(${place}::json))`

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
    async sum(by, wish, first) {
      const { where, values } = whereOf(wish, first, inList)
      const groups = by.length === 0 ? 'having count(*) > 0' : `group by ${by.join(', ')}`
      const sql = `select ${[...by, SUMMED('bigint'), GROUPS].join(', ')} from counter where ${where} ${groups} ${orderOf(first)}`
      return (await read<Record<string, unknown>>('counters', sql, values)).map((row) => sumIn(by, row))
    },
    async spans(spans, filter) {
      const { terms, values } = filterOf(filter, [JSON.stringify(spans)], inList)
      const sql = `select n - 1 as place, ${SUMMED('bigint')}, ${SPAN_TASKS}
        from json_array_elements($1::json) with ordinality span(hours, n)
        join counter on hour >= (hours->>0)::bigint and hour < (hours->>1)::bigint
        ${terms.length === 0 ? '' : `where ${terms.join(' and ')}`} group by n`
      return (await read<Record<string, unknown>>('counters', sql, values)).map(spanIn)
    },
    async toDays(before) {
      requireWhole({ before })
      const [row] = await write<{ gone: number }>('counters', 'select counters_to_day($1) as gone', [before])
      return row?.gone ?? 0
    },
  }
}
