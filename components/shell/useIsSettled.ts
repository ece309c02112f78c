/**
 * Whether the page had time for its first picture. Other parts wait until then, once per page.
 *
 * A second is enough for most; where it takes longer, loading more would delay the picture itself.
 */
import { useEffect, useState } from 'react'
import { isBeingDrawn } from '@/client/pageUse'

const SETTLED_AFTER_MS = 1_000
const LOOK_AGAIN_MS = 200
/** A screen that waits for the server delays the rest no longer than this. */
const AT_LATEST_MS = 5_000
let hasSettled = false

/** Run once the first screen is drawn: after one second at the earliest, after five at the latest. out: cancels it. */
export function whenSettled(run: () => void, isComing = isBeingDrawn): () => void {
  let passed = SETTLED_AFTER_MS
  const look = (): void => {
    if (passed >= AT_LATEST_MS || !isComing()) {
      run()
      return
    }
    passed += LOOK_AGAIN_MS
    timer = setTimeout(look, LOOK_AGAIN_MS)
  }
  let timer = setTimeout(look, SETTLED_AFTER_MS)
  return () => clearTimeout(timer)
}

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
