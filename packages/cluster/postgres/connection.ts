/** Statements on pooled sessions. After a failure nothing is written until writing works again. */

import { errorCode } from '@/server/shared/errors'
import type { Schedule } from '@/server/shared/later'
import { openListeners } from '@/server/shared/listeners'
import { StoreBrokenError, StoreClosedError } from '@/server/store/errors'
import type { StoreState } from '@/server/store/interfaces'
import type { DatabaseAddress } from './address'
import { type Bound, openSessionPool, type SessionLimits } from './sessions'

type Row = Record<string, unknown>

/** One statement. */
export type Ask = <Kind extends Row>(sql: string, bound?: readonly Bound[]) => Promise<Kind[]>

/** unanswered: it may have happened or not. */
type WhenLost = 'fails' | 'again' | { unanswered: (cause: unknown) => Error }

/** ms */
const PROBE_MS = 1_000
const ANSWER_MS = 30_000
const PROBE_ANSWER_MS = 5_000

/** in: prove: checks that writing works before the state becomes ok; a LostError ends the store */
export function openPool(
  address: DatabaseAddress,
  limits: SessionLimits,
  schedule: Schedule,
  prove: (ask: Ask) => Promise<void>,
) {
  const sessions = openSessionPool(address, limits)
  let state: StoreState = { is: 'ok' }
  let broken: StoreBrokenError | null = null
  let isClosed = false
  let stopProbe: (() => void) | null = null
  let probing: Promise<void> = Promise.resolve()
  const changes = openListeners<[StoreState]>()

  const askProbe: Ask = <Kind extends Row>(sql: string, bound: readonly Bound[] = []) =>
    sessions.ask<Kind>(PROBE_ANSWER_MS, sql, bound)

  function become(next: StoreState): void {
    if (isClosed || state.is === 'lost') return
    state = next
    changes.tell(next)
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
    // An idle session may be connected to a server that was replaced.
    sessions.renew()
    try {
      await prove(askProbe)
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
      return await sessions.ask<Kind>(answerMs, sql, bound)
    } catch (error) {
      if (!again || isClosed || !isLost(error) || isTimeout(error)) throw error
      return sessions.ask<Kind>(answerMs, sql, bound)
    }
  }

  return {
    state: (): StoreState => state,
    onState: changes.on,
    /** faults: StoreBrokenError, StoreClosedError; for callers about to work outside the database */
    ensureUsable,
    /** Writing will not work again in this process. */
    lose: (reason: string): void => become({ is: 'lost', reason }),
    /** The address now leads to another server: answers of earlier sessions are ignored, and new sessions are opened. */
    leaveServer: sessions.leave,
    /** Rows of a read-only statement; repeated once if the session was lost. faults: StoreBrokenError, StoreClosedError */
    async read<Kind extends Row>(doing: string, sql: string, bound: readonly Bound[] = []): Promise<Kind[]> {
      ensureOpen()
      try {
        return await once(sql, bound, true)
      } catch (error) {
        throw isMistake(error) ? new TypeError(error.message) : broke(doing, error)
      }
    },
    /**
     * Rows of one writing statement, durable when this resolves; after a failure nothing is written any more.
     *
     * in      lost: the meaning of a lost answer. fails: a failure. again: the statement may be repeated. unanswered: its error.
     *         answerMs: the answer counts as lost after this time
     * faults  StoreBrokenError, StoreClosedError
     */
    async write<Kind extends Row>(
      doing: string,
      sql: string,
      bound: readonly Bound[] = [],
      lost: WhenLost = 'fails',
      answerMs: number = ANSWER_MS,
    ): Promise<Kind[]> {
      ensureUsable()
      try {
        return await once(sql, bound, lost === 'again', answerMs)
      } catch (error) {
        if (isMistake(error)) throw new TypeError(error.message)
        if (typeof lost === 'object' && isLost(error)) throw lost.unanswered(error)
        throw broke(doing, error)
      }
    },
    async close(): Promise<void> {
      if (isClosed) return
      isClosed = true
      stopProbe?.()
      await probing
      await sessions.end()
    },
  }
}

export type PostgresConnection = ReturnType<typeof openPool>

/** A retry would not help. */
export class LostError extends Error {}

/** A value that PostgreSQL refuses: the caller's mistake, and nothing was done. */
const isMistake = (error: unknown): error is Error => error instanceof Error && /^22.{3}$/.test(errorCode(error))

/** No answer came: the statement may have been done. */
function isLost(error: unknown): boolean {
  const code = errorCode(error)
  if (/^(?:08.{3}|57P0.)$/.test(code) || /^E[A-Z]+$/.test(code)) return true
  return code === '' && error instanceof Error && !(error instanceof TypeError)
}

/** The driver reached its time limit: a repeat would too. */
const isTimeout = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'

/** The driver's own errors about a session have no code. */
function withCode(cause: unknown): unknown {
  return errorCode(cause) === '' && isLost(cause) && cause instanceof Error
    ? Object.assign(new Error(cause.message, { cause }), { code: 'ECONNRESET' })
    : cause
}
