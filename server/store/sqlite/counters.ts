/** Counters in SQLite. An append counts its entries in its own transaction. */
import { type CounterRow, mergedCounters } from '@/lib/mas/limits/counters'
import type { Counters } from '../interfaces'
import {
  COLUMNS,
  COUNTERS_VERSION,
  checkCounted,
  counterValues,
  filterOf,
  GROUPS,
  orderOf,
  SPAN_TASKS,
  SUMMED,
  spanIn,
  sumIn,
  UPSERT,
  whereOf,
} from '../shared/counterRows'
import { requireWhole } from '../shared/names'
import { asBytes, textOrNull } from './database/columns'
import type { SqliteConnection } from './database/connection'
import type { Queries, Query } from './database/query'

const HOURS = 24
const inList = (column: string, place: string): string => `${column} in (select value from json_each(${place}))`

/** Inside a transaction of the caller. */
export function counterWriter(query: Queries) {
  const cursor = query<{ seq: number; version: number }>('select seq, version from counter_cursor')
  const move = query('update counter_cursor set seq = ?, version = ?')
  const step = query('update counter_cursor set seq = ? where seq = ? and version = ?')
  const upsert = query(
    `insert into counter (${COLUMNS.join(', ')}) values (${COLUMNS.map(() => '?').join(', ')}) ${UPSERT}`,
  )
  const keep = (rows: readonly CounterRow[]): void => {
    for (const row of mergedCounters(rows)) upsert.run(...counterValues(row))
  }
  return {
    at(): number {
      const row = cursor.get()
      return row && row.version === COUNTERS_VERSION ? row.seq : 0
    },
    keep,
    move: (to: number): void => {
      move.run(to, COUNTERS_VERSION)
    },
    /** The entries after `head`, up to `last`, were appended. Nothing is counted while the cursor is behind the journal. */
    appended(head: number, last: number, rows: readonly CounterRow[]): void {
      if (step.run(last, head, COUNTERS_VERSION) > 0) keep(rows)
    },
  }
}

/** in: headOf: the last entry */
export function sqliteCounters(
  { read, write, query }: Pick<SqliteConnection, 'read' | 'write' | 'query'>,
  headOf: () => number,
): Counters {
  const { at, keep, move } = counterWriter(query)
  const clear = query('delete from counter')
  const oldest = query<{ hour: number | null }>(
    'select min(hour) as hour from counter where hour < ? and hour % 24 <> 0',
  )
  const ofDay = query(
    `insert into counter select hour - hour % 24, task, agent, model, ${SUMMED('integer')} from counter
     where hour > ?1 and hour < ?2 group by 1, 2, 3, 4 ${UPSERT}`,
  )
  /** Each is prepared once. */
  const statements = new Map<string, Query<SqlRow>>()
  const statement = (sql: string): Query<SqlRow> => {
    const known = statements.get(sql) ?? query<SqlRow>(sql.replaceAll(/\$(\d)/g, '?$1'))
    statements.set(sql, known)
    return known
  }
  const removeHours = query('delete from counter where hour > ?1 and hour < ?2')
  return {
    async cursor() {
      return read('counters', at)
    },
    async add(after, upTo, rows) {
      checkCounted(after, upTo, read('counters', headOf))
      return write('counters', () => {
        if (at() !== after) return false
        if (after === 0) clear.run()
        keep(rows)
        move(upTo)
        return true
      })
    },
    async sum(by, wish, first) {
      const { where, values } = whereOf(wish, first, inList)
      const keys = by.map((key) => (key === 'hour' ? 'hour' : asBytes(key, key)))
      const groups = by.length === 0 ? '' : `group by ${by.map((key) => `counter.${key}`).join(', ')}`
      const sql = `select ${[...keys, SUMMED('integer'), GROUPS].join(', ')} from counter where ${where} ${groups} ${orderOf(first)}`
      const rows = read('counters', () => statement(sql).all(...values))
      // Without groups the sum of nothing is a row of nulls.
      return rows.flatMap((row) => (row.calls === null ? [] : [sumIn(by, withTexts(row))]))
    },
    async spans(spans, filter) {
      const { terms, values } = filterOf(filter, [JSON.stringify(spans)], inList)
      const sql = `select span.key as place, ${SUMMED('integer')}, ${SPAN_TASKS} from json_each($1) span
        join counter on hour >= json_extract(span.value, '$[0]') and hour < json_extract(span.value, '$[1]')
        ${terms.length === 0 ? '' : `where ${terms.join(' and ')}`} group by span.key`
      return read('counters', () => statement(sql).all(...values)).map(spanIn)
    },
    async toDays(before) {
      requireWhole({ before })
      return write('counters', () => {
        const hour = oldest.get(before)?.hour ?? null
        if (hour === null) return 0
        const day = hour - (hour % HOURS)
        const end = Math.min(day + HOURS, before)
        ofDay.run(day, end)
        return removeHours.run(day, end)
      })
    },
  }
}

type SqlRow = Record<string, string | number | ArrayBuffer | null>

/** A text that is damaged is an empty one: counters can be recounted. */
const withTexts = (row: SqlRow): SqlRow =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, value instanceof ArrayBuffer ? (textOrNull(value) ?? '') : value]),
  )
