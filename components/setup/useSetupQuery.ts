/** The records of the set-up, for operators. */
import { useMe } from '@/client/account/session'
import { type ApiQuery, useApiQuery } from '@/client/queries'
import type { SetupAnswer } from '@/lib/wire'
import { SETUP } from './setupCalls'

/** The setup as the server has it, for operators. out: data undefined: also where this member sees none of it */
export function useSetupQuery(): ApiQuery<SetupAnswer> & { isOperator: boolean } {
  const isOperator = useMe()?.person.access === 'operator'
  return { isOperator, ...useApiQuery<SetupAnswer>(isOperator ? SETUP : null) }
}
