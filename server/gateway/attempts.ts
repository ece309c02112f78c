/**
 * How often somebody may try to sign in.
 *
 * Owns: counting tries per key in a window, and the pause after too many. In memory: a restart forgets, which only helps the honest.
 * Not here: what counts as a try (signIn.ts). Reads the clock that it is given, so tests advance it.
 */
import { Fault } from '@/lib/faults'
import { recentMap } from '../shared/recentMap'

export type AttemptRule = { tries: number; windowMs: number; pauseMs: number }
type Count = { tries: number; since: number; pausedUntil: number }

/** More keys than this are never kept: what was used longest ago goes first. */
const MOST_KEYS = 10_000

export class Attempts {
  readonly #counts = recentMap<string, Count>(MOST_KEYS)
  constructor(
    readonly rule: AttemptRule,
    readonly now: () => number,
  ) {}

  /**
   * Count one try, before it is made, so that tries side by side count too.
   *
   * faults  TOO_MANY with the seconds to wait
   */
  take(key: string): void {
    const now = this.now()
    const had = this.#counts.get(key)
    if (had && had.pausedUntil > now)
      throw new Fault('TOO_MANY', { seconds: Math.ceil((had.pausedUntil - now) / 1000) })
    const fresh = !had || had.pausedUntil > 0 || now - had.since >= this.rule.windowMs
    const count = fresh ? { tries: 0, since: now, pausedUntil: 0 } : had
    count.tries += 1
    // The last allowed try still goes through; the pause is for the one after it.
    if (count.tries >= this.rule.tries) count.pausedUntil = now + this.rule.pauseMs
    this.#counts.set(key, count)
  }

  /** The try was good: forget what was counted. */
  clear(key: string): void {
    this.#counts.delete(key)
  }
}
