/** Answers of the server that no view holds, while a part shows them: whole or page by page. */
import { keepPreviousData, type QueryKey, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useMe } from '../account/session'
import { type ApiResult, type CallRefused, call, callForBytes } from '../api'
import { useFixtures } from '../fixtures'
import { isUnanswered, queryClient, queryKeyOf } from './cache'

export { invalidate } from './cache'

type Ask<T> = (path: string) => Promise<ApiResult<T>>
type Options<T> = {
  /** In place of GET; another name in place of the path then. */
  ask?: Ask<T>
  /** Another one fetches again. */
  version?: string | number
  /** Fetched again so often while the page is visible. */
  everyMs?: number
  /** No older than this when the part is opened. */
  freshMs?: number
  /** From the last change of the path to the request. */
  pauseMs?: number
  /** The answer of the path before stays until that of the new one comes. */
  keepsLast?: boolean
  /** From when nothing shows it to when it is dropped. */
  dropMs?: number
}

/** One of data and error; neither while the first answer is on its way. */
export type ApiQuery<T> = {
  data: T | undefined
  error: CallRefused | null
  isFetching: boolean
  refetch: () => void
}

/** Resolves later, or rejects when nothing shows it any more. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

/** Throws the refusal, as a query wants it. */
async function answered<T>(asked: Promise<ApiResult<T>>): Promise<T> {
  const answer = await asked
  if (answer.ok) return answer.value
  throw answer.fault
}

const getJson = <T>(path: string): Promise<ApiResult<T>> => call<T>('GET', path)

/** out: of a path, what each of its queries needs; fixed: its answer in the gallery */
function useApiKey() {
  const person = useMe()?.person.agent_id ?? null
  const fixtures = useFixtures()
  return <T>(path: string | null) => ({
    key: { queryKey: queryKeyOf(person, path ?? ''), enabled: path !== null && fixtures === null },
    fixed: path === null ? undefined : (fixtures?.answers[path] as T | undefined),
  })
}

/** Another version of the same path is fetched in place of the answer that is shown. */
function useVersion(
  path: string | null,
  version: string | number | undefined,
  queryKey: QueryKey,
  refetch: () => void,
): void {
  const last = useRef({ path, version })
  // Also a first answer that is on its way may be of the version before.
  const fetchAgain = useEffectEvent(() => void queryClient.cancelQueries({ queryKey, exact: true }).then(refetch))
  useEffect(() => {
    // Joins the server.
    const before = last.current
    last.current = { path, version }
    if (path !== null && before.path === path && before.version !== version) fetchAgain()
  }, [path, version])
}

/**
 * The answer at a path.
 *
 * in      path null: fetch nothing
 * out     data stays while the server does not answer; a refusal takes its place
 */
export function useApiQuery<T>(path: string | null, options: Options<T> = {}): ApiQuery<T> {
  const { ask = getJson<T>, version, everyMs, freshMs, pauseMs = 0, keepsLast = false, dropMs } = options
  const { key, fixed } = useApiKey()<T>(path)
  const { data, error, isFetching, refetch } = useQuery<T>(
    {
      ...key,
      queryFn: async ({ signal }) => {
        if (pauseMs > 0) await pause(pauseMs, signal)
        return answered(ask(path ?? ''))
      },
      refetchInterval: everyMs,
      staleTime: freshMs,
      gcTime: dropMs,
      placeholderData: keepsLast ? keepPreviousData : undefined,
    },
    queryClient,
  )
  useVersion(path, version, key.queryKey, refetch)
  return { ...(fixed === undefined ? shownOf(data, error) : { data: fixed, error: null }), isFetching, refetch }
}

const shownOf = <T>(data: T | undefined, error: CallRefused | null): Pick<ApiQuery<T>, 'data' | 'error'> =>
  error === null || (data !== undefined && isUnanswered(error)) ? { data, error: null } : { data: undefined, error }

/** The answers at several paths, each as above. in: isWanted false: not fetched, and shown where it was */
export function useApiQueries<T>(
  paths: readonly { path: string; isWanted: boolean }[],
  freshMs: number,
): Pick<ApiQuery<T>, 'data' | 'error'>[] {
  const keyOf = useApiKey()
  const queries = paths.map(({ path, isWanted }) => {
    const { queryKey, enabled } = keyOf<T>(path).key
    const queryFn = (): Promise<T> => answered(getJson(path))
    return { queryKey, queryFn, enabled: enabled && isWanted, staleTime: freshMs }
  })
  return useQueries({ queries }, queryClient).map(({ data, error }) => shownOf(data, error))
}

/** The bytes at a path; null: fetch nothing. Files may be large: none is held for later. */
export const useApiBytes = (path: string | null): ApiQuery<Blob> => useApiQuery(path, { ask: callForBytes, dropMs: 0 })

export type Paging<T> = {
  /** The parameter that takes the cursor. */
  cursor: 'after' | 'before'
  /** The cursor of the next page; null: there is none. */
  next: (value: T) => string | number | null
  append: (held: T, page: T) => T
}

export type ApiPages<T> = ApiQuery<T> & {
  /** Fetches the next page, or again the one that failed; null: there is none. */
  more: (() => void) | null
}

/** A list at a path, page by page, as one. out: error: why the last request failed; the pages before it stay */
export function useApiPages<T>(
  path: string | null,
  { cursor, next, append }: Paging<T>,
  { pauseMs = 0 }: Pick<Options<T>, 'pauseMs'> = {},
): ApiPages<T> {
  const { key, fixed } = useApiKey()<T>(path)
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(
    {
      ...key,
      queryKey: [...key.queryKey, 'pages'],
      queryFn: async ({ signal, pageParam }): Promise<T> => {
        if (pauseMs > 0 && pageParam === null) await pause(pauseMs, signal)
        const address = `${path}${path?.includes('?') ? '&' : '?'}${cursor}=`
        return answered(getJson(pageParam === null ? `${path}` : `${address}${encodeURIComponent(pageParam)}`))
      },
      initialPageParam: null as string | number | null,
      getNextPageParam: (page: T) => next(page),
      select: ({ pages }) => pages.reduce(append),
    },
    queryClient,
  )
  // Pressing twice asks for one page.
  const fetchMore = (): void => void fetchNextPage({ cancelRefetch: false })
  const more = data === undefined ? (error === null ? null : refetch) : hasNextPage ? fetchMore : null
  return { data: fixed ?? data, error, isFetching, refetch, more }
}
