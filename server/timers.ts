/** The timers of the running server. Its parts get them as parameters. */
import { setTimeout as sleepFor } from 'node:timers/promises'

export const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
  await sleepFor(ms, undefined, { signal })
}

/** out: stop it */
export function schedule(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
