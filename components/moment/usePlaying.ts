/** Playing: the moment follows a clock that runs some times as fast as the task did. */
import { useEffect, useEffectEvent, useState } from 'react'

export const SPEEDS = [1, 2, 5, 10, 30, 60] as const
export type Speed = (typeof SPEEDS)[number]

/** Moments are shown at most so often. */
const EVERY_MS = 200

/**
 * in      startAt: epoch ms of the moment that is shown; goTo: shows what was at that time; false: there is nothing later
 * out     toggle: begins at the moment that is shown, or stops
 */
export function usePlaying(speed: Speed, startAt: number | null, goTo: (at: number) => boolean) {
  const [isPlaying, setPlaying] = useState(false)
  const [from, setFrom] = useState(0)
  const show = useEffectEvent((at: number): void => {
    if (!goTo(at)) setPlaying(false)
  })
  useEffect(() => {
    // Joins the timer of the page.
    if (!isPlaying) return
    const began = performance.now()
    const timer = setInterval(() => show(from + (performance.now() - began) * speed), EVERY_MS)
    return () => clearInterval(timer)
  }, [isPlaying, from, speed])
  return {
    isPlaying,
    stop: () => setPlaying(false),
    toggle: () => {
      if (startAt === null) return
      setFrom(startAt)
      setPlaying(!isPlaying)
    },
  }
}
