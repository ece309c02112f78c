/**
 * When there is little to do. Then the world is kept, and what that allocates lets V8 collect: after 70 s of 800 entries a second a
 * process of 470 MiB had 172 a minute later. With flags of V8 for a smaller heap it was 516 and 170.
 */
import { performance } from 'node:perf_hooks'
import type { Schedule } from './shared/later'

const LOOK_MS = 5_000
/** Part of its time. Pages that only look on need less. */
const BUSY_FROM = 0.03

type QuietParts = {
  /** Part of its time that the event loop worked since the last call, 0 to 1. */
  worked: () => number
  /** There is little to do from now on. */
  onQuiet: () => void
  schedule: Schedule
}

/** out: stop it */
export function watchQuiet({ worked, onQuiet, schedule }: QuietParts): () => void {
  let isQuiet = false

  function look(): void {
    const isQuietNow = worked() < BUSY_FROM
    if (isQuietNow && !isQuiet) onQuiet()
    isQuiet = isQuietNow
    stop = schedule(look, LOOK_MS)
  }
  let stop = schedule(look, LOOK_MS)
  return () => stop()
}

/** Of the event loop of this process. */
export function loopWork(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}
