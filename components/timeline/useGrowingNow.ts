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

/**
 * Server time in epoch ms. With frames of the browser, which a hidden page has none of, while something grows; once a second for
 * a reader who wants no motion; else now and then.
 *
 * in      stepMs: a smaller change is not seen
 */
export function useGrowingNow(isGrowing: boolean, stepMs: number): number {
  const isFixed = useFixtures() !== null
  const isStill = useIsStill()
  const isMoving = isGrowing && !isStill && !isFixed
  const coarse = useNow(isGrowing && isStill ? 'seconds' : 'minutes')
  const [frame, setFrame] = useState(0)
  // Joins the frames of the browser.
  useEffect(() => {
    if (!isMoving) return
    const draw = (): void => {
      const now = pageClock.now()
      setFrame((before) => (now - before >= stepMs ? now : before))
      request = requestAnimationFrame(draw)
    }
    let request = requestAnimationFrame(draw)
    return () => cancelAnimationFrame(request)
  }, [isMoving, stepMs])
  return Math.max(coarse, frame)
}
