/**
 * One process per data folder: a write transaction that is never finished, on a small database of its own.
 * The operating system lets go of it when the process dies, however it dies, so no stale lock is ever left.
 * Trap: never open or copy convene.lock or convene.db with file functions inside this process: closing such a handle drops
 * the process's locks on that file.
 */
import { hostname } from 'node:os'
import Database from 'libsql'
import { StoreLockedError } from '../errors'

export type FolderLock = { release(): void }

type Holder = { pid: number; since: number; host: string }

/** How long a start waits for one that is just ending, ms. */
const WAIT_MS = 300

/** Holds the folder until release() or the end of the process. Throws StoreLockedError with the holder. */
export function lockFolder(folder: string, path: string, now: number): FolderLock {
  const me: Holder = { pid: process.pid, since: now, host: hostname() }
  const db = new Database(path, { timeout: WAIT_MS })
  try {
    // A rollback journal and not a WAL: beside a reserved lock others can still read who holds it, and no second file is left.
    db.pragma('journal_mode = DELETE')
    db.pragma('synchronous = OFF')
    for (;;) {
      db.exec('begin immediate')
      writeHolder(db, me)
      db.exec('commit; begin immediate')
      // Another process may have come and gone in between: then the name in the file is another's.
      const named = readHolder(db)
      if (named?.pid === me.pid && named.since === me.since && named.host === me.host) break
      db.exec('rollback')
    }
  } catch (error) {
    if (!isBusy(error)) {
      db.close()
      throw error
    }
    const holder = readHolder(db)
    db.close()
    throw new StoreLockedError(folder, holder)
  }
  let isHeld = true
  return {
    release() {
      if (!isHeld) return
      isHeld = false
      db.exec('rollback')
      db.close()
    },
  }
}

function writeHolder(db: Database.Database, holder: Holder): void {
  db.exec(
    'create table if not exists holder (one integer primary key check (one = 1), pid integer, since integer, host text)',
  )
  db.prepare('insert or replace into holder values (1, ?, ?, ?)').run(holder.pid, holder.since, holder.host)
}

function readHolder(db: Database.Database): Holder | null {
  try {
    return (db.prepare('select pid, since, host from holder').get() as Holder | undefined) ?? null
  } catch {
    return null
  }
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^SQLITE_(BUSY|LOCKED)/.test(error.code)
  )
}
