/** The one clock of a page: everything that shows "8 s" or "12 m" ticks together. */
import { useSyncExternalStore } from 'react'
import { useFixtures } from './fixtures'

export type Pace = 'seconds' | 'minutes'
const PACE_MS: Record<Pace, number> = { seconds: 1_000, minutes: 15_000 }

/** What a clock needs from the world; tests bring their own. */
export type ClockParts = {
  now: () => number
  setTimer: (tick: () => void, ms: number) => unknown
  clearTimer: (timer: unknown) => void
}

export type Clock = {
  /** Server time, as far as known: epoch ms. */
  now: () => number
  /** The time on screen: moves at ticks only, so one paint shows one time. */
  shown: () => number
  subscribe: (pace: Pace, onTick: () => void) => () => void
  /** The server said its time: correct for the difference from now on. */
  hearServer: (serverNowMs: number) => void
}

/**
 * Make a clock that runs only while somebody listens.
 *
 * units   epoch ms
 * out     shown() is frozen between ticks; hearServer() moves it at once when it differs by more than a second
 */
export function createClock(parts: ClockParts): Clock {
  const listeners: Record<Pace, Set<() => void>> = { seconds: new Set(), minutes: new Set() }
  let skewMs = 0
  let shown = parts.now()
  let timer: unknown = null
  let running: Pace | null = null

  const tick = (): void => {
    shown = parts.now() + skewMs
    for (const pace of ['seconds', 'minutes'] as const) for (const onTick of listeners[pace]) onTick()
  }
  const settle = (): void => {
    const wanted: Pace | null = listeners.seconds.size > 0 ? 'seconds' : listeners.minutes.size > 0 ? 'minutes' : null
    if (wanted === running) return
    if (timer !== null) parts.clearTimer(timer)
    timer = wanted === null ? null : parts.setTimer(tick, PACE_MS[wanted])
    const before = running
    running = wanted
    // Nobody kept the shown time going while the clock stood still; what shows seconds does not begin with a quarter of a minute ago.
    if (before === null) shown = parts.now() + skewMs
    else if (wanted === 'seconds') tick()
  }
  return {
    now: () => parts.now() + skewMs,
    shown: () => shown,
    subscribe: (pace, onTick) => {
      listeners[pace].add(onTick)
      settle()
      return () => {
        listeners[pace].delete(onTick)
        settle()
      }
    },
    hearServer: (serverNowMs) => {
      const skew = serverNowMs - parts.now()
      if (Math.abs(skew - skewMs) <= 1_000) return
      skewMs = skew
      tick()
    },
  }
}

/** The clock of this page. */
export const pageClock: Clock = createClock({
  now: () => Date.now(),
  setTimer: (tick, ms) => setInterval(tick, ms),
  clearTimer: (timer) => clearInterval(timer as ReturnType<typeof setInterval>),
})

const bySeconds = (onTick: () => void): (() => void) => pageClock.subscribe('seconds', onTick)
const byMinutes = (onTick: () => void): (() => void) => pageClock.subscribe('minutes', onTick)
const still = (): (() => void) => () => {}

/** Server time in epoch ms, renewed at the pace given; null stands still (nothing shown changes any more). */
export function useNow(pace: Pace | null): number {
  const page = useFixtures()
  const now = useSyncExternalStore(
    page !== null ? still : pace === 'seconds' ? bySeconds : pace === 'minutes' ? byMinutes : still,
    pageClock.shown,
    pageClock.shown,
  )
  return page?.now ?? now
}
