/** Widths of the window that change what is drawn, not only how. */
import { useSyncExternalStore } from 'react'
import { useFixtures } from '@/client/fixtures'

/** Whether a media query holds. */
export function useMedia(media: string): boolean {
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

/** A phone: rows are drawn as cards. */
export function useIsNarrow(): boolean {
  const isPhone = useMedia('(width < 48rem)')
  return useFixtures()?.isNarrow ?? isPhone
}

/** Wide enough for two views of a task side by side. */
export const useIsWide = (): boolean => useMedia('(width >= 105rem)')
