/**
 * The size of the heap: little more than what is in use, and after a busy time soon that again.
 *
 * V8 frees nothing while nothing is allocated, unless its memory reducer runs: that collects in small steps, up to three times,
 * and gives free pages back to the system. It waits for a low rate of allocation, which Node 20 and 24 never report: no allocation
 * outside JavaScript counts as a high rate. When V8 optimizes for size, it does not wait. Under load that setting would move objects at
 * each collection, so it holds only while there is little to do. With 90 MiB in use the loop stood still for 55 ms of its thread's
 * time at most (24 November 2026).
 */
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import type { Schedule } from './shared/later'

/**
 * How much a large heap may grow over what is in use before it is collected. By default V8 lets it double and more: after five
 * minutes of 50 browsers and 200 agents the process has 1,110 to 1,274 MiB instead of 599 (test/faults/README.md).
 */
const GROWTH_PERCENT = 30
/** Bytes. A small heap grows by V8's own rule (0): collecting it more often took an eighth of the CPU of a small team's server. */
const LARGE_FROM = 256 * 1_048_576
const LOOK_MS = 5_000
/** Part of its time. Pages that only look on need less. */
const BUSY_FROM = 0.03

type HeapSizeParts = {
  /** Part of its time that the event loop worked since the last call, 0 to 1. */
  worked: () => number
  /** Bytes of the heap that are in use, garbage included. */
  used: () => number
  /** Set a flag of V8 now. */
  setFlag: (flag: string) => void
  /** There is little to do from now on, and V8 is about to collect. */
  onQuiet: () => void
  schedule: Schedule
}

/** out: stop it */
export function keepHeapSmall({ worked, used, setFlag, onQuiet, schedule }: HeapSizeParts): () => void {
  let [isQuiet, isLarge] = [false, false]

  function look(): void {
    const isLargeNow = used() >= LARGE_FROM
    if (isLargeNow !== isLarge) setFlag(`--heap-growing-percent=${isLargeNow ? GROWTH_PERCENT : 0}`)
    isLarge = isLargeNow
    const isQuietNow = worked() < BUSY_FROM
    if (isQuietNow !== isQuiet) setFlag(isQuietNow ? '--optimize-for-size' : '--no-optimize-for-size')
    if (isQuietNow && !isQuiet) onQuiet()
    isQuiet = isQuietNow
    stop = schedule(look, LOOK_MS)
  }
  let stop = schedule(look, LOOK_MS)
  return () => stop()
}

/** The loop and the flags of this process. */
export const ownHeap = (): Pick<HeapSizeParts, 'worked' | 'used' | 'setFlag'> => {
  let last = performance.eventLoopUtilization()
  return {
    worked() {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, last)
      last = now
      return utilization
    },
    used: () => process.memoryUsage().heapUsed,
    setFlag: setFlagsFromString,
  }
}
