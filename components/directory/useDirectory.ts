/**
 * A list of the directory, fetched from the server again while the world changes (at a slow pace: most entries concern no peer),
 * when a dialog above it opens or closes, and when the page is looked at again.
 *
 * Peers are in no view of the socket: few people look at them, and the log of envelopes can be long.
 */
import { useEffect, useState } from 'react'
import { useConnection } from '@/client'
import type { CallRefused } from '@/client/api'
import { useSearchParam } from '@/client/nav'
import { usePaced } from '@/client/paced'
import { type Paging, usePages } from '@/client/useFetched'
import type { DirectoryPage } from '@/lib/wire'
import { type DirectoryRow, withFirst, withNext } from './pages'

type Listed<Page> = {
  /** null: the first answer is on its way, or never came. */
  page: Page | null
  /** Why nothing was ever loaded; later faults leave the last rows. */
  fault: CallRefused | null
  /** Loads the next page; null: there is none, or it is loading. */
  more: (() => void) | null
  retry: () => void
}

const PER_PAGE = 50
const WORLD_EVERY_MS = 10_000

/** in: path with its query */
export function useDirectory<Page extends DirectoryPage<DirectoryRow>>(path: string): Listed<Page> {
  const world = usePaced(useConnection().seq, WORLD_EVERY_MS)
  const dialogs = [useSearchParam('system'), useSearchParam('bring')].join(' ')
  const [looks, setLooks] = useState(0)
  useEffect(() => {
    // Joins the window: on return the list is fetched again.
    const look = (): void => setLooks((count) => count + 1)
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [])
  const paging: Paging<Page> = {
    cursor: 'after',
    next: ({ next }) => next,
    append: withNext,
    refresh: withFirst,
  }
  const withLimit = `${path}${path.includes('?') ? '&' : '?'}limit=${PER_PAGE}`
  const { value, fault, more, reload } = usePages(withLimit, paging, { version: `${world} ${dialogs} ${looks}` })
  return {
    page: value,
    fault: value === null ? fault : null,
    more: value === null ? null : more,
    retry: reload,
  }
}
