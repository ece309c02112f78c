/** A read-only database that may be damaged: a failed read ends only that read. */
import { existsSync } from 'node:fs'
import Database from 'libsql'
import { StoreBrokenError, StoreTooNewError } from '../../errors'
import type { SqliteConnection } from './connection'
import { queriesOf } from './query'
import { NEWEST, OLDEST } from './schema'

/** in: a convene.db whose folder is locked. out: form: user_version. Throws StoreBrokenError, StoreTooNewError. */
export function openForReading(path: string): { connection: SqliteConnection; form: number } {
  if (!existsSync(path)) throw new StoreBrokenError('open', new Error(`there is no ${path}`))
  try {
    const db = new Database(path, { readonly: true })
    const { user_version: form } = db.prepare('pragma user_version').get() as { user_version: number }
    if (form > NEWEST) throw new StoreTooNewError(form, NEWEST)
    if (form < OLDEST)
      throw new Error(
        `the journal has form ${form}, and only forms ${OLDEST} to ${NEWEST} can be read as they are: start Convene once, which converts the folder after a copy, or put a backup back`,
      )
    const connection: SqliteConnection = {
      query: queriesOf(db),
      read: (_, work) => work(),
      write() {
        throw new Error('a journal that is opened for reading is not written to')
      },
      broke: (doing, cause) => new StoreBrokenError(doing, cause),
      ensureUsable() {},
      close: () => void db.close(),
    }
    return { connection, form }
  } catch (error) {
    throw error instanceof StoreTooNewError ? error : new StoreBrokenError('open', error)
  }
}
