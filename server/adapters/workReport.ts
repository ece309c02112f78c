/** What a message says of the work that one system asked of the other, as `task_status` of all protocols. */
import * as z from 'zod/mini'
import type { MessageId, PeerId } from '@/lib/mas/ids'
import { WORK_STATES, type WorkState } from '@/lib/mas/outsideRecords'
import type { World } from '@/lib/mas/records'
import { selectWorkReport } from '@/lib/mas/selectors/outsideWork'
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
  return { state: report.state, request: theirIdOf(world, peer.id, report.request), question: report.question }
}

/** Their id of a message that we had of them; null: it is older than the envelopes that are kept, or none of theirs. */
export const theirIdOf = (world: World, peer: PeerId, message: MessageId | null): string | null =>
  world.exchange[peer]?.findLast(
    (line) => line.direction === 'in' && message !== null && line.message === message && line.theirs !== '',
  )?.theirs ?? null

const Said = z.looseObject({ task_status: z.enum(WORK_STATES) })

/** in: metadata, parameters or data of a message of theirs. out: {} where they say nothing of work, or a word that is not known */
export function workStateIn(said: unknown): { workState?: WorkState } {
  const read = Said.safeParse(said)
  return read.success ? { workState: read.data.task_status } : {}
}
