/** Errors of a store. They are not Faults, because a caller cannot handle them; the engine stops or recovers. */
import { errorCode, errorMessage } from '@/server/shared/errors'

/** Another process works in this data folder. */
export class StoreLockedError extends Error {
  override readonly name = 'StoreLockedError'
  constructor(
    readonly folder: string,
    /** null if the holder has not written its name yet */
    readonly holder: { pid: number; since: number; host: string } | null,
    /** An additional clause: what to do. */
    hint = '',
  ) {
    const by = holder
      ? `process ${holder.pid} on ${holder.host}, since ${new Date(holder.since).toISOString()}`
      : 'another process'
    super(`${folder} is in use by ${by}${hint}`)
  }
}

/**
 * A read or write failed (disk full, I/O, damage). Every later write is refused with the first cause, until the state of the store
 * is ok again. The failed write is not acknowledged; only reading the journal shows whether it happened (after a failed fsync
 * it may have).
 */
export class StoreBrokenError extends Error {
  override readonly name = 'StoreBrokenError'
  constructor(doing: string, cause: unknown) {
    super(`store failed at ${doing}: ${errorMessage(cause)}`, { cause })
  }
  /** Whether a retry may help: a problem of the machine (space, rights, the disk), not damage or a defect. */
  get mayPass(): boolean {
    return isMachineTrouble(this.cause)
  }
}

/** An error of the operating system, of SQLite about its file, or of PostgreSQL about its state or permissions. */
function isMachineTrouble(cause: unknown): boolean {
  const code = errorCode(cause)
  if (SERVER_TROUBLE.test(code)) return true
  return /^E[A-Z0-9]+$|^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY|LOCKED|NOMEM|PERM)/.test(code)
}

/** No connection, no rights, a conflict, no space, stopped, not writable: classes of PostgreSQL's codes, and two single codes. */
const SERVER_TROUBLE = /^(?:(?:08|28|3D|40|53|55|57|58).{3}|25006|42501)$/

/** The answer to an append or a take was lost: it may or may not have happened. Take again, read on, decide the rest. */
export class StoreUnansweredError extends Error {
  override readonly name = 'StoreUnansweredError'
  constructor(doing: string, cause?: unknown) {
    super(`no answer to ${doing}`, { cause })
  }
}

/** Another node has the lease of the journal: nothing was written. */
export class JournalTakenError extends Error {
  override readonly name = 'JournalTakenError'
  constructor() {
    super('another node has the lease of the journal')
  }
}

/** The place of damage that is not in a file. */
export const IN_POSTGRES = 'the database'

const RESTORE = 'Put a backup back (npm run restore -- <folder>, into an empty data folder)'

/** Where a store is damaged. file: in the data folder, or IN_POSTGRES. decision, entry: their numbers, null for none. */
export type Damage = { file: string; decision: number | null; entry: number | null; why: string }

/** Stored data is not what was written: it cannot be read, or its hash is wrong. The store itself continues. */
export class StoreDamagedError extends Error {
  override readonly name = 'StoreDamagedError'
  constructor(
    readonly damage: Damage,
    options?: { cause: unknown },
  ) {
    const remedy = damage.file === IN_POSTGRES ? 'Put a backup back' : RESTORE
    super(`${damageText(damage)}. ${remedy}`, options)
  }
}

/** One clause for people. */
export function damageText({ file, decision, entry, why }: Damage): string {
  const where = [decision === null ? '' : ` decision ${decision}`, entry === null ? '' : ` entry ${entry}`].filter(
    Boolean,
  )
  return `${file} is damaged${where.length > 0 ? ` at${where.join(',')}` : ''}: ${why}`
}

/** The data was written by a newer version of the program. */
export class StoreTooNewError extends Error {
  override readonly name = 'StoreTooNewError'
  constructor(
    readonly found: number,
    readonly known: number,
  ) {
    super(`the data has format ${found}, this version reads up to ${known}: start the newer version`)
  }
}

/** A database that cannot be used: the sentence says why and what to do. */
export class DatabaseUnfitError extends Error {
  override readonly name = 'DatabaseUnfitError'
}

/** A data folder whose journal is missing, foreign or not the one that was there: nothing was changed. */
export class JournalUnfitError extends Error {
  override readonly name = 'JournalUnfitError'
  /** why: a clause. remedy: whole sentences */
  constructor(folder: string, why: string, remedy: string) {
    super(`${folder} cannot be used: ${why}. ${remedy}`)
  }
}

export class StoreClosedError extends Error {
  override readonly name = 'StoreClosedError'
  constructor() {
    super('the store is closed')
  }
}
