/** One GET of the API for the inspector: bodies are fetched when their tab is opened. */
import { useEffect, useState } from 'react'
import { call } from '@/client'
import { useFixtures } from '@/client/fixtures'

export type FetchedAnswer<T> =
  | { status: 'loading' }
  | { status: 'ready'; value: T }
  /** gone: not found. refused: not allowed. broken: no answer, or an error. */
  | { status: 'gone' | 'refused' | 'broken'; why: string }

async function ask<T>(path: string): Promise<FetchedAnswer<T>> {
  const answer = await call<T>('GET', path)
  if (answer.ok) return { status: 'ready', value: answer.value }
  const { error, message } = answer.fault
  return { status: error === 'NOT_FOUND' ? 'gone' : error === 'NOT_ALLOWED' ? 'refused' : 'broken', why: message }
}

/** With fixtures nothing is fetched. */
const given = <T>(value: unknown): FetchedAnswer<T> =>
  value === undefined ? { status: 'loading' } : { status: 'ready', value: value as T }

/**
 * The answer at a path.
 *
 * in      path null: fetch nothing; version: another one fetches again and keeps showing the last answer meanwhile
 */
export function useAnswer<T>(
  path: string | null,
  version: string | number = 0,
): { answer: FetchedAnswer<T>; retry: () => void } {
  const still = useFixtures()
  const [tries, setTries] = useState(0)
  const [held, setHeld] = useState<{ path: string | null; answer: FetchedAnswer<T> }>({
    path: null,
    answer: { status: 'loading' },
  })
  // Joins the server's API for as long as the answer is wanted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version or try is another question.
  useEffect(() => {
    if (path === null || still !== null) return
    let isWanted = true
    void ask<T>(path).then((answer) => {
      if (isWanted) setHeld({ path, answer })
    })
    return () => {
      isWanted = false
    }
  }, [path, version, tries, still])
  if (still !== null && path !== null) return { answer: given(still.answers[path]), retry: () => undefined }
  return {
    answer: held.path === path ? held.answer : { status: 'loading' },
    retry: () => {
      setHeld({ path: null, answer: { status: 'loading' } })
      setTries(tries + 1)
    },
  }
}
