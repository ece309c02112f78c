/** Why a send failed, as the receipts say it. */
import { PrivateAddressError } from '../../net'

/** What a failed send may say to everyone in the task: where the channel leads is the person's own business. */
export function failureSentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof PrivateAddressError) return 'it leads into a private network'
  const code = 'syscall' in error ? /\bE[A-Z_]{4,}\b/.exec(error.message)?.[0] : undefined
  return code === undefined ? error.message : `no connection (${code})`
}
