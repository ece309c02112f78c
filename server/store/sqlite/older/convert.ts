/** Converts a data folder of an older version once, after a copy of its database, in one transaction. */
import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import Database from 'libsql'
import { sha256 } from '../../../shared/sha256'
import { StoreBrokenError } from '../../errors'
import type { StoredEvent } from '../../interfaces'
import { bodySeal } from '../../shared/chain'
import { entryRows, saltsOf } from '../../shared/entryRows'
import { BY_SHA, INSERT_BODY } from '../bodies/bodyRows'
import { copyBefore } from '../database/copyDatabase'
import { type Queries, queriesOf } from '../database/query'
import { OLDEST } from '../database/schema'
import { decisionWriter } from '../journal/decisions'
import { entriesSql, placesSql, wordsSql } from '../journal/journal.sql'
import { type OldBody, oldRowReader } from './oldRows'
import { OLD_SCHEMAS } from './oldSchemas'
import { deflateContents, SQUEEZED_FORM } from './squeezed'

type OldDecision = {
  last: number
  at: number
  by: string
  cause: string
  hash: number | null
  until: number | null
  reply: string | null
  events: string | ArrayBuffer
}
type Merged = Omit<OldDecision, 'hash' | 'events'> & { known: boolean; events: StoredEvent[]; bodies: OldBody[] }

const ROWS_AT_ONCE = 200

/**
 * Convert the folder's database if it is an older one; the caller holds the folder's lock.
 *
 * out     the older version, or null: there was nothing to convert
 * faults  StoreBrokenError: it could not be read, copied or converted, and is as it was
 */
export async function convertOlder(folder: string): Promise<number | null> {
  const path = join(folder, 'convene.db')
  const file = await stat(path).catch(() => null)
  if (file === null || file.size === 0) return null
  const db = openOld(path)
  try {
    const { user_version: found } = db.prepare('pragma user_version').get() as { user_version: number }
    if (found === 0 || found >= OLDEST) return null
    await copyBefore(folder, found)
    db.exec('begin immediate')
    if (found === SQUEEZED_FORM) convertSqueezed(db)
    else convert(db, found)
    db.exec(`pragma user_version = ${OLDEST}`)
    db.exec('commit')
    shrink(db)
    return found
  } catch (error) {
    if (db.inTransaction) db.exec('rollback')
    throw error instanceof StoreBrokenError ? error : new StoreBrokenError('conversion of an older data folder', error)
  } finally {
    db.close()
  }
}

function openOld(path: string): Database.Database {
  try {
    const db = new Database(path)
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    return db
  } catch (error) {
    throw new StoreBrokenError('open', error)
  }
}

/** What the older form took is given back, and its texts are not left in the file's free space. It may fail: there is no room. */
function shrink(db: Database.Database): void {
  try {
    db.exec('vacuum')
  } catch {
    // The free space is used again, later.
  }
}

/** Inside a transaction. */
function convert(db: Database.Database, found: number): void {
  for (const sql of OLD_SCHEMAS.slice(found)) db.exec(sql)
  for (const table of ['head', 'decision', 'outcome', 'body']) db.exec(`alter table ${table} rename to old_${table}`)
  // Their names are taken again.
  for (const index of ['decision_hash', 'decision_until', 'outcome_until', 'body_hash']) db.exec(`drop index ${index}`)
  // All other tables stay as they are.
  db.exec(entriesSql)
  const query = queriesOf(db)
  db.exec(
    `insert into outcome (id, "by", seq, at, until, fault, reply) select id, "by", seq, at, until, fault, reply from old_outcome;
     insert into head select one, journal, seq, at, epoch, journal, 0, 0 from old_head`,
  )
  convertBodies(query)
  convertDecisions(query)
  for (const table of ['old_head', 'old_decision', 'old_outcome', 'old_body', 'place', 'bundled'])
    db.exec(`drop table ${table}`)
}

/** Inside a transaction. */
function convertSqueezed(db: Database.Database): void {
  for (const key of ['task', 'step', 'request', 'thread']) db.exec(`drop index entry_${key}`)
  db.exec(placesSql)
  db.exec(wordsSql)
  deflateContents(queriesOf(db))
}

/** A body that is the difference to another is kept whole from here on. */
function convertBodies(query: Queries): void {
  type Row = {
    n: number
    sha: ArrayBuffer
    mime: string
    bytes: number
    touched: number
    packed: number
    stored: number
    base: ArrayBuffer | null
    data: ArrayBuffer | null
  }
  const page = query<Row>(
    'select rowid as n, sha, mime, bytes, touched, packed, stored, base, data from old_body where rowid > ? order by rowid limit ?',
  )
  const baseQuery = query<Pick<Row, 'packed' | 'base' | 'data'>>(
    'select packed, base, data from old_body where sha = ?',
  )
  const insert = query(INSERT_BODY)

  const bytesOf = ({ packed, base, data }: Pick<Row, 'packed' | 'base' | 'data'>): Uint8Array => {
    if (data === null) throw new Error('a body is the difference to one in a file')
    if (base === null) return packed === 1 ? inflateRawSync(new Uint8Array(data)) : new Uint8Array(data)
    const under = baseQuery.get(new Uint8Array(base))
    if (!under) throw new Error('a body is the difference to one that is gone')
    return inflateRawSync(new Uint8Array(data), { dictionary: bytesOf(under) })
  }

  for (let from = 0; ; ) {
    const rows = page.all(from, ROWS_AT_ONCE)
    for (const row of rows) {
      const sha = Buffer.from(row.sha)
      const data = row.base === null ? row.data && new Uint8Array(row.data) : deflateRawSync(bytesOf(row))
      const stored = row.base === null ? row.stored : (data?.length ?? 0)
      const own = { ...row, sha: sha.toString('hex'), stored, data, decision: null, start: null }
      insert.run(sha, row.mime, row.bytes, row.touched, row.packed, stored, null, null, data, bodySeal(own))
    }
    const last = rows.at(-1)
    if (last === undefined) return
    from = last.n
  }
}

function convertDecisions(query: Queries): void {
  const page = query<OldDecision>(
    'select last, at, "by", cause, hash, until, reply, events from old_decision where last > ? order by last limit ?',
  )
  const rowQuery = query<Pick<OldDecision, 'events'>>('select events from old_decision where last = ?')
  const rowsQuery = query<Pick<OldDecision, 'last' | 'events'>>(
    'select last, events from old_decision where last between ? and ? order by last',
  )
  const outcomeQuery = query<{ until: number | null; reply: string | null }>(
    'select until, reply from outcome where id = ? and seq = ? and fault is null',
  )
  const outcomeDelete = query('delete from outcome where id = ?')
  const touchedQuery = query<{ touched: number | null }>('select touched from bundled where hash = ? and last = ?')
  const hasBody = query<{ touched: number }>(`select touched from body where ${BY_SHA}`)
  const bodyInsert = query(INSERT_BODY)
  const headUpdate = query('update head set hash = ?')
  const journal = query<{ journal: string }>('select journal from head').get()?.journal ?? ''
  const read = oldRowReader({
    row: (last) => rowQuery.get(last)?.events,
    rows: (from, to) => rowsQuery.all(from, to),
  })
  const { insert } = decisionWriter(query)
  const salts = saltsOf(randomBytes)
  let hash = journal
  let first = 1

  const insertBodies = ({ last, at }: Merged, bodies: readonly (OldBody & { sha: string })[]): void => {
    let start = 0
    for (const { sha, mime, bytes } of bodies) {
      const touched = touchedQuery.get(first48(sha), last)?.touched ?? at
      const row = { sha, mime, bytes: bytes.length, packed: 0, stored: 0, decision: last, start, data: null }
      bodyInsert.run(Buffer.from(sha, 'hex'), mime, bytes.length, touched, 0, 0, last, start, null, bodySeal(row))
      start += bytes.length
    }
  }

  const write = (decision: Merged): void => {
    const { last, at, by, cause, events } = decision
    if (last - first + 1 !== events.length)
      throw new Error(`the decision ${last} has ${events.length} entries, and ${last - first + 1} numbers`)
    // Before decisions had rows, the first outcome of each command was one.
    const outcome = decision.known ? undefined : outcomeQuery.get(cause, last)
    if (outcome) outcomeDelete.run(cause)
    const { until, reply } = outcome ?? decision
    const known = decision.known || outcome ? 1 : 0
    const own = new Map<string, OldBody & { sha: string }>()
    for (const body of decision.bodies) {
      const sha = sha256(body.bytes)
      if (!hasBody.get(Buffer.from(sha, 'hex'))) own.set(sha, { ...body, sha })
    }
    const bodies = [...own.values()]
    const bundle = Buffer.concat(bodies.map((body) => body.bytes))
    const entries = entryRows(events, salts)
    hash = insert(hash, { first, last, at, by, command: cause }, entries, { known, until, reply, bundle })
    insertBodies(decision, bodies)
    first = last + 1
  }

  let waiting: Merged | null = null
  for (let from = 0; ; ) {
    const rows = page.all(from, ROWS_AT_ONCE)
    for (const { hash: known, events: kept, ...row } of rows) {
      const next: Merged = { ...row, known: known !== null, ...read(row.last, kept) }
      // Before decisions had rows, each entry was one.
      if (waiting !== null && isOneDecision(waiting, next))
        waiting = { ...next, events: [...waiting.events, ...next.events] }
      else {
        if (waiting !== null) write(waiting)
        waiting = next
      }
    }
    const last = rows.at(-1)
    if (last === undefined) break
    from = last.last
  }
  if (waiting !== null) write(waiting)
  headUpdate.run(hash)
}

const isOneDecision = (a: Merged, b: Merged): boolean =>
  !a.known && !b.known && a.cause === b.cause && a.at === b.at && a.by === b.by && a.bodies.length === 0

const first48 = (sha: string): number => Number.parseInt(sha.slice(0, 12), 16)
