/** Opens a data folder: first the lock, then convene.db, then it cleans up after a dead process. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { errorCode } from '@/server/shared/errors'
import { flushFolder } from '../../shared/flush'
import { JournalMissingError } from '../errors'
import type { Store, StoreOptions } from '../interfaces'
import { accountsOf } from '../shared/accounts'
import { personalRowsOf } from '../shared/people'
import { snapshotsOf } from '../shared/snapshots'
import { verifyWhole } from '../shared/verifyWhole'
import { type SqliteBodies, sqliteBodies } from './bodies/bodies'
import { countBodyFiles } from './bodies/bodyFiles'
import { openConnection, type SqliteConnection } from './database/connection'
import { copyBeforeMigration } from './database/copyDatabase'
import { newestOf, SCHEMAS } from './database/schema'
import { entryDecoder } from './journal/entries'
import { makeHead } from './journal/head'
import { sqliteJournal } from './journal/journal'
import { type Handle, lastingStore } from './lasting'
import { lockFolder } from './lock'
import { convertOlder } from './older/convert'
import { tightenFolder } from './privacy'
import { wholeSqlite } from './repair/wholeSqlite'
import { sqliteSearch } from './search'
import { sqliteTables } from './tables'

/** Opens or creates a data folder, exclusively for this process. Throws StoreLockedError, StoreTooNewError, StoreBrokenError. */
export async function openSqliteStore(
  dataFolder: string,
  options: StoreOptions = {},
  connect = openConnection,
  schemas = SCHEMAS,
): Promise<Store> {
  const folder = resolve(dataFolder)
  await mkdir(join(folder, 'bodies'), { recursive: true, mode: 0o700 })
  // SQLite would make it readable for all. An existing file may be locked by this process: it is not opened.
  await (await open(join(folder, 'convene.lock'), 'wx', 0o600).catch(ifThere))?.close()
  tightenFolder(folder)
  // Real time, also with a test's clock: a person reads the holder's start.
  const lock = lockFolder(folder, join(folder, 'convene.lock'), Date.now())
  try {
    await ensureWhole(folder)
    // Created here, before SQLite opens it, so that only its owner can read the password hashes; -wal and -shm get the same rights.
    await (await open(join(folder, 'convene.db'), 'a', 0o600)).close()
    // A converted database has been copied before.
    if ((await convertOlder(folder)) === null) await copyBeforeMigration(folder, newestOf(schemas))
    const path = join(folder, 'convene.db')
    let removeUnnamed = async (): Promise<void> => {}
    const store = lastingStore(
      (onBroke) => {
        const parts = openHandle(folder, options, connect(path, onBroke, schemas))
        removeUnnamed = parts.removeUnnamed
        return parts
      },
      folder,
      options.schedule,
    )
    // The file exists, but no start has written into it.
    const { seq } = await store.journal.head()
    const bodies = seq === 0 ? await countBodyFiles(join(folder, 'bodies')) : 0
    if (bodies > 0) {
      await store.close()
      throw new JournalMissingError(folder, bodies)
    }
    await removeUnnamed()
    await flushFolder(folder)
    return {
      ...store,
      async close() {
        try {
          await store.close()
        } finally {
          lock.release()
        }
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

const ifThere = (error: unknown): null => {
  if (errorCode(error) === 'EEXIST') return null
  throw error
}

/** A folder that lost its journal gets no new one: the remaining files may belong to a copy. Throws JournalMissingError. */
async function ensureWhole(folder: string): Promise<void> {
  const sizeOf = async (name: string): Promise<number> =>
    (await stat(join(folder, name)).catch(() => ({ size: 0 }))).size
  if ((await sizeOf('convene.db')) > 0) return
  const bodies = await countBodyFiles(join(folder, 'bodies'))
  if (bodies > 0 || (await sizeOf('convene.db-wal')) > 0) throw new JournalMissingError(folder, bodies)
}

/** The parts of a store on one connection; makes the head where there is none. */
export function openHandle(
  folder: string,
  options: StoreOptions,
  connection: SqliteConnection,
): Handle & Pick<SqliteBodies, 'removeUnnamed'> {
  const now = options.now ?? Date.now
  const random = options.random ?? ((n: number) => new Uint8Array(randomBytes(n)))
  connection.write('open', () => makeHead(connection.query, Buffer.from(random(16)).toString('hex')))
  const decoder = entryDecoder(connection)
  const bodies = sqliteBodies(connection, folder, decoder, now)
  const journal = sqliteJournal(connection, bodies, decoder, now, random)
  const tables = sqliteTables(connection)
  return {
    journal,
    archive: journal,
    bodies,
    snapshots: snapshotsOf(tables),
    people: personalRowsOf(tables, now),
    accounts: accountsOf(tables, now, random),
    search: sqliteSearch(connection),
    removeUnnamed: bodies.removeUnnamed,
    prove: () =>
      connection.write('probe', () => {
        connection.query('create table probe (room)').run()
        connection.query('insert into probe values (zeroblob(65536))').run()
        connection.query('drop table probe').run()
      }),
    now,
    verify: (range) => verifyWhole(wholeSqlite(connection, bodies, decoder), range),
    async close() {
      connection.close()
    },
  }
}
