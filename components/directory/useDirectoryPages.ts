/** The lists of the Directory, page by page. */
import { useTotals } from '@/client'
import { type ApiPages, useApiPages } from '@/client/queries'
import type { DirectoryPage } from '@/lib/wire'
import { type DirectoryRow, withNext } from './pages'

const PER_PAGE = 50

/** A list of the directory. in: path with its query */
export function useDirectoryPages<Page extends DirectoryPage<DirectoryRow>>(path: string): ApiPages<Page> {
  // Peers are in no view, but what they do changes the rows of members: each frame of these may make the lists old.
  useTotals('agents')
  return useApiPages<Page>(`${path}${path.includes('?') ? '&' : '?'}limit=${PER_PAGE}`, {
    cursor: 'after',
    next: ({ next }) => next,
    append: withNext,
  })
}
