/** The reason of a failed send, as shown in deliveries. */
import { PrivateAddressError } from '../../net'

/** Readable for everyone in the task, so it does not say where the channel leads. */
export function failureSentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof PrivateAddressError) return 'it leads into a private network'
  const code = 'syscall' in error ? /\bE[A-Z_]{4,}\b/.exec(error.message)?.[0] : undefined
  return code === undefined ? error.message : `no connection (${code})`
}
