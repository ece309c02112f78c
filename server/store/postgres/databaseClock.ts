/** The time as the database has it, so that nodes whose own clocks differ have one time. */

export type DatabaseClock = {
  /** epoch ms */
  now(): number
  /** in: at: what the database said, asked at sentAt and heard at gotAt by the own clock; epoch ms */
  heard(sentAt: number, at: number, gotAt: number): void
}

/** in: own: the clock of this process. Until the database was heard, its time is that one's */
export function databaseClock(own: () => number): DatabaseClock {
  let aheadMs = 0
  return {
    now: () => own() + aheadMs,
    heard(sentAt, at, gotAt) {
      // It was said somewhere between the two: what fits is kept, so that no answer that was long on its way moves the time.
      if (sentAt <= gotAt) aheadMs = Math.min(at - sentAt, Math.max(at - gotAt, aheadMs))
    },
  }
}
