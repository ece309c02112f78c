/** Moves the rows of a database to or from another store. */
import type pg from 'pg'
import { DatabaseUnfitError } from '../errors'
import type { Store } from '../interfaces'
import {
  MOVED_AT_ONCE,
  MOVED_TABLES,
  type MovedHead,
  type MovedTable,
  type MovedValue,
  type MoveSource,
  type MoveTarget,
} from '../moved'
import { decisionSeal, headSeal, outcomeSeal } from '../shared/chain'
import type { EntryParts } from '../shared/entryRows'
import { readAddress } from './address'
import { packBodies } from './bodies'
import type { Ask } from './connection'
import { type BareRow, textsOf } from './entries'
import { openSession } from './holding'
import { openPostgresStore } from './openPostgresStore'
import { bodyShas, decisionPages, outcomePages } from './pages'
import type { Bound } from './sessions'

type Held = { store: Store; session: pg.Client; close(): Promise<void> }

/** Held by this process, with a separate session. */
async function openHeld(url: string): Promise<Held> {
  const store = await openPostgresStore(url, { sessions: 2 })
  const { client: session, end } = await openSession(readAddress(url))
  return {
    store,
    session,
    async close() {
      await end()
      await store.close()
    },
  }
}

/** Throws StoreLockedError, DatabaseUnfitError. */
export async function postgresSource(url: string): Promise<MoveSource> {
  const { store, session, close } = await openHeld(url)
  const ask: Ask = async <Row extends pg.QueryResultRow>(sql: string, bound: readonly Bound[] = []) =>
    (await session.query<Row>(sql, [...bound])).rows

  return {
    async head() {
      const [head] = await ask<MovedHead>('select journal, seq, at, epoch, hash from head')
      if (!head) throw new DatabaseUnfitError(`${readAddress(url).shown} holds no journal`)
      return head
    },
    async *decisions() {
      for await (const page of decisionPages(ask, 0))
        yield page.map(({ decision: { known, ...decision }, entries }) => ({
          ...decision,
          known: known === 1 ? (1 as const) : (0 as const),
          rows: entries.map(partsOf),
        }))
    },
    outcomes: () => outcomePages(ask),
    async *bodies() {
      for await (const sha of bodyShas(ask)) {
        const body = await store.bodies.get(sha)
        if (body) yield { sha, ...body }
      }
    },
    async *rows(table) {
      const { rows } = await session.query<MovedValue[]>({
        text: `select ${columnsOf(table)} from ${table}`,
        rowMode: 'array',
      })
      for (let from = 0; from < rows.length; from += MOVED_AT_ONCE) yield rows.slice(from, from + MOVED_AT_ONCE)
    },
    close,
  }
}

function partsOf(entry: BareRow): EntryParts {
  const kept = textsOf(entry)
  return { event: entry.event, texts: entry.texts, content: kept && JSON.stringify(kept) }
}

/** One transaction: an interrupted move does not change the database. Throws DatabaseUnfitError: it has a journal. */
export async function postgresTarget(url: string, head: MovedHead): Promise<MoveTarget> {
  const { store, session, close } = await openHeld(url)
  if ((await store.journal.head()).seq > 0) {
    await close()
    throw new DatabaseUnfitError(
      `${readAddress(url).shown} holds a journal already: name an empty database, or another schema (?schema=…)`,
    )
  }
  await session.query('begin')

  return {
    async addDecisions(decisions) {
      const made = decisions.map(({ rows: _, ...decision }) => ({
        ...decision,
        seal: decisionSeal(decision.last, decision.known, decision.until, decision.reply),
      }))
      await session.query(
        `insert into decision select last, first, command, "by", at, known, until, reply, decode(hash, 'hex'), seal
         from json_to_recordset($1) as d(last bigint, first bigint, command text, "by" text, at bigint, known smallint,
           until bigint, reply text, hash text, seal bigint)`,
        [JSON.stringify(made)],
      )
      const entries = decisions.flatMap(({ rows, first, last }) =>
        rows.map((row, n) => ({ seq: first + n, last, ...row })),
      )
      await session.query(
        `insert into entry (seq, last, texts, event, content) select seq, last, texts, event, content
         from json_to_recordset($1) as e(seq bigint, last bigint, texts integer, event text, content text)`,
        [JSON.stringify(entries)],
      )
    },
    async addOutcomes(outcomes) {
      const made = outcomes.map((outcome) => ({ ...outcome, seal: outcomeSeal(outcome) }))
      await session.query(
        `insert into outcome select id, "by", seq, at, until, fault, reply, seal from json_to_recordset($1)
         as o(id text, "by" text, seq bigint, at bigint, until bigint, fault text, reply text, seal bigint)`,
        [JSON.stringify(made)],
      )
    },
    async addBody(body) {
      const packed = await packBodies([body])
      if (!packed) return
      await session.query('select keep_bodies($1, $2, $3)', [packed.rows, Buffer.from(packed.data), Date.now()])
    },
    async addRows(table, rows) {
      const columns = MOVED_TABLES[table]
      const places = rows.map((_, row) => `(${columns.map((__, n) => `$${row * columns.length + n + 1}`).join(', ')})`)
      if (rows.length === 0) return
      await session.query(`insert into ${table} (${columnsOf(table)}) values ${places.join(', ')}`, rows.flat())
    },
    async finish() {
      const { journal, seq, at, epoch, hash } = head
      await session.query('update head set journal = $1, seq = $2, at = $3, epoch = $4, hash = $5, seal = $6', [
        journal,
        seq,
        at,
        epoch,
        hash,
        headSeal(head),
      ])
      await session.query('commit')
    },
    close,
  }
}

const columnsOf = (table: MovedTable): string => MOVED_TABLES[table].map((name) => `"${name}"`).join(', ')
