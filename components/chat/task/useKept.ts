import { useEffect, useState } from 'react'
import { pageClock } from '@/client/clock'
import { dropsIn, type Kept, keptAfter } from '../fns/kept'

/** How long something stays on screen that comes and goes. */
const QUIET_MS = 10_000

/** in: the ids that are present. out: they, and those that were lately */
export function useKept(present: readonly string[]): Kept {
  const [kept, setKept] = useState<Kept>(() => new Map())
  const next = keptAfter(kept, present, pageClock.now(), QUIET_MS)
  if (next !== kept) setKept(next)
  useEffect(() => {
    // Joins the page's timers: what is kept is looked at again when the first of it is due.
    const ms = dropsIn(next, pageClock.now(), QUIET_MS)
    if (ms === null) return
    const timer = setTimeout(() => setKept((before) => new Map(before)), ms)
    return () => clearTimeout(timer)
  }, [next])
  return next
}
