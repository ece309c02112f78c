/** Pages of a search for archived steps: one search at a time, one page after the other. */
import type { ApiResult } from '@/client/api'
import type { StepPage } from '@/lib/wire'

/** next: the cursor of the next page, null: there is none · why: the last page failed; asking for more tries it again */
export type ArchivedPages = {
  steps: StepPage['steps']
  next: string | null
  why: string | null
  isLoading: boolean
}

const LOADING: ArchivedPages = { steps: [], next: null, why: null, isLoading: true }

type ArchivedPager = {
  /** Begins again with the first page at this address; what is on its way for another one is dropped. */
  search: (address: string) => void
  /** The next page, or the one that failed. Nothing while one is on its way. */
  more: () => void
  close: () => void
}

/** in: ask: one page of an address, after a cursor; show: is given each new state */
export function openArchivedPages(
  ask: (address: string, after: string | null) => Promise<ApiResult<StepPage>>,
  show: (pages: ArchivedPages) => void,
): ArchivedPager {
  let wanted: string | null = null
  let pages = LOADING
  const put = (next: ArchivedPages): void => {
    pages = next
    show(next)
  }
  const load = async (address: string): Promise<void> => {
    const before = pages
    put({ ...before, why: null, isLoading: true })
    const came = await ask(address, before.next)
    if (wanted !== address) return
    put(
      came.ok
        ? { steps: [...before.steps, ...came.value.steps], next: came.value.next, why: null, isLoading: false }
        : { ...before, why: came.fault.message, isLoading: false },
    )
  }
  return {
    search: (address) => {
      if (address === wanted) return
      wanted = address
      pages = LOADING
      void load(address)
    },
    more: () => {
      if (wanted !== null && !pages.isLoading) void load(wanted)
    },
    close: () => {
      wanted = null
    },
  }
}
