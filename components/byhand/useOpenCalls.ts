/** The model calls that wait for a person. They end with the process, so no view holds them: the list is polled. */
import { useCallback, useEffect, useState } from 'react'
import { type ApiResult, call } from '@/client/api'
import type { ByHandAnswer } from '@/lib/wire'

const EVERY_MS = 3_000

/** out: the last list, null before the first; reload: fetches it at once */
export function useOpenCalls(): { answer: ApiResult<ByHandAnswer> | null; reload: () => void } {
  const [answer, setAnswer] = useState<ApiResult<ByHandAnswer> | null>(null)
  const reload = useCallback(() => void call<ByHandAnswer>('GET', '/api/by_hand').then(setAnswer), [])
  useEffect(() => {
    // Joins the server: polls while the page is visible, and at once when it becomes visible.
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
