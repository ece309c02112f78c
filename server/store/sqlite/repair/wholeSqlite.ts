/** The rows of a data folder's database, read as a whole. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { errorMessage } from '@/server/shared/errors'
import { StoreBrokenError, StoreClosedError, StoreDamagedError } from '../../errors'
import type { DecisionHeader } from '../../shared/chain'
import type { WholeDecision, WholeStore } from '../../shared/wholeStore'
import type { SqliteBodies } from '../bodies/bodies'
import { asBytes, asInteger, decodeText } from '../database/columns'
import type { SqliteConnection } from '../database/connection'
import type { DecisionContent } from '../journal/content'
import { CONTENT_WORDS } from '../journal/contentWords'
import { checkDecision, DATABASE, damaged, type EntryDecoder } from '../journal/entries'
import { checkedHead } from '../journal/head'
import { DEFLATED } from '../journal/journal.sql'
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
type BareEntryRow = { seq: number; last: number; texts: number; event: ArrayBuffer }

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
const ENTRIES = `select seq, ${asInteger('last', 'last')}, ${asInteger('texts', 'texts')}, ${asBytes('event', 'event')}
  from entry where seq between ? and ? order by seq`

/** Statements of a damaged schema cannot be prepared: each method prepares its own. */
export function wholeSqlite(connection: SqliteConnection, bodies: SqliteBodies, decoder: EntryDecoder): WholeStore {
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
          yield wholeDecision(row, own, decoder)
        }
        const last = rows.at(-1)
        if (last === undefined) return
        from = last.last
      }
    },
    async stray(last) {
      const sql = `select seq, ${asInteger('last', 'last')} from entry where seq > ? or seq < 1
        union all select last, last from content where not exists (select 1 from decision d where d.last = content.last) limit 1`
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
      const sql = `select packed, ${asBytes('text', 'text')} from words`
      const rows = read(() => query<{ packed: number; text: ArrayBuffer }>(sql).all())
      const [row] = rows
      const isRight =
        rows.length === 1 && row?.packed === DEFLATED && Buffer.from(row.text).equals(Buffer.from(CONTENT_WORDS))
      return [
        ...(isRight ? [] : [other('the words that contents are deflated against are other ones')]),
        ...(read(() => query(BYTES_FOR_TEXT).get()) === undefined ? [] : [other('a text is stored as bytes')]),
      ]
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
function wholeDecision(row: DecisionRow, entries: readonly BareEntryRow[], decoder: EntryDecoder): WholeDecision {
  const { first, last, known, until, seal } = row
  const hash = hexOf(row.hash)
  let content: DecisionContent | null | undefined
  const contentOf = (): DecisionContent | null => {
    if (content === undefined) content = decoder.contentOf(last)
    return content
  }
  return {
    first,
    last,
    hash,
    entries: entries.length,
    check(expected) {
      const texts = textsIn(row, entries)
      if (texts === null) return { hash, why: { entry: null, why: 'a text of it is not UTF-8' } }
      const { events, ...header } = texts
      const decoded = entries.map((entry, n) => ({ ...entry, event: events[n] ?? '' }))
      const checked = checkDecision(
        { ...header, known, until, seal, hash },
        decoded,
        expected,
        ({ seq }) => contentOf()?.texts[seq] ?? null,
      )
      const foreign = Object.keys(content?.texts ?? {}).find((seq) => !entries.some((entry) => `${entry.seq}` === seq))
      return checked.why === null && foreign !== undefined
        ? { hash: checked.hash, why: { entry: null, why: `its content holds texts of ${foreign}` } }
        : checked
    },
    moved() {
      const texts = textsIn(row, entries)
      if (texts === null) throw damaged(last, null, 'it cannot be read')
      const { events, ...header } = texts
      const rows = entries.map((entry, n) => {
        const own = contentOf()?.texts[first + n]
        return { event: events[n] ?? '', texts: entry.texts, content: own === undefined ? null : JSON.stringify(own) }
      })
      return { ...header, known, until, hash, rows }
    },
  }
}

/** null: one of them is damaged */
function textsIn(
  { first, last, at, by, command, reply }: DecisionRow,
  entries: readonly BareEntryRow[],
): (DecisionHeader & { reply: string | null; events: string[] }) | null {
  try {
    return {
      first,
      last,
      at,
      by: decodeText(by),
      command: decodeText(command),
      reply: reply && decodeText(reply),
      events: entries.map(({ event }) => decodeText(event)),
    }
  } catch {
    return null
  }
}
