/**
 * The calls that wait for a person, as the server lists them.
 *
 * Calls are no part of the world: they are gone with the process, so no view carries them.
 */
import { useCallback, useEffect, useState } from 'react'
import { type ApiResult, call } from '@/client/api'
import type { ByHandAnswer } from '@/lib/wire'

const EVERY_MS = 3_000

/** The last list, null before the first; and asking again at once. */
export function useOpenCalls(): { answer: ApiResult<ByHandAnswer> | null; reload: () => void } {
  const [answer, setAnswer] = useState<ApiResult<ByHandAnswer> | null>(null)
  const reload = useCallback(() => void call<ByHandAnswer>('GET', '/api/by_hand').then(setAnswer), [])
  useEffect(() => {
    // Joins the server: the list is asked for while the page is in view, and at once when it comes back.
    const look = (): void => {
      if (document.visibilityState === 'visible') reload()
    }
    look()
    const timer = setInterval(look, EVERY_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [reload])
  return { answer, reload }
}
