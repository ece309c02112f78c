/** Pooled sessions at the server to which the address leads. */
import pg from 'pg'
import type { DatabaseAddress } from './address'

export type Bound = string | number | boolean | null | Uint8Array | readonly string[] | readonly number[]
type Row = Record<string, unknown>

/** most: maximum number of sessions. lifeS: a session is replaced after this time, s */
export type SessionLimits = { most: number; lifeS: number }

/** ms */
const CONNECT_MS = 5_000
const IDLE_MS = 30_000
const ALIVE_MS = 10_000

/** int8: stored numbers are below 2^53. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
}

export const sessionOptions = ({ url }: DatabaseAddress) =>
  ({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: ALIVE_MS,
    types,
  }) satisfies pg.ClientConfig

/** A standby may not have everything yet that the primary acknowledged. */
class StandbyError extends Error {
  readonly code = '25006'
  constructor() {
    super('it is a standby, which cannot be written: give the address of the primary')
  }
}

/** out: identifies the running server of a session. faults: StandbyError; those of the driver */
export async function serverOf(client: Pick<pg.ClientBase, 'query'>): Promise<string> {
  const asked = {
    text: 'select pg_is_in_recovery() as follows, pg_postmaster_start_time()::text as server',
    query_timeout: CONNECT_MS,
  }
  const { rows } = await client.query<{ follows: boolean; server: string }>(asked)
  if (rows[0]?.follows !== false) throw new StandbyError()
  return rows[0].server
}

/** waiting: rejects the statements that have no answer yet */
type Opened = { pool: pg.Pool; waiting: Set<(error: Error) => void> }

export function openSessionPool(address: DatabaseAddress, limits: SessionLimits) {
  let opened = openOnce(address, limits)
  const older = new Set<Opened>()

  function renew(): void {
    const before = opened
    opened = openOnce(address, limits)
    older.add(before)
    before.pool.end().finally(() => older.delete(before))
  }

  return {
    /** faults: those of the driver; after answerMs without an answer too */
    ask<Kind extends Row>(answerMs: number, sql: string, bound: readonly Bound[]) {
      const { pool, waiting } = opened
      const asked = { text: sql, values: bound.map(kept), query_timeout: answerMs }
      return new Promise<Kind[]>((resolve, reject) => {
        waiting.add(reject)
        pool
          .query<Kind>(asked)
          .then(({ rows }) => resolve(rows), reject)
          .finally(() => waiting.delete(reject))
      })
    },
    /** Later statements use new sessions. */
    renew,
    /** Also rejects the statements of earlier sessions that have no answer yet. */
    leave(): void {
      renew()
      const error = Object.assign(new Error('the server was replaced by another'), { code: 'ECONNRESET' })
      for (const { waiting } of older) for (const reject of waiting) reject(error)
    },
    end: (): Promise<void> => opened.pool.end(),
  }
}

function openOnce(address: DatabaseAddress, { most, lifeS }: SessionLimits): Opened {
  const pool = new pg.Pool({
    ...sessionOptions(address),
    max: most,
    idleTimeoutMillis: IDLE_MS,
    maxLifetimeSeconds: lifeS,
    // An idle session does not keep the process alive.
    allowExitOnIdle: true,
    onConnect: serverOf,
  })
  // If an idle session is closed, the next statement uses another one.
  pool.on('error', () => {})
  return { pool, waiting: new Set() }
}

/** PostgreSQL accepts no NUL in texts. Written texts have none (`requireText`); a query with one finds nothing. */
const kept = (value: Bound): unknown => {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd')
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value
}
