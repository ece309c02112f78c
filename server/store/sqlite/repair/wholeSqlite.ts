/** The rows of a data folder's database, read as a whole. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { errorMessage } from '@/server/shared/errors'
import { StoreBrokenError, StoreClosedError, StoreDamagedError } from '../../errors'
import { type CheckedRow, checkDecision, type SealedDecision } from '../../shared/rowReader'
import type { WholeDecision, WholeStore } from '../../shared/wholeStore'
import type { SqliteBodies } from '../bodies/bodies'
import { asBytes, asInteger, decodeText, textOrNull } from '../database/columns'
import type { SqliteConnection } from '../database/connection'
import { DATABASE, damaged } from '../journal/entries'
import { checkedHead } from '../journal/head'
import { outcomeRows } from '../journal/outcomes'
import { sqliteTables } from '../tables'

type DecisionRow = {
  last: number
  first: number
  command: ArrayBuffer
  by: ArrayBuffer
  at: number
  known: number
  until: number | null
  reply: ArrayBuffer | null
  hash: ArrayBuffer
  seal: number
}
type BareEntryRow = { seq: number; last: number; nonce: ArrayBuffer; hash: ArrayBuffer; event: ArrayBuffer }

/** Rows whose texts have another type: they are read as they were, and found by no query. */
const BYTES_FOR_TEXT = [
  ['decision', 'command', '"by"', 'reply'],
  ['entry', 'event'],
  ['outcome', 'id', '"by"', 'fault', 'reply'],
]
  .map(([table, ...columns]) => {
    const isBytes = columns.map((column) => `typeof(${column}) = 'blob'`).join(' or ')
    return `select 1 as one from ${table} where ${isBytes}`
  })
  .join(' union all ')
const DECISIONS_AT_ONCE = 200
const BODIES_AT_ONCE = 500
/** A damaged number must not request all entries. */
const MOST_ENTRIES = 1_000_000

const DECISIONS = `select last,
  ${['command', '"by"', 'reply'].map((name) => asBytes(name, name)).join(', ')}, coalesce(cast(hash as blob), x'') as hash,
  ${['first', 'at', 'known', 'until', 'seal'].map((name) => asInteger(name, name)).join(', ')} from decision`
const ENTRIES = `select seq, ${asInteger('last', 'last')}, ${['nonce', 'hash', 'event'].map((name) => asBytes(name, name)).join(', ')}
  from entry where seq between ? and ? order by seq`

/** Statements of a damaged schema cannot be prepared: each method prepares its own. */
export function wholeSqlite(connection: SqliteConnection, bodies: SqliteBodies): WholeStore {
  const { query } = connection
  const read = <T>(work: () => T): T => connection.read('verify', work)
  const other = (why: string) => ({ file: DATABASE, decision: null, entry: null, why })

  return {
    file: DATABASE,
    tables: sqliteTables(connection),
    head: async () => read(() => checkedHead(query)),
    async before(seq) {
      const row = read(() =>
        query<{ last: number; hash: ArrayBuffer }>(
          `select last, ${asBytes('hash', 'hash')} from decision where last < ? order by last desc limit 1`,
        ).get(seq),
      )
      return row ? { last: row.last, hash: hexOf(row.hash) } : null
    },
    async *decisions(after, to = Number.MAX_SAFE_INTEGER) {
      const page = query<DecisionRow>(`${DECISIONS} where last > ? order by last limit ?`)
      const entriesQuery = query<BareEntryRow>(ENTRIES)
      for (let from = after; ; await nextTurn()) {
        const rows = read(() => page.all(from, DECISIONS_AT_ONCE))
        for (const row of rows) {
          if (row.first > to) return
          const own = read(() => entriesQuery.all(row.first, Math.min(row.last, row.first + MOST_ENTRIES)))
          yield wholeDecision(row, own)
        }
        const last = rows.at(-1)
        if (last === undefined) return
        from = last.last
      }
    },
    async textOf(seq) {
      const sql = `select ${asBytes('event', 'event')} from entry where seq = ?`
      const row = read(() => query<{ event: ArrayBuffer }>(sql).get(seq))
      return row ? textOrNull(row.event) : null
    },
    async stray(last) {
      const sql = `select seq, ${asInteger('last', 'last')} from entry where seq > ? or seq < 1 limit 1`
      return read(() => query<{ seq: number; last: number | null }>(sql).get(last)) ?? null
    },
    async *outcomes() {
      for (const row of outcomeRows(query)) yield row
    },
    async *bodies() {
      const page = query<{ id: number; sha: string }>(
        'select id, lower(hex(sha)) as sha from body where id > ? order by id limit ?',
      )
      const isThere = query<{ id: number }>('select id from body where id = ?')
      for (let from = 0; ; await nextTurn()) {
        const rows = read(() => page.all(from, BODIES_AT_ONCE))
        for (const { id, sha } of rows) {
          const fault = async () => {
            const found = await bodies.faultOf(sha)
            if (found || bodies.has(sha) || read(() => isThere.get(id)) === undefined) return found
            return other(`the body ${sha} is not found by its name`)
          }
          yield { sha, fault }
        }
        const last = rows.at(-1)
        if (last === undefined) return
        from = last.id
      }
    },
    async otherDamage() {
      return read(() => query(BYTES_FOR_TEXT).get()) === undefined ? [] : [other('a text is stored as bytes')]
    },
    damageIn(error) {
      if (error instanceof StoreDamagedError) return error.damage
      if (error instanceof StoreClosedError) throw error
      return other(errorMessage(error instanceof StoreBrokenError ? error.cause : error))
    },
  }
}

const hexOf = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString('hex')

/** in: rows of a decision and of its entries in order */
function wholeDecision(row: DecisionRow, entries: readonly BareEntryRow[]): WholeDecision {
  const { first, last } = row
  const hash = hexOf(row.hash)
  return {
    first,
    last,
    hash,
    entries: entries.length,
    check(expected) {
      const decoded = decodedIn(row, entries)
      if (decoded === null) return { hash, why: { entry: null, why: 'a text of it is not UTF-8' }, erased: [] }
      return checkDecision(decoded.decision, decoded.rows, expected)
    },
    moved() {
      const decoded = decodedIn(row, entries)
      if (decoded === null) throw damaged(last, null, 'it cannot be read')
      const { decision, rows } = decoded
      return { ...decision, rows }
    },
  }
}

/** null: one of their texts is damaged */
function decodedIn(
  row: DecisionRow,
  entries: readonly BareEntryRow[],
): { decision: SealedDecision; rows: CheckedRow[] } | null {
  try {
    return {
      decision: {
        ...row,
        command: decodeText(row.command),
        by: decodeText(row.by),
        reply: row.reply && decodeText(row.reply),
        hash: hexOf(row.hash),
      },
      rows: entries.map(({ seq, last, nonce, hash, event }) => ({
        seq,
        last,
        nonce: new Uint8Array(nonce),
        hash: hexOf(hash),
        event: decodeText(event),
      })),
    }
  } catch {
    return null
  }
}
