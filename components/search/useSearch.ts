/** Searches on the server, once the typing pauses. */
import { useEffect, useState } from 'react'
import { type CallRefused, call } from '@/client'
import type { SearchAnswer, SearchHit } from '@/lib/wire'
import type { SearchKind } from '@/lib/wire/search'

const AFTER_MS = 150
const LONGEST = 200

type SearchState = {
  hits: readonly SearchHit[]
  isSearching: boolean
  fault: CallRefused | null
  /** How far the index has read the journal, of how many entries; null before the first answer. */
  read: { to: number; of: number } | null
  more: (() => void) | null
}

type Found = { params: string; hits: readonly SearchHit[]; answer: SearchAnswer | null; fault: CallRefused | null }
const NOTHING: Found = { params: '', hits: [], answer: null, fault: null }

export function useSearch(query: string, kind: SearchKind | null = null, limit?: number): SearchState {
  const text = query.trim().slice(0, LONGEST)
  const params =
    text === ''
      ? ''
      : new URLSearchParams({ q: text, ...(kind ? { kind } : {}), ...(limit ? { limit: `${limit}` } : {}) }).toString()
  const [found, setFound] = useState<Found>(NOTHING)
  useEffect(() => {
    if (params === '') return
    // Joins the server, after a pause of the keys.
    let isWanted = true
    const timer = setTimeout(() => {
      void call<SearchAnswer>('GET', `/api/search?${params}`).then((came) => {
        if (!isWanted) return
        setFound(
          came.ok
            ? { params, hits: came.value.hits, answer: came.value, fault: null }
            : { ...NOTHING, params, fault: came.fault },
        )
      })
    }, AFTER_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [params])
  const isCurrent = found.params === params
  const { answer } = found
  const next = isCurrent && answer ? answer.next : null
  return {
    hits: params !== '' && isCurrent ? found.hits : [],
    isSearching: params !== '' && !isCurrent,
    fault: isCurrent ? found.fault : null,
    read: answer ? { to: answer.indexedTo, of: answer.head } : null,
    more:
      next === null
        ? null
        : () =>
            void call<SearchAnswer>('GET', `/api/search?${params}&before=${next}`).then((came) => {
              if (!came.ok) return
              // Another query may have come meanwhile, or the same page twice.
              setFound((now) =>
                now.params === params && now.answer?.next === next
                  ? { ...now, hits: [...now.hits, ...came.value.hits], answer: came.value }
                  : now,
              )
            }),
  }
}
