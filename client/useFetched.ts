/** Answers of the server that no view holds, fetched while they are shown. */
import { useCallback, useEffect, useState } from 'react'
import { type ApiResult, call, callForBytes } from './api'
import { useFixtures } from './fixtures'

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
  useFetchedBy(getJson<T>, path, version)

/** The bytes at a path; null: fetch nothing. */
export const useFetchedBytes = (path: string | null): Fetched<Blob> => useFetchedBy(callForBytes, path, 0)

const getJson = <T>(path: string): Promise<ApiResult<T>> => call<T>('GET', path)

type Held<T> = { path: string; answer: ApiResult<T> }

function useFetchedBy<T>(
  fetch: (path: string) => Promise<ApiResult<T>>,
  path: string | null,
  version: string | number,
) {
  const fixtures = useFixtures()
  const [tries, setTries] = useState(0)
  const [held, setHeld] = useState<Held<T> | null>(null)
  // Joins the server for as long as the answer is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version or try is another question.
  useEffect(() => {
    if (path === null || fixtures !== null) return
    let isWanted = true
    void fetch(path).then((answer) => {
      if (isWanted) setHeld({ path, answer })
    })
    return () => {
      isWanted = false
    }
  }, [path, version, tries, fixtures])
  const reload = useCallback(() => {
    setHeld((last) => (last?.answer.ok ? last : null))
    setTries((count) => count + 1)
  }, [])
  const fixed = fixtures !== null && path !== null ? fixtures.answers[path] : undefined
  if (fixed !== undefined) return { answer: { ok: true as const, value: fixed as T }, reload }
  return { answer: held?.path === path ? held.answer : null, reload }
}
