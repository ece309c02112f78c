import type { ModelError } from './model'

/** Repeats of one call after transient faults. */
export const REPEATS = 3
const FIRST_WAIT_MS = 1_000
const GROWTH = 4
/** A longer Retry-After is not waited for: the call fails at once. */
const LONGEST_WAIT_MS = 60_000
/** Jitter on top of Retry-After, so that clients refused together do not return together. */
const MOST_SPREAD_MS = 1_000

/**
 * The delay before the next repeat; null: the call is not repeated.
 *
 * in      the fault; how many repeats there were; random() in [0, 1)
 * units   ms. Without Retry-After: 1, 4, 16 s, each shortened by up to half. With it: its value and up to a tenth (1 s at
 *         most) more
 */
export function waitBeforeRepeat(fault: ModelError, repeat: number, random: () => number): number | null {
  if (!fault.again || repeat >= REPEATS) return null
  const asked = fault.retryAfterMs
  if (asked === null) return FIRST_WAIT_MS * GROWTH ** repeat * (1 - random() / 2)
  return asked > LONGEST_WAIT_MS ? null : asked + random() * Math.min(MOST_SPREAD_MS, asked / 10)
}
