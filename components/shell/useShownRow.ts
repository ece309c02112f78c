/**
 * Which screen is drawn: the one of the address, a moment after the reader went to another.
 *
 * A press is answered first (the rail shows where it leads), then the new screen is drawn in a task of its own; drawn
 * with the answer, it would hold it up, and on a phone for a fifth of a second.
 */
import { useEffect, useState } from 'react'

/** A page that is hidden, or too busy to paint, goes on all the same. */
const AT_LATEST_MS = 100

/** row: of the address. out: the one to draw */
export function useShownRow<Row extends object | undefined>(row: Row): Row {
  const [shown, setShown] = useState(row)
  useEffect(() => {
    // Joins the paint: a task that is asked for in an animation frame comes after it.
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
