/** The clock of a page: everything that shows "8 s" or "12 m" ticks together. */
import { useSyncExternalStore } from 'react'
import { useFixtures } from './fixtures'

type TickRate = 'seconds' | 'minutes'
const TICK_MS: Record<TickRate, number> = { seconds: 1_000, minutes: 15_000 }

type ClockParts = {
  now: () => number
  setTimer: (tick: () => void, ms: number) => unknown
  clearTimer: (timer: unknown) => void
}

type Clock = {
  /** Server time, as far as known: epoch ms. */
  now: () => number
  /** The time on screen: changes at ticks only, so one paint shows one time. */
  shown: () => number
  subscribe: (rate: TickRate, onTick: () => void) => () => void
  syncServerTime: (serverNowMs: number) => void
}

/**
 * Make a clock that runs only while somebody listens.
 *
 * units   epoch ms
 * out     shown() is frozen between ticks; hearServer() moves it at once when it differs by more than a second
 */
export function createClock(parts: ClockParts): Clock {
  const listeners: Record<TickRate, Set<() => void>> = { seconds: new Set(), minutes: new Set() }
  let offsetMs = 0
  let shown = parts.now()
  let timer: unknown = null
  let runningRate: TickRate | null = null

  const tick = (): void => {
    shown = parts.now() + offsetMs
    for (const rate of ['seconds', 'minutes'] as const) for (const onTick of listeners[rate]) onTick()
  }
  const restartTimer = (): void => {
    const wanted: TickRate | null =
      listeners.seconds.size > 0 ? 'seconds' : listeners.minutes.size > 0 ? 'minutes' : null
    if (wanted === runningRate) return
    if (timer !== null) parts.clearTimer(timer)
    timer = wanted === null ? null : parts.setTimer(tick, TICK_MS[wanted])
    const before = runningRate
    runningRate = wanted
    // `shown` is old after a stop, and up to 15 s old when seconds are needed next.
    if (before === null) shown = parts.now() + offsetMs
    else if (wanted === 'seconds') tick()
  }
  return {
    now: () => parts.now() + offsetMs,
    shown: () => shown,
    subscribe: (rate, onTick) => {
      listeners[rate].add(onTick)
      restartTimer()
      return () => {
        listeners[rate].delete(onTick)
        restartTimer()
      }
    },
    syncServerTime: (serverNowMs) => {
      const skew = serverNowMs - parts.now()
      if (Math.abs(skew - offsetMs) <= 1_000) return
      offsetMs = skew
      tick()
    },
  }
}

export const pageClock: Clock = createClock({
  now: () => Date.now(),
  setTimer: (tick, ms) => setInterval(tick, ms),
  clearTimer: (timer) => clearInterval(timer as ReturnType<typeof setInterval>),
})

const everySecond = (onTick: () => void): (() => void) => pageClock.subscribe('seconds', onTick)
const everyMinute = (onTick: () => void): (() => void) => pageClock.subscribe('minutes', onTick)
const neverTicks = (): (() => void) => () => {}

/** Server time in epoch ms, updated at this rate; null: never. */
export function useNow(rate: TickRate | null): number {
  const page = useFixtures()
  const now = useSyncExternalStore(
    page !== null ? neverTicks : rate === 'seconds' ? everySecond : rate === 'minutes' ? everyMinute : neverTicks,
    pageClock.shown,
    pageClock.shown,
  )
  return page?.now ?? now
}

/** The time zone of this browser. */
export const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
