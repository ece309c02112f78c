/** Searches on the server, once the typing pauses. */
import { useRef } from 'react'
import type { CallRefused } from '@/client'
import { type Paging, useApiPages } from '@/client/queries'
import type { SearchAnswer, SearchHit } from '@/lib/wire'
import type { SearchKind } from '@/lib/wire/search'

const AFTER_MS = 150
const LONGEST = 200
const NO_HITS: readonly SearchHit[] = []

type SearchState = {
  hits: readonly SearchHit[]
  isSearching: boolean
  fault: CallRefused | null
  /** How far the index has read the journal, of how many entries; null before the first answer. */
  read: { to: number; of: number } | null
  more: (() => void) | null
}

const PAGING: Paging<SearchAnswer> = {
  cursor: 'before',
  next: ({ next }) => next,
  append: (held, page) => ({ ...page, hits: [...held.hits, ...page.hits] }),
}

export function useSearch(query: string, kind: SearchKind | null = null, limit?: number): SearchState {
  const q = query.trim().slice(0, LONGEST)
  const params = new URLSearchParams({ q, ...(kind ? { kind } : {}), ...(limit ? { limit: `${limit}` } : {}) })
  const { data, error, more } = useApiPages(q === '' ? null : `/api/search?${params}`, PAGING, { pauseMs: AFTER_MS })
  const read = useRef<SearchState['read']>(null)
  if (data) read.current = { to: data.indexedTo, of: data.head }
  return {
    hits: data?.hits ?? NO_HITS,
    isSearching: q !== '' && data === undefined && error === null,
    fault: data === undefined ? error : null,
    read: read.current,
    more: data === undefined ? null : more,
  }
}
