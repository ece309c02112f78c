/** Opens a database: first its schema, then the lock or lease. */
import { randomBytes } from 'node:crypto'
import { type ElapsedMs, elapsedOf } from '@/server/shared/elapsed'
import { errorMessage } from '@/server/shared/errors'
import { later } from '@/server/shared/later'
import { DatabaseUnfitError, StoreBrokenError, StoreLockedError, StoreTooNewError } from '@/server/store/errors'
import type { Journal, Store, StoreOptions } from '@/server/store/interfaces'
import { accountsOf } from '@/server/store/shared/accounts'
import { envelopesOf } from '@/server/store/shared/envelopes'
import { type JournalClock, journalClock } from '@/server/store/shared/journalClock'
import { personalRowsOf } from '@/server/store/shared/people'
import { snapshotsOf } from '@/server/store/shared/snapshots'
import { verifyWhole } from '@/server/store/shared/verifyWhole'
import type { WholeStore } from '@/server/store/shared/wholeStore'
import { type DatabaseAddress, readAddress } from './address'
import { postgresBodies } from './bodies'
import { openPool, type PostgresConnection } from './connection'
import { postgresCounters } from './counters'
import { databaseClock } from './databaseClock'
import { type Holding, holdDatabase, openSession, type Session } from './holding'
import { postgresJournal } from './journal'
import { migrate } from './migrate'
import { NEWEST_SCHEMA } from './schema'
import { postgresSearch } from './search'
import { postgresSteps } from './steps'
import { postgresTables } from './tables'
import { wholePostgres } from './wholePostgres'

export type PostgresOptions = StoreOptions & {
  /** Maximum number of sessions, besides the one with the locks. */
  sessions?: number
  /** A session is replaced after this time, s. */
  sessionLifeS?: number
  /** The clock of this process, from which the database's time is computed if `now` is not given. */
  ownNow?: () => number
}

/** whole: its rows, for a move */
export type PostgresStore = Store & { readonly whole: WholeStore }

const SESSIONS = 10
/** A node that writes nothing notices within this time that the server was replaced. */
const SESSION_LIFE_S = 30

/**
 * Opens the database, as one of several nodes (`self`) or exclusively; creates the schema if there is none.
 *
 * faults  StoreLockedError, StoreTooNewError, DatabaseUnfitError, StoreBrokenError
 */
export async function openPostgresStore(url: string, options: PostgresOptions = {}): Promise<PostgresStore> {
  const address = readAddress(url)
  return inWords(address, async () => {
    const session = await openSession(address)
    try {
      await migrate(session.client, address)
      return await open(address, options, session)
    } catch (error) {
      await session.end()
      throw error
    }
  })
}

/** in: session: for the lock */
async function open(address: DatabaseAddress, options: PostgresOptions, session: Session): Promise<PostgresStore> {
  const schedule = options.schedule ?? later
  const elapsed = options.elapsed ?? elapsedOf()
  const ownNow = options.ownNow ?? steadyNow(elapsed)
  const database = databaseClock(ownNow)
  let holding: Holding | null = null
  const pooled = { most: options.sessions ?? SESSIONS, lifeS: options.sessionLifeS ?? SESSION_LIFE_S }
  const connection = openPool(address, pooled, schedule, async (ask) => {
    await holding?.renew(ask)
    await ask('select prove()')
  })
  try {
    const random = options.random ?? ((n: number) => new Uint8Array(randomBytes(n)))
    // The row for the lock must exist first.
    const id = await beginJournal(connection, random)
    const { self } = options
    const held = await holdDatabase({
      address,
      first: session,
      connection,
      journal: id,
      self,
      schedule,
      onTime: database.heard,
      now: ownNow,
      newest: NEWEST_SCHEMA,
    })
    holding = held
    // Only now has the database told its time.
    const clock = journalClock({
      wall: options.now ?? database.now,
      elapsed: options.elapsed ?? (options.now || options.ownNow ? null : elapsed),
    })
    const { now } = clock
    const parts = openParts(connection, id, { lock: held.lock, now, random })
    clock.heard((await parts.journal.head()).at)
    return {
      ...parts,
      journal: hearing(parts.journal, clock),
      now,
      clock,
      // A node without an address is the only one.
      ...(self?.address != null ? { lease: held } : {}),
      async close() {
        await held.close()
        await connection.close()
      },
    }
  } catch (error) {
    await holding?.close()
    await connection.close()
    throw error
  }
}

/** The clock of this machine at the start, and elapsed time: it is not set while the process runs. */
function steadyNow(elapsed: ElapsedMs): () => number {
  const beganAt = Date.now() - elapsed(true)
  return () => beganAt + elapsed(false)
}

/** Entries of other nodes show how far the time has come. */
function hearing(journal: Journal, { heard }: JournalClock): Journal {
  return {
    ...journal,
    async read(...range) {
      const entries = await journal.read(...range)
      heard(entries.at(-1)?.at ?? 0)
      return entries
    },
  }
}

/** out: its id, created if there is none */
export async function beginJournal(connection: PostgresConnection, random: (n: number) => Uint8Array): Promise<string> {
  const own = Buffer.from(random(16)).toString('hex')
  const [row] = await connection.write<{ id: string }>('open', 'select begin_journal($1) as id', [own], 'again')
  return row?.id ?? own
}

/** All parts of the store but its clock and its end. in: lock: of the hold; null: it takes the journal from anybody */
export function openParts(
  connection: PostgresConnection,
  id: string,
  { lock, now, random }: { lock: number | null; now: () => number; random: (n: number) => Uint8Array },
): Omit<PostgresStore, 'close' | 'now' | 'clock'> {
  const journal = postgresJournal(connection, { id, lock, now, random })
  const bodies = postgresBodies(connection, now)
  const tables = postgresTables(connection)
  const whole = wholePostgres(connection, bodies.faultOf)
  return {
    state: connection.state,
    onState: connection.onState,
    journal,
    archive: journal,
    bodies,
    snapshots: snapshotsOf(tables),
    people: personalRowsOf(tables, now),
    accounts: accountsOf(tables, now, random),
    search: postgresSearch(connection),
    steps: postgresSteps(connection),
    counters: postgresCounters(connection),
    envelopes: envelopesOf(tables, now),
    verify: (range) => verifyWhole(whole, range),
    whole,
  }
}

/** Errors of the driver as errors of the store. */
async function inWords<T>(address: DatabaseAddress, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if ([StoreLockedError, StoreTooNewError, DatabaseUnfitError].some((kind) => error instanceof kind)) throw error
    const cause = error instanceof StoreBrokenError ? error.cause : error
    throw new DatabaseUnfitError(`${address.shown} cannot be used: ${messageOf(cause)}`, { cause })
  }
}

/** Several addresses of one host fail with one error without a message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return errorMessage(error)
}
