/** Which request a message would answer. Pure: the composer shows it before anything is sent. */
import type { AgentId, MessageId, RequestId } from '@/lib/mas/ids'
import type { NumberedRequest } from '@/lib/mas/records'
import { isOpen } from '@/lib/mas/statuses'

type Addressed = {
  receivers: readonly AgentId[] | 'all'
  replyTo: MessageId | null
  /** The request that the person picked among several. */
  picked: RequestId | null
  isOff: boolean
}

/** Open questions of the only receiver to me, the oldest first. */
export function openRequestsFor(
  requests: readonly NumberedRequest[],
  me: AgentId,
  receivers: readonly AgentId[] | 'all',
): NumberedRequest[] {
  const only = receivers !== 'all' && receivers.length === 1 ? receivers[0] : null
  if (!only) return []
  return requests
    .filter((one) => one.kind === 'answer' && one.asker === only && one.asked.includes(me) && isOpen(one))
    .sort((a, b) => a.openedSeq - b.openedSeq)
}

/** The request that the message answers: the picked one, else that of the message replied to, else the oldest. */
export function answeredRequest(
  requests: readonly NumberedRequest[],
  me: AgentId,
  { receivers, replyTo, picked, isOff }: Addressed,
): NumberedRequest | null {
  if (isOff) return null
  const open = openRequestsFor(requests, me, receivers)
  return (
    open.find(({ id }) => id === picked) ??
    open.find(({ message }) => message !== null && message === replyTo) ??
    open[0] ??
    null
  )
}
