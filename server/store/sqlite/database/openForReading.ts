/** The database of a data folder that no process uses, read so that no file of the folder changes; it may be damaged. */
import { constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import Database from 'libsql'
import {
  type Damage,
  JournalUnfitError,
  StoreBrokenError,
  StoreDamagedError,
  StoreLockedError,
  StoreTooNewError,
} from '../../errors'
import { DATABASE } from '../journal/entries'
import { lockForReading } from '../lock'
import type { SqliteConnection } from './connection'
import { ensureDatabase, sizeOf } from './ensureDatabase'
import { queriesOf } from './query'
import { NEWEST } from './schema'
import { damageInLog, type LogDamage, logOf, mendLog } from './writeAheadLog'

const OWN_ERRORS = [JournalUnfitError, StoreLockedError, StoreTooNewError]

/** damage: of the write-ahead log; null: none. close: also releases the folder */
export type Unchanged = { db: Database.Database; damage: Damage | null; close(): void }

/** faults: StoreLockedError: a process uses it; StoreBrokenError */
export function openUnchanged(dataFolder: string): Unchanged {
  const folder = resolve(dataFolder)
  const path = join(folder, DATABASE)
  if (!existsSync(path)) throw new StoreBrokenError('open', new Error(`there is no ${path}`))
  const lock = lockForReading(folder)
  let copy: string | null = null
  const release = (): void => {
    if (copy !== null) rmSync(copy, { recursive: true, force: true })
    lock.release()
  }
  try {
    ensureDatabase(folder)
    const damage = damageInLog(path)
    // SQLite merges a log into its database at the end. Without one it can be told that the file does not change.
    if (sizeOf(logOf(path)) > 0) copy = copyOf(path)
    const db = new Database(copy === null ? `${pathToFileURL(path).href}?immutable=1` : join(copy, DATABASE))
    return {
      db,
      damage: damage && damageOfLog(damage),
      close() {
        db.close()
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

/** Frames after a bad one are read too: what is wrong in them is found row by row. out: a new folder */
function copyOf(path: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'convene-read-'))
  const copy = join(folder, DATABASE)
  copyFileSync(path, copy, constants.COPYFILE_FICLONE)
  copyFileSync(logOf(path), logOf(copy))
  mendLog(copy)
  return folder
}

/** The write-ahead log is whole, or only its last write was cut off. faults: StoreDamagedError */
export function ensureLogWhole(folder: string): void {
  const damage = damageInLog(join(folder, DATABASE))
  if (damage !== null) throw new StoreDamagedError(damageOfLog(damage))
}

const damageOfLog = ({ frame, frames, commits }: LogDamage): Damage => ({
  file: logOf(DATABASE),
  decision: null,
  entry: null,
  why: `${frame === 0 ? 'its head' : `frame ${frame} of ${frames}`} is not as it was written, and ${commits} later ${commits === 1 ? 'commit' : 'commits'} would be lost`,
})

/** in: a data folder of this version. faults: StoreLockedError, StoreBrokenError, StoreTooNewError */
export function openForReading(folder: string): { connection: SqliteConnection; damage: Damage | null } {
  let closeAll = (): void => {}
  try {
    const { db, damage, close } = openUnchanged(folder)
    closeAll = close
    const { user_version: form } = db.prepare('pragma user_version').get() as { user_version: number }
    if (form > NEWEST) throw new StoreTooNewError(form, NEWEST)
    if (form < NEWEST)
      throw new Error(
        `the data has format ${form}, this version reads ${NEWEST}: start it once, which converts the data after a copy`,
      )
    const connection: SqliteConnection = {
      query: queriesOf(db),
      read: (_, work) => work(),
      write() {
        throw new Error('a journal that is opened for reading is not written to')
      },
      broke: (doing, cause) => new StoreBrokenError(doing, cause),
      ensureUsable() {},
      checkpoint() {},
      close,
    }
    return { connection, damage }
  } catch (error) {
    closeAll()
    throw OWN_ERRORS.some((kind) => error instanceof kind) ? error : new StoreBrokenError('open', error)
  }
}
