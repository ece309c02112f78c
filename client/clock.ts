/** The clock of a page: everything that shows "8 s" or "12 m" ticks together. */
import { useSyncExternalStore } from 'react'
import { useFixtures } from './fixtures'

/** minutes: every 15 s, so that what shows "12 m" is not drawn each second. */
type TickRate = 'seconds' | 'minutes'
const STEP_MS: Record<TickRate, number> = { seconds: 1, minutes: 15_000 }
const TICK_MS = 1_000

type ClockParts = {
  now: () => number
  setTimer: (tick: () => void, ms: number) => unknown
  clearTimer: (timer: unknown) => void
}

/**
 * Make a clock that runs only while somebody listens.
 *
 * units   epoch ms
 */
export function createClock({ now, setTimer, clearTimer }: ClockParts) {
  const listeners = new Set<() => void>()
  let offsetMs = 0
  let shown = now()
  let timer: unknown = null

  const tick = (): void => {
    shown = now() + offsetMs
    for (const onTick of listeners) onTick()
  }

  return {
    /** Server time, as far as known. */
    now: () => now() + offsetMs,
    /** The time on screen: changes at ticks only, so one paint shows one time. */
    shown: (rate: TickRate) => shown - (shown % STEP_MS[rate]),
    subscribe: (onTick: () => void): (() => void) => {
      if (timer === null) {
        shown = now() + offsetMs
        timer = setTimer(tick, TICK_MS)
      }
      listeners.add(onTick)
      return () => {
        listeners.delete(onTick)
        if (listeners.size > 0 || timer === null) return
        clearTimer(timer)
        timer = null
      }
    },
    /** The clock follows the server's when they differ by more than a second. */
    syncServerTime: (serverNowMs: number): void => {
      const skew = serverNowMs - now()
      if (Math.abs(skew - offsetMs) <= 1_000) return
      offsetMs = skew
      tick()
    },
  }
}

export const pageClock = createClock({
  now: () => Date.now(),
  setTimer: (tick, ms) => setInterval(tick, ms),
  clearTimer: (timer) => clearInterval(timer as ReturnType<typeof setInterval>),
})
const neverTicks = (): (() => void) => () => {}
const inSeconds = (): number => pageClock.shown('seconds')
const inMinutes = (): number => pageClock.shown('minutes')

/** Server time in epoch ms, updated at this rate; null: never. */
export function useNow(rate: TickRate | null): number {
  const page = useFixtures()
  const shown = rate === 'minutes' ? inMinutes : inSeconds
  const now = useSyncExternalStore(page !== null || rate === null ? neverTicks : pageClock.subscribe, shown, shown)
  return page?.now ?? now
}

/** The time zone of this browser. */
export const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
