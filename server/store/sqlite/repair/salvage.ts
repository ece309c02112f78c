/** Saves the intact data of a damaged folder into a new one, with the same numbers; `journal.damaged` marks lost entries. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import Database from 'libsql'
import { errorMessage } from '@/server/shared/errors'
import { type Damage, StoreBrokenError } from '../../errors'
import type { Store } from '../../interfaces'
import { bodySeal } from '../../shared/chain'
import { entryRows, keptRows, saltsOf } from '../../shared/entryRows'
import { sqliteBodies } from '../bodies/bodies'
import { INSERT_BODY } from '../bodies/bodyRows'
import { asBytes, asInteger, decodeText } from '../database/columns'
import type { SqliteConnection } from '../database/connection'
import { openForReading } from '../database/openForReading'
import { type Queries, queriesOf } from '../database/query'
import { decisionWriter, NO_BODIES } from '../journal/decisions'
import { DATABASE, entryDecoder } from '../journal/entries'
import { checkedHead, headOf } from '../journal/head'
import { outcomeRows, outcomeWriter } from '../journal/outcomes'
import { SEALED_FORM } from '../journal/seals'
import { lockFolder } from '../lock'
import { openSqliteStore } from '../openSqliteStore'
import { type BareEntryRow, checkRows, DECISIONS, type DecisionRow, ENTRIES, readDecision } from './verify'

export type Salvaged = {
  decisions: number
  entries: number
  bodies: number
  /** Lost entries, from..to, and why. */
  lost: { from: number; to: number; why: string }[]
  /** Lost bodies by sha; null: unknown which. */
  lostBodies: (string | null)[]
  /** The number of damaged rows of other tables. */
  lostRows: { table: string; rows: number }[]
  /** Tables that could not be read, or not completely. */
  lostTables: string[]
}

const BY = 'system:salvage'
/** Tables outside the journal, with the first form that has them. Snapshots and search are rebuilt from the journal. */
const TABLES = { person_row: 12, password: 12, session: 12, link: 12, sealed_key: 13 }

/** in: an unused data folder; an empty or missing folder. Throws StoreLockedError, StoreBrokenError. */
export async function salvage(from: string, to: string): Promise<Salvaged> {
  const [source, target] = [resolve(from), resolve(to)]
  await mkdir(target, { recursive: true, mode: 0o700 })
  if ((await readdir(target)).length > 0) throw new StoreBrokenError('salvage', new Error(`${target} is not empty`))
  const lock = lockFolder(source, join(source, 'convene.lock'), Date.now())
  try {
    const old = openForReading(join(source, DATABASE))
    try {
      const store = await openSqliteStore(target)
      try {
        return await save(old, source, store, target)
      } finally {
        await store.close()
      }
    } finally {
      old.connection.close()
    }
  } finally {
    lock.release()
  }
}

async function save(
  { connection: old, form }: ReturnType<typeof openForReading>,
  source: string,
  store: Store,
  target: string,
): Promise<Salvaged> {
  const out: Salvaged = { decisions: 0, entries: 0, bodies: 0, lost: [], lostBodies: [], lostRows: [], lostTables: [] }
  const db = new Database(join(target, DATABASE))
  const query = queriesOf(db)
  try {
    db.exec('begin immediate')
    const kept = saveDecisions(old, query, store.journal.id, out)
    saveOutcomes(old, query, form >= SEALED_FORM, out)
    for (const [table, since] of Object.entries(TABLES)) if (form >= since) saveTable(old, query, table, out)
    db.exec('commit')
    await saveBodies(old, source, store, { query, exec: (sql) => db.exec(sql) }, kept, out)
    return out
  } finally {
    if (db.inTransaction) db.exec('rollback')
    db.close()
  }
}

/** out: the intact decisions, by number */
function saveDecisions(old: SqliteConnection, query: Queries, journal: string, out: Salvaged): Set<number> {
  const decoder = entryDecoder(old)
  const { insert } = decisionWriter(query)
  const next = old.query<DecisionRow>(`${DECISIONS} where last > ? order by last limit 1`)
  const exactly = old.query<DecisionRow>(`${DECISIONS} where last = ?`)
  const entriesQuery = old.query<BareEntryRow>(ENTRIES)
  const head = attempt(() => checkedHead(old.query, false))
  const end = Math.max(
    head?.seq ?? 0,
    attempt(() => old.query<{ last: number }>('select max(seq) as last from entry').get())?.last ?? 0,
  )
  if (end === 0 || end > 1_000_000_000)
    throw new StoreBrokenError('salvage', new Error('where the journal ends cannot be read'))
  const kept = new Set<number>()
  let [hash, at, epoch, done] = [journal, 0, head?.epoch ?? 0, 0]
  let before: ReadonlySet<string> | null = head ? new Set([head.journal]) : null
  let why = ''

  const lose = (to: number): void => {
    if (to <= done) return
    const from = done + 1
    const events = Array.from({ length: to - done }, () => ({ type: 'journal.damaged', v: 1, first: from, last: to }))
    const header = { first: from, last: to, at, by: BY, command: `salvage:${from}` }
    const made = entryRows(events, saltsOf(randomBytes))
    hash = insert(hash, header, made, { known: 0, until: null, reply: null, bundle: NO_BODIES })
    out.lost.push({ from, to, why: why || 'it cannot be read' })
    done = to
    why = ''
  }

  /** The next readable decision after that number. */
  const nextOf = (after: number): DecisionRow | null => {
    try {
      const row = next.get(after)
      return row && row.last <= end ? row : null
    } catch (error) {
      why ||= errorMessage(error)
    }
    for (let last = after + 1; last <= end; last++) {
      const row = attempt(() => exactly.get(last))
      if (row) return row
    }
    return null
  }

  for (let row = nextOf(0); row !== null; row = nextOf(row.last)) {
    const current = row
    try {
      const own = entriesQuery.all(current.first, Math.min(current.last, end))
      // Entries in between are lost; a decision is complete nevertheless.
      const first = Math.max(current.first, done + 1)
      const checked = checkRows(current, own, decoder, {
        before: current.first === done + 1 ? before : null,
        first,
      })
      const read = checked.why === null ? readDecision(current, own) : null
      if (read !== null) {
        lose(current.first - 1)
        at = Math.max(at, current.at)
        const content = decoder.contentOf(current.last)
        const rows = keptRows(read.events, own, current.first, content?.texts ?? {})
        hash = insert(hash, read, rows, {
          known: current.known === 1 ? 1 : 0,
          until: current.until,
          reply: read.reply,
          bundle: content?.bodies ?? NO_BODIES,
        })
        done = current.last
        kept.add(current.last)
        out.decisions += 1
        out.entries += own.length
        for (const event of read.events) epoch = Math.max(epoch, epochIn(event))
        before = new Set([Buffer.from(current.hash).toString('hex')])
        continue
      }
      why ||= checked.why?.why ?? 'it cannot be read'
      before = new Set([checked.hash, Buffer.from(current.hash).toString('hex')])
    } catch (error) {
      why ||= errorMessage(error)
      before = new Set([Buffer.from(current.hash).toString('hex')])
    }
    // Its own number may be damaged: the next one shows where it ends.
    if (current.first === done + 1 && current.last < current.first + 100_000) lose(current.last)
  }
  lose(end)
  headOf(query).move({ journal, seq: end, at, epoch, hash })
  return kept
}

function saveOutcomes(old: SqliteConnection, query: Queries, sealed: boolean, out: Salvaged): void {
  const add = outcomeWriter(query, 'insert or ignore')
  let lost = 0
  const isRead = attempt(() => {
    for (const { outcome, isWhole } of outcomeRows(old.query, sealed)) {
      if (!outcome || !isWhole) lost += 1
      else add(outcome)
    }
    return true
  })
  if (!isRead) out.lostTables.push('outcome')
  if (lost > 0) out.lostRows.push({ table: 'outcome', rows: lost })
}

/** in: a table of texts and numbers. A row with a damaged text is lost. */
function saveTable(old: SqliteConnection, query: Queries, table: string, out: Salvaged): void {
  const columns = query<{ name: string; type: string }>('select name, type from pragma_table_info(?)').all(table)
  const names = columns.map(({ name }) => `"${name}"`)
  const selected = columns.map(({ type }, n) => (type === 'TEXT' ? asBytes : asInteger)(names[n] ?? '', `c${n}`))
  const rows = attempt(() =>
    old.query<Record<string, ArrayBuffer | number | null>>(`select ${selected.join(', ')} from ${table}`).all(),
  )
  if (rows === undefined) {
    out.lostTables.push(table)
    return
  }
  const insert = query(
    `insert or ignore into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
  )
  let lost = 0
  for (const row of rows) {
    const values = attempt(() =>
      columns.map((_, n) => {
        const value = row[`c${n}`] ?? null
        return value === null || typeof value === 'number' ? value : decodeText(value)
      }),
    )
    const isSaved = values && attempt(() => insert.run(...values) >= 0)
    if (!isSaved) lost += 1
  }
  if (lost > 0) out.lostRows.push({ table, rows: lost })
}

/** Bodies in the content of an intact decision stay there; all others are stored again. */
async function saveBodies(
  old: SqliteConnection,
  source: string,
  store: Store,
  to: { query: Queries; exec(sql: string): void },
  kept: ReadonlySet<number>,
  out: Salvaged,
): Promise<void> {
  type Row = {
    id: number
    sha: string
    mime: ArrayBuffer
    bytes: number
    touched: number
    stored: number
    decision: number | null
    start: number | null
  }
  const bodies = sqliteBodies(old, source, entryDecoder(old), Date.now)
  const page = old.query<Row>(
    `select id, lower(hex(sha)) as sha, ${asBytes('mime', 'mime')},
       ${['bytes', 'touched', 'stored', 'decision', 'start'].map((name) => asInteger(name, name)).join(', ')}
       from body where id > ? order by id limit 100`,
  )
  const insert = to.query(INSERT_BODY)
  for (let after = 0; ; ) {
    const rows = attempt(() => page.all(after))
    if (rows === undefined) out.lostBodies.push(null)
    const stay: Row[] = []
    for (const row of rows ?? []) {
      const { sha } = row
      const fault: Damage | null | undefined = await bodies.faultOf(sha).catch(() => undefined)
      const whole = fault === null ? await bodies.get(sha).catch(() => null) : null
      if (whole === null) {
        out.lostBodies.push(sha)
        continue
      }
      out.bodies += 1
      if (row.decision !== null && kept.has(row.decision)) stay.push(row)
      else await store.bodies.put(whole.bytes, whole.mime)
    }
    to.exec('begin immediate')
    for (const { sha, mime: kept, bytes, touched, stored, decision, start } of stay) {
      const mime = decodeText(kept)
      const row = { sha, mime, bytes, packed: 0, stored, decision, start, data: null }
      insert.run(Buffer.from(sha, 'hex'), mime, bytes, touched, 0, stored, decision, start, null, bodySeal(row))
    }
    to.exec('commit')
    const last = rows?.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

function epochIn(event: string): number {
  const parsed: unknown = JSON.parse(event)
  const { type, epoch } = parsed as { type?: unknown; epoch?: unknown }
  return type === 'sequencer.took' && typeof epoch === 'number' ? epoch : 0
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
