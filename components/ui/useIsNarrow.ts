/** How wide the window is, where that changes what is drawn and not only how. */
import { useSyncExternalStore } from 'react'

function useMedia(media: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = window.matchMedia(media)
      query.addEventListener('change', changed)
      return () => query.removeEventListener('change', changed)
    },
    () => window.matchMedia(media).matches,
    () => false,
  )
}

/** A phone's: rows are drawn as cards there. */
export const useIsNarrow = (): boolean => useMedia('(width < 48rem)')

/** Wide enough for two views of a task beside each other. */
export const useIsWide = (): boolean => useMedia('(width >= 105rem)')
