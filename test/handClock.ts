/**
 * A clock that tests move by hand, and timers that fire when it passes them.
 *
 * Time is epoch ms; nothing here sleeps.
 */

export type HandClock = {
  now: () => number
  schedule: (run: () => void, ms: number) => () => void
  /** Go on by that many ms, firing what falls due on the way, each at its own time. */
  pass: (ms: number) => void
  /** How many timers are set. */
  waiting: () => number
  /** How many timers have fired so far. */
  fired: () => number
}

export function handClock(start = 1_700_000_000_000): HandClock {
  let [at, fired] = [start, 0]
  const timers = new Set<{ at: number; run: () => void }>()
  return {
    now: () => at,
    schedule(run, ms) {
      const timer = { at: at + ms, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    pass(ms) {
      const end = at + ms
      for (;;) {
        const next = [...timers].sort((a, b) => a.at - b.at)[0]
        if (next === undefined || next.at > end) break
        timers.delete(next)
        at = Math.max(at, next.at)
        fired += 1
        next.run()
      }
      at = end
    },
    waiting: () => timers.size,
    fired: () => fired,
  }
}
