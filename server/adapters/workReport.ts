/** What a message of ours says of the work that the other system asked for, with the id by which that system knows its request. */
import type { World } from '@/lib/mas/records'
import { selectWorkReport, type WorkState } from '@/lib/mas/selectors/outsideWork'
import type { OutgoingMessage } from './adapter'

/**
 * request   their id of the message that asked; null: it is older than the envelopes that are kept
 * question  our message that waits for their answer; null: none does
 */
export type WorkSaid = { state: WorkState; request: string | null; question: string | null }

/** out: null when the message is about no such work */
export function workSaidIn(
  world: World,
  { message, delivery, peer }: Pick<OutgoingMessage, 'message' | 'delivery' | 'peer'>,
): WorkSaid | null {
  const report = selectWorkReport(world, message, delivery.agent)
  if (report === null) return null
  const request = world.exchange[peer.id]?.find(
    (line) => line.direction === 'in' && line.message === report.request && line.theirs !== '',
  )
  return { state: report.state, request: request?.theirs ?? null, question: report.question }
}
