/** A consistent copy of convene.db by a second connection, while another process may write to it. */
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Database from 'libsql'
import { flushFile, flushFolder } from '@/server/shared/flush'
import { StoreBrokenError, StoreDamagedError, StoreLockedError } from '../../errors'
import { DATABASE } from '../journal/entries'
import { headReader } from '../journal/head'
import { openUnchanged, type Unchanged } from './openForReading'
import { queriesOf } from './query'

/** schema: the version of the tables. head: number of the last entry. hash: of the last decision, in hex */
type CopiedDatabase = { journal: string; schema: number; head: number; hash: string; decisions: number }

/**
 * in      the data folder; without: rows of people to leave out
 * out     the state of the copy, which is flushed, 0600
 * faults  StoreBrokenError; StoreDamagedError: the write-ahead log that an ended process left is damaged
 */
export async function copyDatabase(
  folder: string,
  to: string,
  { without = [] }: { without?: readonly { person: string; key: string }[] } = {},
): Promise<CopiedDatabase> {
  await copyOf(folder, to)
  const copied = attempt('copy', () =>
    using(to, (db) => {
      db.pragma('secure_delete = on')
      const remove = db.prepare('delete from person_row where person = ? and key = ?')
      for (const { person, key } of without) remove.run(person, key)
      return contentsOf(db)
    }),
  )
  await flushFile(to)
  return copied
}

/** A folder that no process uses is only read; in one that is used, SQLite's locks keep the copy consistent. */
async function copyOf(folder: string, to: string): Promise<void> {
  let unused: Unchanged
  try {
    unused = openUnchanged(folder)
  } catch (error) {
    if (error instanceof StoreLockedError) return copyFileOf(join(folder, DATABASE), to)
    throw error
  }
  try {
    if (unused.damage !== null) throw new StoreDamagedError(unused.damage)
    await vacuumInto(unused.db, to)
  } finally {
    unused.close()
  }
}

/** faults: StoreBrokenError; an error if the file exists */
async function copyFileOf(from: string, to: string): Promise<void> {
  const db = attempt('open', () => new Database(from))
  try {
    await vacuumInto(db, to)
  } finally {
    db.close()
  }
}

/** out: a whole database, flushed to the disk, 0600 */
async function vacuumInto(db: Database.Database, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  // VACUUM INTO accepts an empty file, so the copy is never readable by others.
  await (await open(to, 'wx', 0o600)).close()
  attempt('copy', () => db.prepare('vacuum into ?').run(to))
  await flushFile(to)
}

/** Makes a durable copy of a database in the same folder before its form changes. Throws StoreBrokenError. */
export async function copyBefore(folder: string, version: number): Promise<void> {
  const name = `convene.db.before-${version}`
  const temporary = join(folder, `${name}.tmp`)
  await rm(temporary, { force: true })
  await copyFileOf(join(folder, DATABASE), temporary)
  await rename(temporary, join(folder, name))
  await flushFolder(folder)
}

/** The same, if the file lacks a schema; a new file has no data to copy. Throws StoreBrokenError: nothing was changed. */
export async function copyBeforeMigration(folder: string, newest: number): Promise<void> {
  const found = attempt('open', () => using(join(folder, DATABASE), versionOf))
  if (found > 0 && found < newest) await copyBefore(folder, found)
}

const versionOf = (db: Database.Database): number =>
  (db.prepare('pragma user_version').get() as { user_version: number }).user_version

function contentsOf(db: Database.Database): CopiedDatabase {
  const { journal, seq, hash } = headReader(queriesOf(db))()
  const schema = versionOf(db)
  const { decisions } = db.prepare('select count(*) as decisions from decision').get() as { decisions: number }
  return { journal, schema, head: seq, hash, decisions }
}

function using<T>(path: string, work: (db: Database.Database) => T): T {
  const db = new Database(path)
  try {
    return work(db)
  } finally {
    db.close()
  }
}

function attempt<T>(doing: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new StoreBrokenError(doing, error)
  }
}
