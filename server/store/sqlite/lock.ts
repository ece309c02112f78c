/**
 * One process per data folder: a write transaction that is never finished, on a separate small database.
 * The operating system releases it when the process dies in any way, so a stale lock never remains.
 * Warning: never open or copy convene.lock or convene.db with file functions inside this process: closing such a handle releases
 * the process's locks on that file.
 */
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { errorCode } from '@/server/shared/errors'
import { StoreLockedError } from '../errors'

export type FolderLock = { release(): void }

type Holder = { pid: number; since: number; host: string }

/** How long a start waits for a process that is ending, ms. */
const WAIT_MS = 300

/** Locks the folder until release() or the end of the process. Throws StoreLockedError with the holder. */
export function lockFolder(folder: string, now: number): FolderLock {
  const me: Holder = { pid: process.pid, since: now, host: hostname() }
  return lockBy(folder, (db) => {
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
  })
}

/** The same for a reader, which changes no byte in the folder: not even its name is written. Throws StoreLockedError. */
export function lockForReading(folder: string): FolderLock {
  // A folder that no process has used, such as a copy.
  if (!existsSync(lockOf(folder))) return { release() {} }
  return lockBy(folder, (db) => {
    try {
      db.exec('begin immediate')
    } catch (error) {
      // Where nobody can write nobody needs a lock.
      if (!/^SQLITE_(READONLY|CANTOPEN)/.test(errorCode(error))) throw error
    }
  })
}

const lockOf = (folder: string): string => join(folder, 'convene.lock')

function lockBy(folder: string, begin: (db: Database.Database) => void): FolderLock {
  const db = new Database(lockOf(folder), { timeout: WAIT_MS })
  try {
    begin(db)
  } catch (error) {
    const holder = isBusy(error) ? readHolder(db) : null
    db.close()
    if (!isBusy(error)) throw error
    throw new StoreLockedError(folder, holder !== null && mayBeAlive(holder) ? holder : null)
  }
  let isHeld = true
  return {
    release() {
      if (!isHeld) return
      isHeld = false
      if (db.inTransaction) db.exec('rollback')
      db.close()
    },
  }
}

/** A reader leaves the name of the process before it. */
function mayBeAlive({ pid, host }: Holder): boolean {
  if (host !== hostname()) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) !== 'ESRCH'
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
