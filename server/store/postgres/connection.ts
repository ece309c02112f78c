/** Statements on pooled sessions. After a failure nothing is written until writing works again. */
import pg from 'pg'
import { StoreBrokenError, StoreClosedError } from '../errors'
import type { StoreOptions, StoreState } from '../interfaces'
import type { DatabaseAddress } from './address'

export type Bound = string | number | boolean | null | Uint8Array | readonly string[] | readonly number[]
type Row = Record<string, unknown>

export type PostgresConnection = {
  /** Rows of a read-only statement; repeated once if the session was lost. faults: StoreBrokenError, StoreClosedError */
  read<Kind extends Row>(doing: string, sql: string, bound?: readonly Bound[]): Promise<Kind[]>
  /**
   * Rows of one writing statement, durable when this resolves; after a failure nothing is written any more.
   *
   * in      lost: the meaning of a lost answer. fails: a failure. again: the statement may be repeated. unanswered: its error.
   *         answerMs: the answer counts as lost after this time
   * faults  StoreBrokenError, StoreClosedError
   */
  write<Kind extends Row>(
    doing: string,
    sql: string,
    bound?: readonly Bound[],
    lost?: WhenLost,
    answerMs?: number,
  ): Promise<Kind[]>
  /** faults: StoreBrokenError, StoreClosedError; for callers about to work outside the database */
  ensureUsable(): void
  state(): StoreState
  onState(listener: (state: StoreState) => void): () => void
  /** Writing will not work again in this process. */
  lose(reason: string): void
  close(): Promise<void>
}

/** One statement. */
export type Ask = <Kind extends Row>(sql: string, bound?: readonly Bound[]) => Promise<Kind[]>

/** unanswered: it may have happened or not. */
type WhenLost = 'fails' | 'again' | { unanswered: (cause: unknown) => Error }

/** ms */
const PROBE_MS = 1_000
const CONNECT_MS = 5_000
const ANSWER_MS = 30_000
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

/** in: prove: checks that writing works before the state becomes ok; a LostError ends the store */
export function openPool(
  address: DatabaseAddress,
  most: number,
  schedule: NonNullable<StoreOptions['schedule']>,
  prove: (ask: Ask) => Promise<void>,
): PostgresConnection {
  const pool = new pg.Pool({
    ...sessionOptions(address),
    max: most,
    idleTimeoutMillis: IDLE_MS,
    // An idle session does not keep the process alive.
    allowExitOnIdle: true,
  })
  // If an idle session is closed, the next statement uses another one.
  pool.on('error', () => {})
  let state: StoreState = { is: 'ok' }
  let broken: StoreBrokenError | null = null
  let isClosed = false
  let stopProbe: (() => void) | null = null
  let probing: Promise<void> = Promise.resolve()
  const listeners = new Set<(state: StoreState) => void>()

  const askWithin = async <Kind extends Row>(answerMs: number, sql: string, bound: readonly Bound[]) => {
    const asked = { text: sql, values: bound.map(kept), query_timeout: answerMs }
    return (await pool.query<Kind>(asked)).rows
  }
  const ask: Ask = <Kind extends Row>(sql: string, bound: readonly Bound[] = []) =>
    askWithin<Kind>(ANSWER_MS, sql, bound)

  function become(next: StoreState): void {
    if (isClosed || state.is === 'lost') return
    state = next
    for (const listener of listeners) listener(next)
  }

  function broke(doing: string, cause: unknown): StoreBrokenError {
    const error = new StoreBrokenError(doing, withCode(cause))
    if (isClosed || state.is !== 'ok') return error
    broken = error
    become({ is: error.mayPass ? 'refusing' : 'lost', reason: error.message })
    if (error.mayPass) probeIn(0)
    return error
  }

  function probeIn(ms: number): void {
    if (isClosed) return
    stopProbe = schedule(() => {
      probing = probe()
    }, ms)
  }

  async function probe(): Promise<void> {
    try {
      await prove(ask)
      broken = null
      become({ is: 'ok' })
    } catch (error) {
      if (error instanceof LostError) become({ is: 'lost', reason: error.message })
      else probeIn(PROBE_MS)
    }
  }

  const ensureOpen = (): void => {
    if (isClosed) throw new StoreClosedError()
  }
  const ensureUsable = (): void => {
    ensureOpen()
    if (state.is !== 'ok') throw broken ?? new StoreBrokenError('write', new Error(state.reason))
  }
  const once = async <Kind extends Row>(
    sql: string,
    bound: readonly Bound[],
    again: boolean,
    answerMs = ANSWER_MS,
  ): Promise<Kind[]> => {
    try {
      return await askWithin<Kind>(answerMs, sql, bound)
    } catch (error) {
      if (!again || isClosed || !isLost(error) || isTimeout(error)) throw error
      return askWithin<Kind>(answerMs, sql, bound)
    }
  }

  return {
    state: () => state,
    onState(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ensureUsable,
    lose: (reason) => become({ is: 'lost', reason }),
    async read(doing, sql, bound = []) {
      ensureOpen()
      try {
        return await once(sql, bound, true)
      } catch (error) {
        throw isMistake(error) ? new TypeError(error.message) : broke(doing, error)
      }
    },
    async write(doing, sql, bound = [], lost = 'fails', answerMs = ANSWER_MS) {
      ensureUsable()
      try {
        return await once(sql, bound, lost === 'again', answerMs)
      } catch (error) {
        if (isMistake(error)) throw new TypeError(error.message)
        if (typeof lost === 'object' && isLost(error)) throw lost.unanswered(error)
        throw broke(doing, error)
      }
    },
    async close() {
      if (isClosed) return
      isClosed = true
      stopProbe?.()
      await probing
      await pool.end()
    },
  }
}

/** A retry would not help. */
export class LostError extends Error {}

/** PostgreSQL accepts no NUL in texts. Written texts have none (`requireText`); a query with one finds nothing. */
const kept = (value: Bound): unknown => {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd')
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** A value that PostgreSQL refuses: the caller's mistake, and nothing was done. */
const isMistake = (error: unknown): error is Error => error instanceof Error && /^22.{3}$/.test(codeOf(error))

/** No answer came: the statement may have been done. */
function isLost(error: unknown): boolean {
  const code = codeOf(error)
  if (/^(?:08.{3}|57P0.)$/.test(code) || /^E[A-Z]+$/.test(code)) return true
  return code === '' && error instanceof Error && !(error instanceof TypeError)
}

/** The driver reached its time limit: a repeat would too. */
const isTimeout = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'

/** The driver's own errors about a session have no code. */
function withCode(cause: unknown): unknown {
  return codeOf(cause) === '' && isLost(cause) && cause instanceof Error
    ? Object.assign(new Error(cause.message, { cause }), { code: 'ECONNRESET' })
    : cause
}
