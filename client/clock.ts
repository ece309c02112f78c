/** The clock of a page: everything that shows "8 s" or "12 m" ticks together. */
import { useContext, useSyncExternalStore } from 'react'
import { isTimeZone } from '@/lib/format/timeZones'
import { useFixtures } from './fixtures'
import { MomentTimeContext } from './momentTime'

/** minutes: every 15 s, so that what shows "12 m" is not drawn each second. */
type TickRate = 'seconds' | 'minutes'
const STEP_MS: Record<TickRate, number> = { seconds: 1, minutes: 15_000 }
const TICK_MS = 1_000

/**
 * Make a clock that runs only while somebody listens.
 *
 * units   epoch ms
 */
export function createClock() {
  const listeners = new Set<() => void>()
  let offsetMs = 0
  let timer: ReturnType<typeof setInterval> | undefined
  const now = (): number => Date.now() + offsetMs
  let shown = now()

  const tick = (): void => {
    shown = now()
    for (const onTick of listeners) onTick()
  }

  return {
    /** Server time, as far as known. */
    now,
    /** The time on screen: changes at ticks only, so one paint shows one time. */
    shown: (rate: TickRate) => shown - (shown % STEP_MS[rate]),
    subscribe: (onTick: () => void): (() => void) => {
      if (listeners.size === 0) {
        shown = now()
        timer = setInterval(tick, TICK_MS)
      }
      listeners.add(onTick)
      return () => {
        listeners.delete(onTick)
        if (listeners.size === 0) clearInterval(timer)
      }
    },
    /** The clock follows the server's when they differ by more than a second. */
    syncServerTime: (serverNowMs: number): void => {
      const skew = serverNowMs - Date.now()
      if (Math.abs(skew - offsetMs) <= 1_000) return
      offsetMs = skew
      tick()
    },
  }
}

export const pageClock = createClock()
const neverTicks = (): (() => void) => () => {}
const inSeconds = (): number => pageClock.shown('seconds')
const inMinutes = (): number => pageClock.shown('minutes')

/** Server time in epoch ms, updated at this rate; null: never. At a moment: its time. */
export function useNow(rate: TickRate | null): number {
  const page = useFixtures()
  const then = useContext(MomentTimeContext)
  const shown = rate === 'minutes' ? inMinutes : inSeconds
  const now = useSyncExternalStore(
    page !== null || then !== null || rate === null ? neverTicks : pageClock.subscribe,
    shown,
    shown,
  )
  return page?.now ?? then ?? now
}

/** The time zone of this browser; UTC where it has none with a name. */
export function zoneHere(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return timeZone && isTimeZone(timeZone) ? timeZone : 'UTC'
}
