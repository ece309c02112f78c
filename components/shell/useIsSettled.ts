/**
 * Whether the page had time for its first picture. Other parts wait until then, once per page.
 *
 * A second is enough for most; where it takes longer, loading more would delay the picture itself.
 */
import { useEffect, useState } from 'react'

const SETTLED_AFTER_MS = 1_000
const LOOK_AGAIN_MS = 200
/** A screen that waits for the server delays the rest no longer than this. */
const AT_LATEST_MS = 5_000
let hasSettled = false

type SettlingParts = {
  /** The first screen is not mounted yet, or is busy. */
  isBeingDrawn: () => boolean
  setTimer: (run: () => void, ms: number) => unknown
  clearTimer: (timer: unknown) => void
}

/** Run once the first screen is drawn: after one second at the earliest, after five at the latest. out: cancels it. */
export function createSettling({ isBeingDrawn, setTimer, clearTimer }: SettlingParts, run: () => void): () => void {
  let passed = SETTLED_AFTER_MS
  const look = (): void => {
    if (passed >= AT_LATEST_MS || !isBeingDrawn()) {
      run()
      return
    }
    passed += LOOK_AGAIN_MS
    timer = setTimer(look, LOOK_AGAIN_MS)
  }
  let timer = setTimer(look, SETTLED_AFTER_MS)
  return () => clearTimer(timer)
}

const parts: SettlingParts = {
  isBeingDrawn: () => {
    const main = document.querySelector('[data-pane=main]')
    return main === null || main.querySelector('[aria-busy=true]') !== null
  },
  setTimer: (run, ms) => setTimeout(run, ms),
  clearTimer: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
}

/** createSettling with the browser's clock and page. */
export const whenSettled = (run: () => void): (() => void) => createSettling(parts, run)

export function useIsSettled(): boolean {
  const [isSettled, setSettled] = useState(hasSettled)
  useEffect(() => {
    if (isSettled) return
    return whenSettled(() => {
      hasSettled = true
      setSettled(true)
    })
  }, [isSettled])
  return isSettled
}
