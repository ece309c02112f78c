import { readFileSync } from 'node:fs'

/**
 * CPU time of a thread from now on, in ms. Where the system does not report it (not Linux), that of the whole process, an upper
 * bound.
 *
 * in      thread: its folder in /proc, or null
 */
export function threadClock(thread: string | null): () => number {
  const since = threadMs(thread)
  // An ended thread is noticed by its exit event.
  if (since !== null) return () => (threadMs(thread) ?? since) - since
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
}

function threadMs(thread: string | null): number | null {
  try {
    return Number.parseInt(readFileSync(`/proc/${thread}/schedstat`, 'utf8'), 10) / 1e6
  } catch {
    return null
  }
}
