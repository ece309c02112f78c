import { type ApiQuery, useApiQuery } from '@/client/queries'
import type { ArgumentsAnswer } from '@/lib/wire'
import { argumentsPath } from '../commands'
import type { RequestShown } from '../shown'

/** What a request would run or send, fetched with its card. */
export const useArguments = ({ id, call }: RequestShown['request']): ApiQuery<ArgumentsAnswer> =>
  useApiQuery(argumentsPath(id), { version: call?.digest })
