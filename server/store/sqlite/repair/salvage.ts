/** Saves the intact data of a damaged folder into a new one, with the same numbers; `journal.damaged` marks lost entries. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import Database from 'libsql'
import { errorMessage } from '@/server/shared/errors'
import { type Damage, StoreBrokenError } from '../../errors'
import type { Store } from '../../interfaces'
import { FILLED_FROM_OTHERS } from '../../shared/audit'
import { entryRows, saltsOf } from '../../shared/entryRows'
import { columnsOf, insertion, type Table } from '../../shared/tables'
import { type Queries, queriesOf } from '../database/query'
import { decisionWriter } from '../journal/decisions'
import { DATABASE } from '../journal/entries'
import { checkedHead, headOf } from '../journal/head'
import { outcomeWriter } from '../journal/outcomes'
import { type SqliteSource, sqliteSource } from '../moved'
import { openSqliteStore } from '../openSqliteStore'
import { type BareEntryRow, DECISIONS, type DecisionRow, ENTRIES, wholeDecision } from './wholeSqlite'

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
/** Tables outside the journal. Snapshots and search are rebuilt from it. */
const SAVED = ['person_row', 'password', 'session', 'session_origin', 'link', 'sealed_key', 'act'] as const

/** in: an unused data folder; an empty or missing folder. Throws StoreLockedError, StoreBrokenError. */
export async function salvage(from: string, to: string): Promise<Salvaged> {
  const folder = resolve(to)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new StoreBrokenError('salvage', new Error(`${folder} is not empty`))
  const source = await sqliteSource(from)
  try {
    const store = await openSqliteStore(folder)
    try {
      return await save(source, store, folder)
    } finally {
      await store.close()
    }
  } finally {
    await source.close()
  }
}

async function save(source: SqliteSource, store: Store, folder: string): Promise<Salvaged> {
  const out: Salvaged = { decisions: 0, entries: 0, bodies: 0, lost: [], lostBodies: [], lostRows: [], lostTables: [] }
  const db = new Database(join(folder, DATABASE))
  const query = queriesOf(db)
  try {
    db.exec('begin immediate')
    saveDecisions(source, query, store.journal.id, out)
    await saveOutcomes(source, query, out)
    for (const table of SAVED) {
      const fill = source.whole.lacks.includes(table) ? FILLED_FROM_OTHERS[table] : null
      if (fill === null) await saveTable(source, query, table, out)
      else if (fill !== undefined) query(fill).run()
    }
    db.exec('commit')
    await saveBodies(source, store, out)
    return out
  } finally {
    if (db.inTransaction) db.exec('rollback')
    db.close()
  }
}

/** Intact decisions keep their numbers; `journal.damaged` takes the numbers of the others. */
function saveDecisions(
  { connection: old, decoder }: SqliteSource,
  query: Queries,
  journal: string,
  out: Salvaged,
): void {
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
  let [hash, at, epoch, done] = [journal, 0, head?.epoch ?? 0, 0]
  let before: ReadonlySet<string> | null = head ? new Set([head.journal]) : null
  let why = ''

  const lose = (to: number): void => {
    if (to <= done) return
    const from = done + 1
    const events = Array.from({ length: to - done }, () => ({ type: 'journal.damaged', v: 1, first: from, last: to }))
    const header = { first: from, last: to, at, by: BY, command: `salvage:${from}` }
    const made = entryRows(events, saltsOf(randomBytes))
    hash = insert(hash, header, made, { known: 0, until: null, reply: null })
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
      const decision = wholeDecision(current, own, decoder)
      const checked = decision.check({ before: current.first === done + 1 ? before : null, first })
      if (checked.why === null) {
        const { rows, ...moved } = decision.moved()
        lose(current.first - 1)
        at = Math.max(at, current.at)
        hash = insert(hash, moved, rows, moved)
        done = current.last
        out.decisions += 1
        out.entries += own.length
        for (const { event } of rows) epoch = Math.max(epoch, epochIn(event))
        before = new Set([decision.hash])
        continue
      }
      why ||= checked.why.why
      before = new Set([checked.hash, decision.hash])
    } catch (error) {
      why ||= errorMessage(error)
      before = new Set([Buffer.from(current.hash).toString('hex')])
    }
    // Its own number may be damaged: the next one shows where it ends.
    if (current.first === done + 1 && current.last < current.first + 100_000) lose(current.last)
  }
  lose(end)
  headOf(query).move({ journal, seq: end, at, epoch, hash })
}

async function saveOutcomes({ whole }: SqliteSource, query: Queries, out: Salvaged): Promise<void> {
  const add = outcomeWriter(query, 'insert or ignore')
  let lost = 0
  try {
    for await (const { outcome, isWhole } of whole.outcomes()) {
      if (!outcome || !isWhole) lost += 1
      else add(outcome)
    }
  } catch {
    out.lostTables.push('outcome')
  }
  if (lost > 0) out.lostRows.push({ table: 'outcome', rows: lost })
}

/** A row that cannot be read or kept is lost. */
async function saveTable(
  { connection, whole }: SqliteSource,
  query: Queries,
  table: Table,
  out: Salvaged,
): Promise<void> {
  const count = attempt(() => connection.query<{ rows: number }>(`select count(*) as rows from ${table}`).get())
  const rows = await whole.tables.select(null, table, columnsOf(table), '', []).catch(() => undefined)
  if (rows === undefined || count === undefined) {
    out.lostTables.push(table)
    return
  }
  const isSaved = rows.map((row) => {
    const [sql, values] = insertion<Table>(table, row, 'on conflict do nothing')
    return attempt(() => query(sql.replaceAll('$', '?')).run(...values)) !== undefined
  })
  const lost = count.rows - isSaved.filter(Boolean).length
  if (lost > 0) out.lostRows.push({ table, rows: lost })
}

async function saveBodies({ whole, bodies }: SqliteSource, store: Store, out: Salvaged): Promise<void> {
  const found: { sha: string; fault(): Promise<Damage | null> }[] = []
  try {
    for await (const one of whole.bodies()) found.push(one)
  } catch {
    out.lostBodies.push(null)
  }
  for (const { sha, fault } of found) {
    const damage = await fault().catch(() => undefined)
    const body = damage === null ? await bodies.get(sha).catch(() => null) : null
    if (body === null) {
      out.lostBodies.push(sha)
      continue
    }
    await store.bodies.put(body.bytes, body.mime)
    out.bodies += 1
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
