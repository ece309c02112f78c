/** Why a message of ours did not arrive, as a code with what belongs to it. */
import type { UnsentReason } from '@/lib/mas/outsideRecords'
import { NoAnswerError, PrivateAddressError } from '../net'

const SAYS_CHARACTERS = 300

/** Their system answered, and did not take it; says: its code and its words, as far as it gave any. */
export const whyRefused = (status: number, says: readonly (string | undefined)[]): UnsentReason => ({
  code: 'answered',
  status,
  says: says.filter(Boolean).join(': ').slice(0, SAYS_CHARACTERS),
})

/** The call itself failed. */
export function whyUnreached(error: unknown): UnsentReason {
  if (error instanceof PrivateAddressError) return { code: 'private', host: error.host }
  if (error instanceof NoAnswerError) return { code: 'late', seconds: error.seconds }
  return { code: 'network', says: (error instanceof Error ? error.message : String(error)).slice(0, SAYS_CHARACTERS) }
}
