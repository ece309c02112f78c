/** The time at the right edge of what goes on. */
import { useEffect, useState } from 'react'
import { pageClock, useNow } from '@/client/clock'
import { useFixtures } from '@/client/fixtures'
import { useDisplay } from '@/client/theme'
import { useMedia } from '@/components/ui/useIsNarrow'

/** The reader asked for no motion, in the system or here. */
function useIsStill(): boolean {
  const isStillSystem = useMedia('(prefers-reduced-motion: reduce)')
  return useDisplay(({ motion }) => motion === 'reduced') || isStillSystem
}

/** ms. A timer and no frames of the browser: as long as a page asks for frames, each change on it waits for the next one. */
const LEAST_STEP_MS = 100

/**
 * Server time in epoch ms: about ten times a second while something grows, once a second for a reader who wants no motion; else now
 * and then. On a hidden page it does not change.
 *
 * in      stepMs: a smaller change is not seen
 */
export function useGrowingNow(isGrowing: boolean, stepMs: number): number {
  const isFixed = useFixtures() !== null
  const isStill = useIsStill()
  const isMoving = isGrowing && !isStill && !isFixed
  const coarse = useNow(isGrowing && isStill ? 'seconds' : 'minutes')
  const [moved, setMoved] = useState(0)
  const everyMs = Math.max(LEAST_STEP_MS, stepMs)
  // Joins the clock.
  useEffect(() => {
    if (!isMoving) return
    const move = (): void => {
      if (document.visibilityState === 'visible') setMoved(pageClock.now())
    }
    move()
    const timer = setInterval(move, everyMs)
    return () => clearInterval(timer)
  }, [isMoving, everyMs])
  return Math.max(coarse, moved)
}
