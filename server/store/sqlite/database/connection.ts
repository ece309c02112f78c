/** One connection to convene.db: settings, schema, and no write after a failure. */
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import Database from 'libsql'
import { errorCode } from '@/server/shared/errors'
import { flushFile, flushFolder } from '@/server/shared/flush'
import { StoreBrokenError, StoreClosedError, StoreTooNewError } from '../../errors'
import { type Queries, queriesOf } from './query'
import { newestOf, SCHEMAS, type Schema } from './schema'

export type SqliteConnection = {
  query: Queries
  /** Run reads; also after a failed write. faults: StoreBrokenError, StoreClosedError */
  read<T>(doing: string, work: () => T): T
  /** Run work in one transaction, durable when this returns; an error inside rolls it back, and nothing is written any more. */
  write<T>(doing: string, work: () => T): T
  /** Treat a failure outside the database (a body's file) as a failure of the store. */
  broke(doing: string, cause: unknown): StoreBrokenError
  /** faults: StoreBrokenError, StoreClosedError; for callers about to work outside the database */
  ensureUsable(): void
  /** Empty the write-ahead log. While another process reads, it stays until later writes overwrite it. faults: those of write */
  checkpoint(): void
  close(): void
}

/** How long a statement waits for another process that reads or copies the file, ms. */
const BUSY_MS = 5_000
const PAGE_BYTES = 8_192
const LOG_PAGES = 2_000

/** in: `onBroke` is called once, with the first failure after the opening */
export function openConnection(
  path: string,
  onBroke: (error: StoreBrokenError) => void = () => {},
  schemas: readonly Schema[] = SCHEMAS,
): SqliteConnection {
  const db = new Database(path, { timeout: BUSY_MS })
  let broken: StoreBrokenError | null = null
  let isClosed = false
  try {
    // Only for a new file. A row of a step has 1 to 2 kB: pages of 4 KiB would have two rows and be a quarter empty.
    db.pragma(`page_size = ${PAGE_BYTES}`)
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    // What is deleted, such as the texts of an erased task, must not be found in the file.
    db.pragma('secure_delete = ON')
    db.pragma('cache_size = -16000')
    // Pages that many steps change are copied to the database once.
    db.pragma(`wal_autocheckpoint = ${LOG_PAGES}`)
    db.pragma('journal_size_limit = 67108864')
    migrate(db, schemas)
  } catch (error) {
    db.close()
    throw error instanceof StoreTooNewError ? error : new StoreBrokenError('open', error)
  }
  const begin = db.prepare('begin immediate')
  const commit = db.prepare('commit')

  const broke = (doing: string, cause: unknown): StoreBrokenError => {
    if (broken) return broken
    const error = new StoreBrokenError(doing, cause)
    // A missing file is damage of that body only.
    if (errorCode(cause) === 'ENOENT') return error
    broken = error
    onBroke(error)
    return error
  }
  const ensureUsable = () => {
    if (broken) throw broken
    // A statement of a closed connection still answers, from a file that another process may use now.
    if (isClosed) throw new StoreClosedError()
  }
  const ensureReadable = () => {
    // A failed write that could not be rolled back must not be visible.
    if (broken && (isClosed || db.inTransaction)) throw broken
    if (isClosed) throw new StoreClosedError()
  }
  return {
    broke,
    ensureUsable,
    query: queriesOf(db),
    read(doing, work) {
      ensureReadable()
      try {
        return work()
      } catch (error) {
        throw broke(doing, error)
      }
    },
    write(doing, work) {
      ensureUsable()
      try {
        begin.run()
        const result = work()
        commit.run()
        return result
      } catch (error) {
        rollBack(db)
        // A transaction that cannot be ended would keep its lock.
        throw broke(doing, db.inTransaction ? new Error(`no rollback after: ${String(error)}`) : error)
      }
    },
    checkpoint() {
      ensureUsable()
      try {
        db.pragma('wal_checkpoint(TRUNCATE)')
      } catch (error) {
        throw broke('checkpoint', error)
      }
    },
    close() {
      if (isClosed) return
      isClosed = true
      // Prepared statements keep the file open until garbage collection, so the log is merged here and not by the close.
      if (!broken) db.pragma('wal_checkpoint(TRUNCATE)')
      db.close()
    },
  }
}

function rollBack(db: Database.Database): void {
  try {
    // SQLite has already rolled back after a full disk.
    if (db.inTransaction) db.exec('rollback')
  } catch {
    // The first cause is reported.
  }
}

/** Makes a database of these schemas that is whole as soon as its file has this name. in: a name that is free. faults: StoreBrokenError */
export async function makeDatabase(path: string, schemas: readonly Schema[] = SCHEMAS): Promise<void> {
  const unfinished = `${path}.new`
  try {
    await rm(unfinished, { force: true })
    // Created here, so that only its owner can read the password hashes; -wal and -shm get the same rights.
    await (await open(unfinished, 'wx', 0o600)).close()
    const db = new Database(':memory:')
    try {
      db.pragma(`page_size = ${PAGE_BYTES}`)
      migrate(db, schemas)
      db.prepare('vacuum into ?').run(unfinished)
    } finally {
      db.close()
    }
    await flushFile(unfinished)
    await rename(unfinished, path)
    await flushFolder(dirname(path))
  } catch (error) {
    throw new StoreBrokenError('open', error)
  }
}

function migrate(db: Database.Database, schemas: readonly Schema[]): void {
  const { user_version: found } = db.prepare('pragma user_version').get() as { user_version: number }
  const newest = newestOf(schemas)
  if (found > newest) throw new StoreTooNewError(found, newest)
  for (const { version, sql, fill } of schemas) {
    if (version <= found) continue
    db.exec(`begin immediate; ${sql}; pragma user_version = ${version}`)
    fill?.(queriesOf(db))
    db.exec('commit')
  }
}
