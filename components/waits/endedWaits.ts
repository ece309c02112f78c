/**
 * The ended waits of a task: who waited for whom, how long, how it ended. Pure.
 *
 * A person's own waiting ids block nobody: they are no waits.
 */
import { messageText, questionText } from '@/client/readersWords'
import { selectOutcome } from '@/lib/mas/asks/outcomes'
import type { AgentId, MessageId, RequestId, TaskId } from '@/lib/mas/ids'
import type { DeliveryState, RequestRecord, World } from '@/lib/mas/records'

type EndedHow = 'answered' | 'released' | 'expired' | 'failed' | 'ended'
export type EndedWait = {
  id: string
  who: AgentId
  forWhom: readonly AgentId[]
  since: number
  endedAt: number
  how: EndedHow
  /** Who answered, when that was a person. */
  by: AgentId | null
  /** Who ended it and why, when it was not answered. */
  why: string | null
  what: string
  message: MessageId | null
  request: RequestId | null
}

export function endedWaitsOf(world: World, task: TaskId): EndedWait[] {
  const requests: RequestRecord[] = Object.values(world.requests[task] ?? {})
  const found = [...messageWaits(world, task, requests), ...requests.flatMap(heldWait)]
  return found.sort((a, b) => b.endedAt - a.endedAt || (a.id < b.id ? -1 : 1))
}

/** One wait per receiver of a message that locked its sender. */
function messageWaits(world: World, task: TaskId, requests: readonly RequestRecord[]): EndedWait[] {
  const found: EndedWait[] = []
  for (const message of Object.values(world.messages[task] ?? {})) {
    const { sender, waiting } = message
    if (waiting === null || sender === 'system:task' || world.agents[sender]?.kind === 'human') continue
    message.receivers.forEach((receiver, at) => {
      const outcome = selectOutcome(world, message, receiver)
      const how = outcome ? HOW[outcome.state] : null
      if (!outcome || how === null || outcome.settledAt === null) return
      const request = requests.find((one) => one.message === message.id && one.lock === waiting[at])
      found.push({
        id: waiting[at] ?? `${message.id}:${receiver}`,
        who: sender,
        forWhom: [receiver],
        since: message.at,
        endedAt: outcome.settledAt,
        how,
        by: request?.answer?.by ?? (how === 'answered' ? receiver : null),
        why: outcome.note,
        what: messageText(message),
        message: message.id,
        request: request?.id ?? null,
      })
    })
  }
  return found
}

/** null: the wait is still open. */
const HOW: Record<DeliveryState, EndedHow | null> = {
  answered: 'answered',
  done: 'answered',
  released: 'released',
  expired: 'expired',
  failed: 'failed',
  superseded: 'ended',
  queued: null,
  delivered: null,
  shown: null,
  acknowledged: null,
}

/** A step that needed a confirmation: no message belongs to it. */
function heldWait(request: RequestRecord): EndedWait[] {
  const { asker, state, endedAt, answer } = request
  if (request.lock === null || request.message !== null || asker === 'system:task' || endedAt === null) return []
  if (state === 'open' || state === 'claimed') return []
  return [
    {
      id: request.lock,
      who: asker,
      forWhom: request.asked,
      since: request.openedAt,
      endedAt,
      how: state === 'superseded' ? 'ended' : state,
      by: answer?.by ?? null,
      why: request.endReason,
      what: questionText(request),
      message: null,
      request: request.id,
    },
  ]
}
