/** Elapsed time of this machine, whatever its clock says. */
import { uptime } from 'node:os'
import { performance } from 'node:perf_hooks'

/** Elapsed ms. exactly: with a sleep of the machine that ended just now */
export type ElapsedMs = (exactly: boolean) => number

/** The uptime is read at most this often, ms, unless it is needed exactly: it costs a system call. */
const READ_MS = 10_000
/** Some systems report whole seconds. */
const LEAST_SLEEP_MS = 2_000

/**
 * The clock of a process stops while the machine sleeps; its uptime does not.
 *
 * in   steady: ms of this process; up: s since the machine started
 */
export function elapsedOf(steady = () => performance.now(), up = uptime): ElapsedMs {
  let [readAt, upAt, slept] = [steady(), up() * 1_000, 0]
  return (exactly) => {
    const now = steady()
    if (exactly || now - readAt >= READ_MS) {
      const upNow = up() * 1_000
      const asleep = upNow - upAt - (now - readAt)
      if (asleep >= LEAST_SLEEP_MS) slept += asleep
      if (asleep >= LEAST_SLEEP_MS || now - readAt >= READ_MS) [readAt, upAt] = [now, upNow]
    }
    return now + slept
  }
}
