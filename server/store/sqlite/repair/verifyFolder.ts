/** Checks the data folder of an ended process: its journal like `verify`, and its database file. */
import { resolve } from 'node:path'
import Database from 'libsql'
import { errorMessage } from '@/server/shared/errors'
import { StoreBrokenError } from '../../errors'
import type { Verified } from '../../interfaces'
import { verifyWhole } from '../../shared/verifyWhole'
import { sqliteBodies } from '../bodies/bodies'
import { decodeText } from '../database/columns'
import type { SqliteConnection } from '../database/connection'
import { openForReading } from '../database/openForReading'
import { type Queries, queriesOf } from '../database/query'
import { SCHEMAS } from '../database/schema'
import { DATABASE } from '../journal/entries'
import { wholeSqlite } from './wholeSqlite'

/** Maximum number of reported faults of the file. */
const MOST_FAULTS = 20

/**
 * No file of the folder is changed.
 *
 * out     `damage` of the write-ahead log first, then of the journal, then of the file: its pages, indexes and tables
 * faults  StoreLockedError: a process uses it; StoreBrokenError, StoreTooNewError: it has no journal of this version
 */
export async function verifyFolder(dataFolder: string): Promise<Verified> {
  const folder = resolve(dataFolder)
  const { connection, damage } = openForReading(folder)
  try {
    const verified = await verifyOpened(connection, folder)
    return { ...verified, damage: [...(damage === null ? [] : [damage]), ...verified.damage] }
  } finally {
    connection.close()
  }
}

async function verifyOpened(connection: SqliteConnection, folder: string): Promise<Verified> {
  const { query } = connection
  const out: Verified = { decisions: 0, entries: 0, bodies: 0, damage: [] }
  const named = (why: string) => out.damage.push({ file: DATABASE, decision: null, entry: null, why })
  /** Statements of a damaged schema cannot be prepared. */
  const attempt = async (work: () => Promise<void> | void): Promise<void> => {
    try {
      await work()
    } catch (error) {
      const cause = error instanceof StoreBrokenError ? error.cause : error
      named(errorMessage(cause))
    }
  }
  await attempt(async () => {
    const bodies = sqliteBodies(connection, folder, Date.now)
    Object.assign(out, await verifyWhole(wholeSqlite(connection, bodies)))
  })
  await attempt(() => pageFaults(query).forEach(named))
  await attempt(() => schemaFaults(query).forEach(named))
  return out
}

/** Damage that SQLite finds: pages, cells, indexes that do not match their tables. */
function pageFaults(query: Queries): string[] {
  const lines = query<{ line: ArrayBuffer }>(
    `select cast(integrity_check as blob) as line from pragma_integrity_check(${MOST_FAULTS})`,
  ).all()
  return lines.map(({ line }) => decodeText(line)).filter((line) => line !== 'ok')
}

type Named = { name: ArrayBuffer; sql: ArrayBuffer | null }
const MADE = `select cast(name as blob) as name, cast(sql as blob) as sql from sqlite_schema
  where sql is not null and name not in ('search_data', 'search_idx', 'search_docsize', 'search_config', 'search_content')`

/** Tables and indexes that differ from those of this version, without the tables that SQLite creates for the search. */
function schemaFaults(query: Queries): string[] {
  const fresh = new Database(':memory:')
  try {
    for (const { sql } of SCHEMAS) fresh.exec(sql)
    const right = new Map(queriesOf(fresh)<Named>(MADE).all().map(textsOf))
    const there = new Map(query<Named>(MADE).all().map(textsOf))
    return [...new Set([...right.keys(), ...there.keys()])].flatMap((name) => {
      if (right.get(name) === there.get(name)) return []
      return right.has(name) ? [`its table or index ${name} is not as it was made`] : [`${name} does not belong there`]
    })
  } finally {
    fresh.close()
  }
}

const textsOf = ({ name, sql }: Named): [string, string] => [decodeText(name), sql === null ? '' : decodeText(sql)]
