/** Saying that somebody is at this page, and whether they want to be disturbed. */

import { useEffect, useRef } from 'react'
import { wasActiveWithin } from './activity'
import { useDnd } from './notify/useDnd'
import { getPageClient } from './pageClient'

const LOOK_EVERY_MS = 10_000
/** Who has not moved for so long, or looks at another window, is away. */
const AWAY_AFTER_MS = 5 * 60_000

export function useSayPresence(isSignedIn: boolean): void {
  const { isResting, until } = useDnd()
  const look = (): void =>
    getPageClient().live.sayPresence(wasActiveWithin(AWAY_AFTER_MS), isResting ? { until } : null)
  const latest = useRef(look)
  latest.current = look
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever begins or ends a rest is told of at once.
  useEffect(() => {
    // Joins the clock and the window: being there changes without a render.
    if (!isSignedIn) return
    const say = (): void => latest.current()
    say()
    const timer = setInterval(say, LOOK_EVERY_MS)
    document.addEventListener('visibilitychange', say)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', say)
    }
  }, [isSignedIn, isResting, until])
}
