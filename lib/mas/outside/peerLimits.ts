/** How much is done for a peer, against what it may ask for. */
import { minuteUtc } from '@/lib/format/time'
import type { PeerId, TaskId } from '../ids'
import type { TaskRecord, World } from '../records'
import { isTaskOver } from '../statuses'
import { selectConversationsOf } from './outside'
import type { PeerLimits, PeerRecord, PeerSpent } from './records'

export const PEER_LIMITS: PeerLimits = { tasks: 5, tokensPerDay: null, costPerDay: null }

export const PEER_DAY_MS = 86_400_000

export const peerLimitsOf = ({ limits }: Pick<PeerRecord, 'limits'>): PeerLimits => limits ?? PEER_LIMITS

const tasksOf = (world: World, peer: PeerId): TaskRecord[] =>
  Object.values(world.tasks).filter(
    ({ requestedBy }: TaskRecord) => requestedBy !== null && world.agents[requestedBy]?.outside?.peer === peer,
  )

export const openTasksOf = (world: World, peer: PeerId): number =>
  tasksOf(world, peer).filter((task) => !isTaskOver(task)).length

/** The peer whose agent asked for the task, or whose conversation the task is; null: none. */
export function selectPeerOfTask(world: World, id: TaskId): PeerId | null {
  const task = world.tasks[id]
  if (task === undefined) return null
  const asker = task.requestedBy === null ? undefined : world.agents[task.requestedBy]?.outside
  if (asker !== undefined) return asker.peer
  if (task.conversation !== true) return null
  return selectConversationsOf(world, id)[0]?.peer ?? null
}

/** A limit of a day that is reached. again: when the peer may ask again, epoch ms; time: the same as text */
type PeerDayOver = { what: 'tokensPerDay' | 'costPerDay'; limit: number; again: number; time: string }

/** Which limit of a day is reached; null: none. What was spent counts for 24 hours, whenever its task began. */
export function isOverPeerBudget(peer: PeerRecord, at: number): PeerDayOver | null {
  const { tokensPerDay, costPerDay } = peerLimitsOf(peer)
  const spent = (peer.spent ?? []).filter(({ from }) => from > at - PEER_DAY_MS)
  const over = (what: PeerDayOver['what'], limit: number | null, used: (one: PeerSpent) => number) => {
    const again = limit === null ? null : againAt(spent, limit, used)
    return limit === null || again === null ? null : { what, limit, again, time: minuteUtc(again) }
  }
  return (
    over('tokensPerDay', tokensPerDay, ({ tokens }) => tokens) ??
    over('costPerDay', costPerDay, ({ costUsd }) => costUsd ?? 0)
  )
}

/** When less than the limit is left of it, epoch ms; null: that is so now. */
function againAt(spent: readonly PeerSpent[], limit: number, used: (one: PeerSpent) => number): number | null {
  let left = spent.reduce((sum, one) => sum + used(one), 0)
  let again: number | null = null
  for (const one of spent) {
    if (left < limit) break
    left -= used(one)
    again = one.from + PEER_DAY_MS
  }
  return again
}
