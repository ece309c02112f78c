/** Whether the window is a phone's: rows are drawn as cards there. */
import { useSyncExternalStore } from 'react'

const QUERY = '(width < 48rem)'
const subscribe = (changed: () => void): (() => void) => {
  const query = window.matchMedia(QUERY)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

export const useIsNarrow = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => window.matchMedia(QUERY).matches,
    () => false,
  )
