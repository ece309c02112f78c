/** The timers of the running server. Its parts get them as parameters. */
import { setTimeout as sleepFor } from 'node:timers/promises'
import type { Schedule } from './shared/later'

export const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
  await sleepFor(ms, undefined, { signal })
}

export const schedule: Schedule = (run, ms) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
