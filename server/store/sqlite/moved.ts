/** Moves the rows of a data folder to or from another store. */
import { mkdir, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import Database from 'libsql'
import { StoreBrokenError, StoreDamagedError } from '../errors'
import {
  MOVED_AT_ONCE,
  MOVED_TABLES,
  type MovedHead,
  type MovedTable,
  type MovedValue,
  type MoveSource,
  type MoveTarget,
} from '../moved'
import { keptRows } from '../shared/entryRows'
import { sqliteBodies } from './bodies/bodies'
import { asBytes, asInteger, decodeText } from './database/columns'
import { openForReading } from './database/openForReading'
import { queriesOf } from './database/query'
import { decisionWriter, NO_BODIES } from './journal/decisions'
import { DATABASE, damaged, entryDecoder } from './journal/entries'
import { checkedHead, headOf } from './journal/head'
import { outcomeRows, outcomeWriter } from './journal/outcomes'
import { SEALED_FORM } from './journal/seals'
import { lockFolder } from './lock'
import { openSqliteStore } from './openSqliteStore'
import { type BareEntryRow, checkRows, DECISIONS, type DecisionRow, ENTRIES, readDecision } from './repair/verify'

/** Tables that the oldest readable form does not have. */
const SINCE: Partial<Record<MovedTable, number>> = { sealed_key: 13 }
/** The columns that are not texts. */
const NUMBERS = new Set(['at', 'version', 'created_at', 'last_seen', 'expires_at'])

/** in: a data folder. Throws StoreLockedError, StoreBrokenError; its parts StoreDamagedError. */
export async function sqliteSource(dataFolder: string): Promise<MoveSource> {
  const folder = resolve(dataFolder)
  const { connection, form } = openForReading(join(folder, DATABASE))
  const { query } = connection
  let lock: ReturnType<typeof lockFolder>
  try {
    lock = lockFolder(folder, join(folder, 'convene.lock'), Date.now())
  } catch (error) {
    connection.close()
    throw error
  }
  const decoder = entryDecoder(connection)
  const bodies = sqliteBodies(connection, folder, decoder, Date.now)
  const isSealed = form >= SEALED_FORM

  return {
    async head() {
      const { isWhole, ...head } = checkedHead(query, isSealed)
      if (!isWhole) throw damaged(null, null, 'its head is another one')
      return head
    },
    async *decisions() {
      const page = query<DecisionRow>(`${DECISIONS} where last > ? order by last limit ?`)
      const entriesQuery = query<BareEntryRow>(ENTRIES)
      let [after, before] = [0, checkedHead(query, isSealed).journal]
      for (;;) {
        const rows = page.all(after, MOVED_AT_ONCE)
        if (rows.length === 0) return
        yield rows.map((row) => {
          const own = entriesQuery.all(row.first, row.last)
          const { hash, why } = checkRows(row, own, decoder, { before: new Set([before]), first: after + 1 })
          const read = readDecision(row, own)
          if (why !== null || read === null)
            throw damaged(row.last, why?.entry ?? null, why?.why ?? 'it cannot be read')
          after = row.last
          before = hash
          const { events, ...header } = read
          return {
            ...header,
            known: row.known === 1 ? (1 as const) : (0 as const),
            until: row.until,
            hash,
            rows: keptRows(events, own, row.first, decoder.contentOf(row.last)?.texts ?? {}),
          }
        })
      }
    },
    async *outcomes() {
      const page = []
      for (const { outcome, isWhole } of outcomeRows(query, isSealed)) {
        if (outcome === null || !isWhole) throw damaged(null, null, 'an outcome of a command is another one')
        page.push(outcome)
      }
      for (let from = 0; from < page.length; from += MOVED_AT_ONCE) yield page.slice(from, from + MOVED_AT_ONCE)
    },
    async *bodies() {
      const next = query<{ id: number; sha: string }>(
        'select id, lower(hex(sha)) as sha from body where id > ? order by id limit 1',
      )
      for (let row = next.get(0); row !== undefined; row = next.get(row.id)) {
        const fault = await bodies.faultOf(row.sha)
        if (fault) throw new StoreDamagedError(fault)
        const body = await bodies.get(row.sha)
        if (body) yield { sha: row.sha, ...body }
      }
    },
    async *rows(table) {
      if (form < (SINCE[table] ?? 0)) return
      const columns = MOVED_TABLES[table]
      const selected = columns.map((name, n) => (NUMBERS.has(name) ? asInteger : asBytes)(`"${name}"`, `c${n}`))
      const rows = query<Record<string, ArrayBuffer | number | null>>(
        `select ${selected.join(', ')} from ${table}`,
      ).all()
      for (let from = 0; from < rows.length; from += MOVED_AT_ONCE)
        yield rows
          .slice(from, from + MOVED_AT_ONCE)
          .map((row) => columns.map((_, n) => textOrNumber(row[`c${n}`] ?? null)))
    },
    async close() {
      connection.close()
      lock.release()
    },
  }
}

const textOrNumber = (kept: ArrayBuffer | number | null): MovedValue =>
  kept === null || typeof kept === 'number' ? kept : decodeText(kept)

/** in: an empty or missing folder; the end of the journal. Throws StoreBrokenError: it is not empty. */
export async function sqliteTarget(dataFolder: string, head: MovedHead): Promise<MoveTarget> {
  const folder = resolve(dataFolder)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new StoreBrokenError('move', new Error(`${folder} is not empty`))
  const store = await openSqliteStore(folder)
  const db = new Database(join(folder, DATABASE))
  const query = queriesOf(db)
  const { insert } = decisionWriter(query)
  const addOutcome = outcomeWriter(query)
  let before = head.journal

  /** One transaction. */
  const whole = (work: () => void): void => {
    db.exec('begin immediate')
    try {
      work()
      db.exec('commit')
    } catch (error) {
      if (db.inTransaction) db.exec('rollback')
      throw error
    }
  }

  return {
    async addDecisions(decisions) {
      whole(() => {
        for (const { rows, known, until, reply, hash, ...header } of decisions) {
          const own = insert(before, header, rows, { known, until, reply, bundle: NO_BODIES })
          if (own !== hash) throw damaged(header.last, null, 'its hash is another one')
          before = hash
        }
      })
    },
    async addOutcomes(outcomes) {
      whole(() => outcomes.forEach(addOutcome))
    },
    async addBody({ bytes, mime }) {
      await store.bodies.put(bytes, mime)
    },
    async addRows(table, rows) {
      const columns = MOVED_TABLES[table]
      const add = query(
        `insert into ${table} (${columns.map((name) => `"${name}"`).join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      )
      whole(() => {
        for (const row of rows) add.run(...row)
      })
    },
    async finish() {
      whole(() => {
        query('update head set journal = ?').run(head.journal)
        headOf(query).move(head)
      })
    },
    async close() {
      db.close()
      await store.close()
    },
  }
}
