/** Has the page had time for its first picture? What is not part of it waits until then, once per page. */
import { useEffect, useState } from 'react'

export const SETTLED_AFTER_MS = 1_000
let hasSettled = false

export function useIsSettled(): boolean {
  const [isSettled, setSettled] = useState(hasSettled)
  useEffect(() => {
    // Joins the clock.
    if (isSettled) return
    const timer = setTimeout(() => {
      hasSettled = true
      setSettled(true)
    }, SETTLED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isSettled])
  return isSettled
}
