/**
 * One process holds a database: by a lock on a session of its own, which PostgreSQL drops when the process dies, and by a time
 * that it renews, for a process that stands still or whose network is gone.
 */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import pg from 'pg'
import { StoreLockedError } from '../errors'
import type { StoreOptions } from '../interfaces'
import type { DatabaseAddress } from './address'
import { type Ask, LostError, type PostgresConnection, sessionOptions } from './connection'

type Holder = { pid: number; since: number; host: string }
type Held = { won: boolean; holder?: Holder }

export type Holding = {
  /** Renew it, with its session. faults: LostError: another process has it; those of the driver */
  renew(ask: Ask): Promise<void>
  release(): Promise<void>
}

/** For how long a process that does not answer keeps the database, ms. An append renews it too. */
export const HOLD_MS = 3_000
const RENEW_MS = 1_000
/** How long a start waits for one that is just ending, ms. */
const WAIT_MS = 1_000
const WAIT_STEP_MS = 100

/** in: first: a session that becomes its own. Throws StoreLockedError with the holder, errors of the driver. */
export async function holdDatabase(
  address: DatabaseAddress,
  first: Session,
  connection: PostgresConnection,
  schedule: NonNullable<StoreOptions['schedule']>,
): Promise<Holding> {
  const lock = randomBytes(6).readUIntBE(0, 6)
  const me: Holder = { pid: process.pid, since: Date.now(), host: hostname() }
  let session = first
  await lockIn(session, lock)
  let isReleased = false
  let stop = (): void => {}

  const hold = async (ask: Ask): Promise<Held> => {
    const [row] = await ask<{ held: Held }>('select hold($1, $2, $3) as held', [lock, HOLD_MS, JSON.stringify(me)])
    return row?.held ?? { won: false }
  }
  const askPool: Ask = (sql, bound) => connection.write('hold', sql, bound, 'again')
  for (let waited = 0; ; waited += WAIT_STEP_MS) {
    const { won, holder } = await hold(askPool)
    if (won) break
    if (waited >= WAIT_MS) {
      await session.end()
      throw new StoreLockedError(address.shown, holder ?? null)
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_STEP_MS))
  }

  async function renew(ask: Ask): Promise<void> {
    if ((await hold(ask)).won) {
      if (!session.isOver()) return
      session = await openSession(address)
      return lockIn(session, lock)
    }
    throw new LostError(`another process took ${address.shown}: this one did not answer for ${HOLD_MS / 1000} s`)
  }

  function renewLater(): void {
    stop = schedule(() => {
      if (isReleased) return
      const isOk = connection.state().is === 'ok'
      // While the database cannot be written, each probe renews.
      const renewed = isOk ? renew(askPool) : Promise.resolve()
      renewed
        .catch((error: unknown) => {
          if (error instanceof LostError) connection.lose(error.message)
        })
        .finally(renewLater)
    }, RENEW_MS)
  }
  renewLater()

  return {
    renew,
    async release() {
      isReleased = true
      stop()
      // Without the database there is nothing to give back; the time runs out.
      await connection
        .write('release', 'update head set lock = null, holder = null, until = null where lock = $1', [lock])
        .catch(() => {})
      await session.end()
    },
  }
}

/** A session of its own, beside the pool. */
export type Session = { client: pg.Client; isOver(): boolean; end(): Promise<void> }

/** faults: errors of the driver */
export async function openSession(address: DatabaseAddress): Promise<Session> {
  const client = new pg.Client(sessionOptions(address))
  let isOver = false
  const over = (): void => {
    isOver = true
  }
  client.on('error', over)
  client.on('end', over)
  const end = (): Promise<void> => client.end().catch(() => {})
  try {
    await client.connect()
  } catch (error) {
    await end()
    throw error
  }
  return { client, isOver: () => isOver, end }
}

/** It has the lock until it ends. Its own session of before may be there still, as PostgreSQL sees it: then the time alone counts. */
const lockIn = async ({ client }: Session, lock: number): Promise<void> => {
  await client.query('select pg_try_advisory_lock($1)', [lock])
}
