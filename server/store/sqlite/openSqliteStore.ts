/** Opens a data folder: first the lock, then convene.db, then it cleans up after a dead process. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { errorCode } from '@/server/shared/errors'
import { elapsedOf } from '../../shared/elapsed'
import { flushFolder } from '../../shared/flush'
import { JournalUnfitError } from '../errors'
import type { Store, StoreOptions } from '../interfaces'
import { accountsOf } from '../shared/accounts'
import { envelopesOf } from '../shared/envelopes'
import { journalClock } from '../shared/journalClock'
import { personalRowsOf } from '../shared/people'
import { snapshotsOf } from '../shared/snapshots'
import { verifyWhole } from '../shared/verifyWhole'
import { type SqliteBodies, sqliteBodies } from './bodies/bodies'
import { countBodyFiles } from './bodies/bodyFiles'
import { sqliteCounters } from './counters'
import { makeDatabase, openConnection, type SqliteConnection } from './database/connection'
import { copyBeforeMigration } from './database/copyDatabase'
import { anew, ensureDatabase, sizeOf } from './database/ensureDatabase'
import { ensureLogWhole } from './database/openForReading'
import { newestOf, SCHEMAS } from './database/schema'
import { logOf } from './database/writeAheadLog'
import { DATABASE } from './journal/entries'
import { headReader, makeHead } from './journal/head'
import { sqliteJournal } from './journal/journal'
import { type Handle, lastingStore } from './lasting'
import { lockFolder } from './lock'
import { tightenFolder } from './privacy'
import { wholeSqlite } from './repair/wholeSqlite'
import { sqliteSearch } from './search'
import { sqliteSteps } from './steps'
import { sqliteTables } from './tables'

/**
 * Opens or creates a data folder, exclusively for this process.
 *
 * faults  StoreLockedError, StoreTooNewError, StoreBrokenError, StoreDamagedError, JournalUnfitError
 */
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
  const lock = lockFolder(folder, Date.now())
  try {
    if (existsSync(join(folder, DATABASE))) ensureUsable(folder)
    else {
      await ensureNew(folder)
      await makeDatabase(join(folder, DATABASE), schemas)
    }
    await copyBeforeMigration(folder, newestOf(schemas))
    const path = join(folder, DATABASE)
    const clock = journalClock({
      wall: options.now ?? Date.now,
      elapsed: options.elapsed ?? (options.now ? null : elapsedOf()),
      expected: options.expected,
    })
    let removeUnnamed = async (): Promise<void> => {}
    const store = lastingStore(
      (onBroke) => {
        const parts = openHandle(folder, { ...options, now: clock.now }, connect(path, onBroke, schemas))
        removeUnnamed = parts.removeUnnamed
        return parts
      },
      folder,
      options.schedule,
    )
    const head = await store.journal.head()
    // The bodies belong to another journal: this one has no entry that could refer to them.
    if (head.seq === 0) await ensureNoBodies(folder).catch((error) => store.close().then(() => Promise.reject(error)))
    await removeUnnamed()
    await flushFolder(folder)
    clock.heard(head.at)
    return {
      ...store,
      now: clock.now,
      clock,
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

/** Before SQLite changes anything in it. faults: JournalUnfitError, StoreDamagedError */
function ensureUsable(folder: string): void {
  ensureDatabase(folder)
  ensureLogWhole(folder)
}

/** A folder that lost its journal gets no new one: the remaining files may belong to a copy. faults: JournalUnfitError */
async function ensureNew(folder: string): Promise<void> {
  await ensureNoBodies(folder)
  const log = logOf(DATABASE)
  if (sizeOf(join(folder, log)) > 0)
    throw new JournalUnfitError(folder, `it has ${log} but no journal (${DATABASE})`, anew(log))
}

async function ensureNoBodies(folder: string): Promise<void> {
  const bodies = await countBodyFiles(join(folder, 'bodies'))
  if (bodies === 0) return
  const files = `${bodies} ${bodies === 1 ? 'file' : 'files'}`
  throw new JournalUnfitError(folder, `it has bodies/ with ${files} but no journal (${DATABASE})`, anew('bodies'))
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
  const bodies = sqliteBodies(connection, folder, now)
  const journal = sqliteJournal(connection, bodies, now, random)
  const tables = sqliteTables(connection)
  const head = headReader(connection.query)
  return {
    journal,
    archive: journal,
    bodies,
    snapshots: snapshotsOf(tables),
    people: personalRowsOf(tables, now),
    accounts: accountsOf(tables, now, random),
    search: sqliteSearch(connection),
    steps: sqliteSteps(connection),
    counters: sqliteCounters(connection, () => head().seq),
    envelopes: envelopesOf(tables, now),
    removeUnnamed: bodies.removeUnnamed,
    prove: () =>
      connection.write('probe', () => {
        connection.query('create table probe (room)').run()
        connection.query('insert into probe values (zeroblob(65536))').run()
        connection.query('drop table probe').run()
      }),
    verify: (range) => verifyWhole(wholeSqlite(connection, bodies), range),
    async close() {
      connection.close()
    },
  }
}
