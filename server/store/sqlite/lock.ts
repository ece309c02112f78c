/**
 * One process per data folder: a write transaction that is never finished, on a separate small database.
 * The operating system releases it when the process dies in any way, so a stale lock never remains.
 * Warning: never open or copy convene.lock or convene.db with file functions inside this process: closing such a handle releases
 * the process's locks on that file.
 */
import { hostname } from 'node:os'
import Database from 'libsql'
import { errorCode } from '@/server/shared/errors'
import { StoreLockedError } from '../errors'

export type FolderLock = { release(): void }

type Holder = { pid: number; since: number; host: string }

/** How long a start waits for a process that is ending, ms. */
const WAIT_MS = 300

/** Locks the folder until release() or the end of the process. Throws StoreLockedError with the holder. */
export function lockFolder(folder: string, path: string, now: number): FolderLock {
  const me: Holder = { pid: process.pid, since: now, host: hostname() }
  const db = new Database(path, { timeout: WAIT_MS })
  try {
    // A rollback journal, not a WAL: others can still read the holder, and no second file remains.
    db.pragma('journal_mode = DELETE')
    db.pragma('synchronous = OFF')
    for (;;) {
      db.exec('begin immediate')
      writeHolder(db, me)
      db.exec('commit; begin immediate')
      // Another process may have run meanwhile: then the name in the file is that of the other.
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

const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(errorCode(error))
