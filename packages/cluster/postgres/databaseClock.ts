/** The time of the database, which all nodes use, since their own clocks may differ. */

/** in: own: the clock of this process, used until the first answer of the database */
export function databaseClock(own: () => number) {
  let aheadMs = 0
  return {
    /** epoch ms */
    now: (): number => own() + aheadMs,
    /** in: at: the time of the database, requested at sentAt and received at gotAt by the own clock; epoch ms */
    heard(sentAt: number, at: number, gotAt: number): void {
      // The answer was made between the two: a value within these bounds is kept, so that slow answers do not change the time.
      if (sentAt <= gotAt) aheadMs = Math.min(at - sentAt, Math.max(at - gotAt, aheadMs))
    },
  }
}

export type DatabaseClock = ReturnType<typeof databaseClock>
