/**
 * The one clock of a server. Its time never goes back: after a clock that was ahead it continues from the last entry by elapsed time.
 *
 *   right    the time is that of the machine (with PostgreSQL: of the database)
 *   ahead    the journal has entries of a clock that was ahead; the time continues from there
 *   jumped   the clock jumped forward by more than JUMP_MS and is not believed; the time continues by elapsed time
 */
import type { ElapsedMs } from '../../shared/elapsed'
import { openListeners } from '../../shared/listeners'
import type { Clock, ClockState } from '../interfaces'

/** From here on a difference is reported. */
export const REPORTED_MS = 5_000
/** A clock that jumps forward by more is not believed. A sleep of the machine is elapsed time and no jump. */
export const JUMP_MS = 30 * 60_000

export type JournalClock = Clock & {
  /** The journal has an entry of that time, epoch ms. */
  heard(at: number): void
}

type ClockParts = {
  /** The clock of the machine or of the database, epoch ms. */
  wall: () => number
  /** See elapsedOf. null: unknown; the time is the larger one of `wall` and of the last entry, and no jump is noticed. */
  elapsed: ElapsedMs | null
  /** What the time must be, as far as known; epoch ms. Default: `wall` is believed. */
  expected?: number | undefined
}

export function journalClock({ wall, elapsed, expected }: ClockParts): JournalClock {
  const changes = openListeners<[ClockState]>()
  let time = expected ?? wall()
  let readAt = elapsed?.(true) ?? 0
  let state: ClockState = { is: 'right', offsetMs: 0 }

  function pass(exactly: boolean): void {
    if (elapsed === null) return
    const at = elapsed(exactly)
    time += Math.max(0, at - readAt)
    readAt = at
  }

  /** out: the time, as a whole number */
  function read(): number {
    pass(false)
    const own = wall()
    if (own - time > JUMP_MS) pass(true)
    if (own > time && (own - time <= JUMP_MS || elapsed === null)) time = own
    const offsetMs = Math.round(time - own)
    const is = offsetMs > REPORTED_MS ? 'ahead' : offsetMs < -REPORTED_MS ? 'jumped' : 'right'
    const isNew = is !== state.is
    state = { is, offsetMs }
    if (isNew) changes.tell(state)
    return Math.trunc(time)
  }

  const aheadMs = (): number => (state.is === 'ahead' ? state.offsetMs : 0)
  return {
    now: read,
    state() {
      read()
      return state
    },
    onState: changes.on,
    heard(at) {
      time = Math.max(time, at)
    },
    outside: () => read() - aheadMs(),
    fromOutside(at) {
      const now = read()
      const ahead = aheadMs()
      // A page follows this clock, other clients their own: the nearer one counts.
      return Math.abs(at - now) <= Math.abs(at - (now - ahead)) ? at : at + ahead
    },
  }
}
