/**
 * One GET of the API for the inspector: bodies are fetched when their tab is opened, never with the record.
 *
 * Owns: asking, asking again, and what it came to. Not here: records that change by themselves (client/ views).
 */
import { useEffect, useState } from 'react'

export type Answer<T> =
  | { status: 'loading' }
  | { status: 'ready'; value: T }
  /** gone: there is nothing (any more). refused: not for me. broken: no answer, or an error. */
  | { status: 'gone' | 'refused' | 'broken'; why: string }

async function ask<T>(path: string, signal: AbortSignal): Promise<Answer<T>> {
  try {
    const answer = await fetch(path, { credentials: 'same-origin', cache: 'no-store', signal })
    // Something between us and the server may answer in its own words.
    const said: unknown = await answer.json().catch(() => null)
    if (answer.ok && said !== null) return { status: 'ready', value: said as T }
    const why = typeof said === 'object' && said !== null && 'message' in said ? String(said.message) : ''
    return { status: answer.status === 404 ? 'gone' : answer.status === 403 ? 'refused' : 'broken', why }
  } catch {
    return { status: 'broken', why: '' }
  }
}

/**
 * The answer at a path.
 *
 * in      path null: ask nothing; version: another one asks anew and keeps showing what is there meanwhile
 */
export function useAnswer<T>(
  path: string | null,
  version: string | number = 0,
): { answer: Answer<T>; retry: () => void } {
  const [tries, setTries] = useState(0)
  const [held, setHeld] = useState<{ path: string | null; answer: Answer<T> }>({
    path: null,
    answer: { status: 'loading' },
  })
  // Joins the server's API for as long as the answer is wanted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version or try is another question.
  useEffect(() => {
    if (path === null) return
    const stop = new AbortController()
    void ask<T>(path, stop.signal).then((answer) => {
      if (!stop.signal.aborted) setHeld({ path, answer })
    })
    return () => stop.abort()
  }, [path, version, tries])
  return {
    answer: held.path === path ? held.answer : { status: 'loading' },
    retry: () => {
      setHeld({ path: null, answer: { status: 'loading' } })
      setTries(tries + 1)
    },
  }
}
