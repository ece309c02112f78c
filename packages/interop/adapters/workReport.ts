/** The state of requested work in a message: `task_status` of all protocols. */
import * as z from 'zod/mini'
import type { MessageId, PeerId } from '@/lib/mas/ids'
import { selectWorkReport } from '@/lib/mas/outside/outsideWork'
import { WORK_STATES, type WorkState } from '@/lib/mas/outside/records'
import type { World } from '@/lib/mas/records'
import type { OutgoingMessage } from './adapter'

/** request: their id of the requesting message; null: older than the taken envelopes of the world */
export type WorkSaid = { state: WorkState; request: string | null }

/** out: null: the message is not about requested work */
export function workSaidIn(
  world: World,
  { message, outgoing, peer }: Pick<OutgoingMessage, 'message' | 'outgoing' | 'peer'>,
): WorkSaid | null {
  const report = selectWorkReport(world, message, outgoing.agent)
  if (report === null) return null
  return { state: report.state, request: theirIdOf(world, peer.id, report.request) }
}

/** Their id of a message that we received; null: older than the taken envelopes of the world, or not theirs. */
export const theirIdOf = (world: World, peer: PeerId, message: MessageId | null): string | null =>
  world.taken[peer]?.findLast((one) => message !== null && one.message === message && one.theirs !== '')?.theirs ?? null

const Said = z.looseObject({ task_status: z.enum(WORK_STATES) })

/** in: metadata, parameters or data of a message. out: {} without a status, or with an unknown one */
export function workStateIn(said: unknown): { workState?: WorkState } {
  const read = Said.safeParse(said)
  return read.success ? { workState: read.data.task_status } : {}
}
