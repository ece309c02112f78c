/** Answers of the server that no view holds, fetched while they are shown, whole or page by page. */
import { useCallback, useEffect, useMemo, useState } from 'react'
import { type ApiResult, type CallRefused, call, callForBytes } from './api'
import { useFixtures } from './fixtures'

/** value: what arrived for the path, null: nothing yet; fault: of the last request, the value before it stays. */
export type FetchState<T> = { path: string | null; value: T | null; fault: CallRefused | null; isLoading: boolean }

export type Paging<T> = {
  /** The parameter that takes the cursor. */
  cursor: 'after' | 'before'
  /** The cursor of the next page; null: there is none. */
  next: (value: T) => string | number | null
  append: (held: T, page: T) => T
  /** The first page, fetched again, with what is held; without it the first page alone stays. */
  refresh?: (held: T, first: T) => T
}

const NOTHING = { path: null, value: null, fault: null, isLoading: false }
type Ask<T> = (path: string) => Promise<ApiResult<T>>

/**
 * One request at a time for what is wanted now; the answers to what is no longer wanted are dropped.
 *
 * in      show: is given each new state
 * out     open: another path starts again, another version is fetched again, null fetches nothing; more: the next page, or
 *         again the one that failed
 */
export function createFetcher<T>(ask: Ask<T>, show: (held: FetchState<T>) => void, paging?: Paging<T>) {
  let held: FetchState<T> = NOTHING
  let wanted: { path: string; version: string | number } | null = null
  let isStale = false

  const put = (next: FetchState<T>): void => {
    held = next
    show(held)
  }
  async function load(address: string, merge: (before: T | null, came: T) => T): Promise<void> {
    const asked = wanted
    put({ ...held, fault: null, isLoading: true })
    const answer = await ask(address)
    if (wanted !== asked) return
    const rest = { ...held, isLoading: false }
    put(answer.ok ? { ...rest, value: merge(held.value, answer.value) } : { ...rest, fault: answer.fault })
    if (isStale) reload()
  }
  /** A change while a request is on its way is fetched after its answer. */
  function reload(): void {
    isStale = held.isLoading
    if (wanted === null || isStale) return
    void load(wanted.path, (before, first) => (before === null ? first : (paging?.refresh?.(before, first) ?? first)))
  }
  return {
    open: (path: string | null, version: string | number = 0): void => {
      if (path !== null && path === wanted?.path) {
        if (version === wanted.version) return
        wanted.version = version
      } else {
        wanted = path === null ? null : { path, version }
        held = path === null || path === held.path ? { ...held, isLoading: false } : { ...NOTHING, path }
      }
      reload()
    },
    reload,
    more: (): void => {
      if (held.isLoading || wanted === null) return
      const { path } = wanted
      const next = held.value === null ? null : paging?.next(held.value)
      if (held.value === null) reload()
      if (next == null || paging === undefined) return
      const address = `${path}${path.includes('?') ? '&' : '?'}${paging.cursor}=${encodeURIComponent(next)}`
      void load(address, (before, page) => (before === null ? page : paging.append(before, page)))
    },
  }
}

const getJson = <T>(path: string): Promise<ApiResult<T>> => call<T>('GET', path)

type Options<T> = { version?: string | number; pauseMs?: number; paging?: Paging<T> }

function useFetcher<T>(ask: Ask<T>, path: string | null, { version = 0, pauseMs = 0, paging }: Options<T>) {
  const fixtures = useFixtures()
  const [held, setHeld] = useState<FetchState<T>>(NOTHING)
  const [fetcher] = useState(() => createFetcher(ask, setHeld, paging))
  const wanted = fixtures === null ? path : null
  // Joins the server for as long as the answer is shown.
  useEffect(() => {
    if (pauseMs === 0 || wanted === null) return fetcher.open(wanted, version)
    const timer = setTimeout(() => fetcher.open(wanted, version), pauseMs)
    return () => clearTimeout(timer)
  }, [fetcher, wanted, version, pauseMs])
  useEffect(() => () => fetcher.open(null), [fetcher])
  const fixed = fixtures !== null && path !== null ? fixtures.answers[path] : undefined
  const isCurrent = path !== null && held.path === path
  return {
    value: fixed !== undefined ? (fixed as T) : isCurrent ? held.value : null,
    fault: isCurrent ? held.fault : null,
    isLoading: path !== null && fixed === undefined && (!isCurrent || held.isLoading),
    fetcher,
  }
}

type Fetched<T> = {
  /** null: none has arrived yet for this path, or a failed one is being fetched again. */
  answer: ApiResult<T> | null
  reload: () => void
}

/**
 * The answer at a path.
 *
 * in      path null: fetch nothing; version: another one fetches again and keeps the last answer meanwhile
 */
export const useFetched = <T>(path: string | null, version: string | number = 0): Fetched<T> =>
  useAnswer(getJson<T>, path, { version })

/** The bytes at a path; null: fetch nothing. */
export const useFetchedBytes = (path: string | null): Fetched<Blob> => useAnswer(callForBytes, path)

/** The same, asked for in another way than by GET. in: ask: the same at every render */
export function useAnswer<T>(ask: Ask<T>, path: string | null, options: Omit<Options<T>, 'paging'> = {}): Fetched<T> {
  const { value, fault, fetcher } = useFetcher(ask, path, options)
  const answer = useMemo(
    (): ApiResult<T> | null => (fault !== null ? { ok: false, fault } : value === null ? null : { ok: true, value }),
    [value, fault],
  )
  return { answer, reload: useCallback(() => fetcher.reload(), [fetcher]) }
}

type PagedList<T> = {
  /** All pages so far as one; null: the first one is on its way, or failed. */
  value: T | null
  /** Why the last request failed; the pages before it stay. */
  fault: CallRefused | null
  isLoading: boolean
  /** Fetches the next page, or again the one that failed; null: there is none. */
  more: (() => void) | null
  reload: () => void
}

/**
 * A list at a path, page by page.
 *
 * in      path null: fetch nothing; paging: the same at every render; pauseMs: from the last change of the path to the request
 */
export function usePages<T>(
  path: string | null,
  paging: Paging<T>,
  options: Omit<Options<T>, 'paging'> = {},
): PagedList<T> {
  const { value, fault, isLoading, fetcher } = useFetcher(getJson<T>, path, { ...options, paging })
  const hasMore = value === null ? fault !== null : paging.next(value) !== null
  return { value, fault, isLoading, more: hasMore ? fetcher.more : null, reload: fetcher.reload }
}
