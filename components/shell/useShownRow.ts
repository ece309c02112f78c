/**
 * The screen that is drawn: that of the address, a moment after a change.
 *
 * A press gets its answer first (the rail marks the new place); the new screen is drawn in a task of its own. In the same task
 * it would delay the answer by a fifth of a second on a phone.
 */
import { useEffect, useState } from 'react'

/** For a page that is hidden, or too busy to paint. */
const AT_LATEST_MS = 100

/** row: of the address. out: the one to draw */
export function useShownRow<Row extends object | null>(row: Row): Row {
  const [shown, setShown] = useState(row)
  useEffect(() => {
    // Joins the paint: a timer set in an animation frame fires after it.
    if (shown === row) return
    const show = (): void => setShown(row)
    const timers = [setTimeout(show, AT_LATEST_MS)]
    const frame = requestAnimationFrame(() => timers.push(setTimeout(show, 0)))
    return () => {
      cancelAnimationFrame(frame)
      for (const timer of timers) clearTimeout(timer)
    }
  }, [row, shown])
  return shown
}
