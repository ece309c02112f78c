import { useEffect, useState } from 'react'
import { useServerAway } from '@/components/ui/serverAway'
import type { ArgumentsAnswer } from '@/lib/wire'
import { type CallOutcome, getArguments } from './commands'
import type { RequestShown } from './shown'

/**
 * in      known: the arguments, where the caller has them already
 * out     null while they are fetched; and fetching them again
 */
export function useArguments(
  request: RequestShown['request'],
  known?: ArgumentsAnswer,
): [CallOutcome<ArgumentsAnswer> | null, () => void] {
  const [fetched, setFetched] = useState<CallOutcome<ArgumentsAnswer> | null>(known ? { ok: true, value: known } : null)
  const [attempt, setAttempt] = useState(0)
  const isAway = useServerAway() !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: another digest or another attempt fetches anew.
  useEffect(() => {
    // Joins the server: the arguments are a body of their own.
    if (known) return
    let isWanted = true
    void getArguments(request.id).then((next) => {
      if (isWanted) setFetched(next)
    })
    return () => {
      isWanted = false
    }
  }, [request.id, request.call?.digest, attempt, known])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the server's return fetches anew.
  useEffect(() => {
    // Joins the connection: what failed while the server was away is fetched when it is back.
    if (!isAway && fetched && !fetched.ok && fetched.refusal.kind === 'unreachable') setAttempt((times) => times + 1)
  }, [isAway])
  return [fetched, () => setAttempt(attempt + 1)]
}
