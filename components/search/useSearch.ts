/** Asking the server what there is of a wish, once the typing rests. */
import { useEffect, useState } from 'react'
import { type CallRefused, call } from '@/client'
import type { SearchAnswer, SearchHit } from '@/lib/wire'
import type { SearchKind } from '@/lib/wire/http'

const AFTER_MS = 150
const LONGEST = 200

export type SearchState = {
  hits: readonly SearchHit[]
  isSearching: boolean
  /** Nothing is known of this wish, and why. */
  fault: CallRefused | null
  /** How far the search has read the journal, and how long that is; null before the first answer. */
  read: { to: number; of: number } | null
  /** The next page; null: there is none. */
  more: (() => void) | null
}

type Found = { wish: string; hits: readonly SearchHit[]; answer: SearchAnswer | null; fault: CallRefused | null }
const NOTHING: Found = { wish: '', hits: [], answer: null, fault: null }

export function useSearch(query: string, kind: SearchKind | null = null, limit?: number): SearchState {
  const text = query.trim().slice(0, LONGEST)
  const wish =
    text === ''
      ? ''
      : new URLSearchParams({ q: text, ...(kind ? { kind } : {}), ...(limit ? { limit: `${limit}` } : {}) }).toString()
  const [found, setFound] = useState<Found>(NOTHING)
  useEffect(() => {
    if (wish === '') return
    // Joins the server, after a short rest of the keys.
    let isWanted = true
    const timer = setTimeout(() => {
      void call<SearchAnswer>('GET', `/api/search?${wish}`).then((came) => {
        if (!isWanted) return
        setFound(
          came.ok
            ? { wish, hits: came.value.hits, answer: came.value, fault: null }
            : { ...NOTHING, wish, fault: came.fault },
        )
      })
    }, AFTER_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [wish])
  const isCurrent = found.wish === wish
  const { answer } = found
  const next = isCurrent && answer ? answer.next : null
  return {
    hits: wish !== '' && isCurrent ? found.hits : [],
    isSearching: wish !== '' && !isCurrent,
    fault: isCurrent ? found.fault : null,
    read: answer ? { to: answer.indexedTo, of: answer.head } : null,
    more:
      next === null
        ? null
        : () =>
            void call<SearchAnswer>('GET', `/api/search?${wish}&before=${next}`).then((came) => {
              if (!came.ok) return
              // Meanwhile another wish may have come, or the same page twice.
              setFound((now) =>
                now.wish === wish && now.answer?.next === next
                  ? { ...now, hits: [...now.hits, ...came.value.hits], answer: came.value }
                  : now,
              )
            }),
  }
}
