import { useEffect, useEffectEvent } from 'react'
import { useDnd } from '@/client/notify/useDnd'
import { getPageClient } from '@/client/pageClient'
import { wasActiveWithin } from './activity'

const CHECK_EVERY_MS = 10_000
const AWAY_AFTER_MS = 5 * 60_000

export function useSendPresence(isSignedIn: boolean): void {
  const { isResting, until } = useDnd()
  const send = useEffectEvent(() =>
    getPageClient().live.sendPresence(wasActiveWithin(AWAY_AFTER_MS), isResting ? { until } : null),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of do-not-disturb is sent at once.
  useEffect(() => {
    // Joins timer and window: activity changes without a render.
    if (!isSignedIn) return
    send()
    const timer = setInterval(send, CHECK_EVERY_MS)
    document.addEventListener('visibilitychange', send)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', send)
    }
  }, [isSignedIn, isResting, until])
}
