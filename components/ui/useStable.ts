import { useCallback, useRef } from 'react'

/** The same function at every render, which does what that of the last render did: what is drawn with it is not drawn again. */
export function useStable<Args extends unknown[]>(act: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(act)
  latest.current = act
  return useCallback((...args: Args) => latest.current(...args), [])
}
