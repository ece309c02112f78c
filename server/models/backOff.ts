import type { ModelError } from './model'

/** How often a call is repeated after a fault that may pass. */
export const REPEATS = 3
const FIRST_WAIT_MS = 1_000
const GROWTH = 4
/** A server that asks for more than this is not waited for: the step says so instead. */
const LONGEST_WAIT_MS = 60_000
/** Above what the server asked for, so that many who were sent away together do not come back together. */
const MOST_SPREAD_MS = 1_000

/**
 * The wait before repeat number `repeat` + 1, or null when none may help.
 *
 * in      the fault; how many repeats there were; random() in [0, 1)
 * units   ms. Without a word from the server: 1, 4, 16 s, each shortened by up to half; with one: what it asked for, and up to
 *         a tenth (1 s at most) more
 */
export function waitBeforeRepeat(fault: ModelError, repeat: number, random: () => number): number | null {
  if (!fault.again || repeat >= REPEATS) return null
  const asked = fault.retryAfterMs
  if (asked === null) return FIRST_WAIT_MS * GROWTH ** repeat * (1 - random() / 2)
  return asked > LONGEST_WAIT_MS ? null : asked + random() * Math.min(MOST_SPREAD_MS, asked / 10)
}

/** Retry-After: seconds, or a date. null when it says neither. */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  const text = header?.trim()
  if (!text) return null
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
