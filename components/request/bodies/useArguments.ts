import { useEffect } from 'react'
import type { ApiResult } from '@/client/api'
import { useFetched } from '@/client/useFetched'
import { useServerAway } from '@/components/ui/serverAway'
import type { ArgumentsAnswer } from '@/lib/wire'
import { argumentsPath } from '../commands'
import type { RequestShown } from '../shown'

/**
 * What a request would run or send, fetched with its card.
 *
 * out     null while they are fetched; and fetching them again
 */
export function useArguments(request: RequestShown['request']): [ApiResult<ArgumentsAnswer> | null, () => void] {
  const { answer, reload } = useFetched<ArgumentsAnswer>(argumentsPath(request.id), request.call?.digest)
  const isAway = useServerAway() !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a reconnect fetches again.
  useEffect(() => {
    // Joins the connection: what failed while the server was away is fetched when it is back.
    if (!isAway && answer?.ok === false && answer.fault.error === 'NO_ANSWER') reload()
  }, [isAway])
  return [answer, reload]
}
