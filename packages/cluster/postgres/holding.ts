/**
 * The right to decide on a database: a lock on a separate session, which PostgreSQL releases when the process dies, and a lease
 * that is renewed, for a process that hangs or has lost its network. The same session gets notifications of appends.
 */

import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import pg from 'pg'
import type { Schedule } from '@/server/shared/later'
import { openListeners } from '@/server/shared/listeners'
import { DatabaseUnfitError, StoreLockedError, StoreTooNewError } from '@/server/store/errors'
import type { Lease, LeaseHolder, NodeSelf } from '@/server/store/interfaces'
import type { DatabaseAddress } from './address'
import { type Ask, LostError, type PostgresConnection } from './connection'
import type { DatabaseClock } from './databaseClock'
import { FORMS_TABLE } from './schema'
import { type Bound, serverOf, sessionOptions } from './sessions'

type Held = { won: boolean; holder?: LeaseHolder | null; seq?: number }
/** at: by the clock of the database, epoch ms. form: of the schema, which a newer version may have changed. server: which one answered */
type HeldRow = { held: Held; at: number; form: number; server: string }

export type Holding = Lease & {
  /** Identifies this process in the head row. */
  readonly lock: number
  /** After a reconnect: open the session again, and get the lease if it is required. faults: LostError; those of the driver */
  renew(ask: Ask): Promise<void>
  close(): Promise<void>
}

type HoldingParts = {
  address: DatabaseAddress
  /** The session for the lock. */
  first: Session
  connection: PostgresConnection
  /** The journal's id. */
  journal: string
  /** undefined: this process uses the database exclusively. Without an address it is the only node. */
  self: NodeSelf | undefined
  schedule: Schedule
  /** Called with the time of the database in each answer. */
  onTime: DatabaseClock['heard']
  /** The clock of this process, epoch ms. */
  now: () => number
  /** The newest form of the schema that this version knows. */
  newest: number
}

/** How long a process that does not answer keeps the lease, ms. An append renews it too. */
export const HOLD_MS = 3_000
/** How often it is renewed, and how often others check whether it is free, ms. */
const TICK_MS = 250
/** How long a start waits for a process that is ending, ms. */
const WAIT_MS = 1_000
const WAIT_STEP_MS = 100
const HOLD = 'hold($1, $2, $3)'
const SEEN = `(select jsonb_build_object('won', false, 'seq', seq,
  'holder', case when until > clock_timestamp() then holder end) from head)`
const WITH_TIME = `floor(extract(epoch from clock_timestamp()) * 1000)::bigint as at,
  (select max(version) from ${FORMS_TABLE}) as form, pg_postmaster_start_time()::text as server`

/** Throws StoreLockedError with the holder, DatabaseUnfitError: it does not match the other nodes, errors of the driver. */
export async function holdDatabase(parts: HoldingParts): Promise<Holding> {
  const { address, connection, self, schedule, now, newest } = parts
  const lock = randomBytes(6).readUIntBE(0, 6)
  const about = { pid: process.pid, since: now(), host: hostname() }
  const me = JSON.stringify({ ...(self ?? { node: null, address: null, mark: '' }), ...about })
  /** Others cannot forward commands to it: it works exclusively or not at all. */
  const mustHold = (self?.address ?? null) === null
  const hints = openListeners<[]>()
  let session = parts.first
  let isOurs = false
  let isClosed = false
  let stop = (): void => {}

  const enter = (next: Session): Promise<Entered> => {
    // Repeated while it waits; reported once.
    if (next.client.listenerCount('notification') === 0)
      next.client.on('notification', ({ payload = '' }) => {
        if (!isOurs && payload.startsWith(parts.journal)) hints.tell()
      })
    return lockIn(next, lock, address.schema, self)
  }
  const ensureSession = single(async () => {
    if (!session.isOver()) return
    session = await openSession(address, async (next) => {
      // PostgreSQL may still have the former session of this process: then only the lease counts.
      if ((await enter(next)) === 'used' && !mustHold)
        throw new LostError(`${address.shown} is in use by another process`)
    })
    if (isClosed) await session.end()
  })
  const looked = async (ask: Ask, sql: string, bound: Bound[] = []): Promise<Held> => {
    const sentAt = now()
    const [row] = await ask<HeldRow>(`select ${sql} as held, ${WITH_TIME}`, bound)
    if (row) parts.onTime(sentAt, row.at, now())
    if (row && row.form > newest) throw new LostError(new StoreTooNewError(row.form, newest).message)
    // The address leads to another server now: this session belongs there too.
    if (row && row.server !== session.server) {
      void session.end()
      connection.leaveServer()
      await ensureSession()
    }
    return row?.held ?? { won: false }
  }
  const hold = async (ask: Ask): Promise<Held> => {
    const held = await looked(ask, HOLD, [lock, HOLD_MS, me])
    isOurs = held.won
    return held
  }
  // No answer during the whole lease: the lease is lost.
  const askPool: Ask = (sql, bound) => connection.write('hold', sql, bound, 'again', HOLD_MS)

  async function renew(ask: Ask): Promise<void> {
    const held = await (mustHold ? hold(ask) : looked(ask, SEEN))
    await ensureSession()
    if (mustHold && !held.won)
      throw new LostError(`another process took ${address.shown}: this one did not answer for ${HOLD_MS / 1000} s`)
  }

  async function tick(): Promise<void> {
    await ensureSession()
    // While the database cannot be written, each probe renews.
    if (connection.state().is !== 'ok') return
    if (mustHold) await renew(askPool)
    // A follower asks here too: its queue may wait long for an answer.
    else if (!(isOurs ? await hold(askPool) : await looked(askPool, SEEN)).won) hints.tell()
  }

  function tickLater(): void {
    stop = schedule(() => {
      if (isClosed) return
      tick()
        .catch((error: unknown) => {
          if (error instanceof LostError) connection.lose(error.message)
          // The caller sees whether the database answers at all.
          else hints.tell()
        })
        .finally(tickLater)
    }, TICK_MS)
  }

  async function release(): Promise<void> {
    if (!isOurs) return
    isOurs = false
    // Without the database the lease cannot be released; it expires.
    await connection.write('release', 'select release($1)', [lock]).catch(() => {})
  }

  for (let waited = 0; ; waited += WAIT_STEP_MS) {
    const entered = await enter(session)
    const held = entered === 'in' && !self?.follows ? await hold(askPool) : await looked(askPool, SEEN)
    const isFree = self?.follows === true && !held.holder
    if (held.won || (entered === 'in' && (isFree || fits(self, held.holder)))) break
    if (waited >= WAIT_MS) {
      await session.end()
      throw refusal(address.shown, self, entered, held.holder)
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_STEP_MS))
  }
  tickLater()

  return {
    lock,
    async hold(wants = true) {
      const { won, holder = null, seq = 0 } = wants ? await hold(askPool) : await looked(askPool, SEEN)
      return won ? null : { holder, seq }
    },
    onChange: hints.on,
    release,
    renew,
    async close() {
      isClosed = true
      stop()
      await release()
      await session.end()
    },
  }
}

/** A session outside the pool. server: see serverOf() */
export type Session = { client: pg.Client; server: string; isOver(): boolean; end(): Promise<void> }

/** One run at a time, which all callers share. */
function single(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => {
    running ??= work().finally(() => {
      running = null
    })
    return running
  }
}

/**
 * in      enter: if it fails the session ends: without the locks, this process would look dead to the others
 * faults  StandbyError; errors of the driver
 */
export async function openSession(
  address: DatabaseAddress,
  enter: (session: Session) => Promise<void> = async () => {},
): Promise<Session> {
  const client = new pg.Client(sessionOptions(address))
  let isOver = false
  const over = (): void => {
    isOver = true
  }
  client.on('error', over)
  client.on('end', over)
  const end = (): Promise<void> => {
    over()
    return client.end().catch(() => {})
  }
  try {
    await client.connect()
    const session = { client, server: await serverOf(client), isOver: () => isOver, end }
    await enter(session)
    return session
  } catch (error) {
    await end()
    throw error
  }
}

/** in: both are locked. used: exclusively by a process, or by nodes while this one needs it exclusively. named: the name is taken */
type Entered = 'in' | 'used' | 'named'

/** The session has its locks until it ends. */
async function lockIn({ client }: Session, lock: number, schema: string, self: NodeSelf | undefined): Promise<Entered> {
  const tries = async (sql: string, bound: unknown[]): Promise<boolean> =>
    (await client.query<{ got: boolean }>(`select ${sql} as got`, bound)).rows[0]?.got ?? false
  await client.query('listen convene')
  await tries('pg_try_advisory_lock($1)', [lock])
  const share = self ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
  if (!(await tries(`${share}(hashtext($1))`, [`convene nodes ${schema}`]))) return 'used'
  if (!self) return 'in'
  const isOnly = await tries('pg_try_advisory_lock(hashtext($1))', [`convene node ${schema} ${self.node}`])
  return isOnly ? 'in' : 'named'
}

/** Can this node forward commands to that one? */
const fits = (self: NodeSelf | undefined, holder: LeaseHolder | null | undefined): boolean =>
  self?.address != null && holder?.address != null && holder.mark === self.mark

function refusal(
  shown: string,
  self: NodeSelf | undefined,
  entered: Entered,
  holder: LeaseHolder | null | undefined,
): Error {
  if (self && entered === 'named')
    return new DatabaseUnfitError(
      `another node on ${shown} is called ${self.node}: give each a name of its own by CONVENE_NODE`,
    )
  if (self?.address != null && holder?.address != null)
    return new DatabaseUnfitError(
      `node ${holder.node} on ${shown} has another CONVENE_SECRET_KEY: all nodes need the same`,
    )
  const hint = self && holder?.node ? '; for several nodes set CONVENE_SECRET_KEY, the same on each' : ''
  return new StoreLockedError(shown, holder ?? null, hint)
}
