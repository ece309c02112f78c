/** How much is done for a peer, against what it may ask for. */
import type { PeerId, TaskId } from '../ids'
import type { PeerLimits, PeerRecord } from '../outsideRecords'
import type { Spent, TaskRecord, World } from '../records'
import { isTaskOver } from '../statuses'
import { selectTaskCost, sumSpent } from './taskCost'

/** Of a peer whose limits nobody set. */
export const PEER_LIMITS: PeerLimits = { tasks: 5, tokensPerDay: null, costPerDay: null }

const DAY_MS = 86_400_000

export const peerLimitsOf = ({ limits }: Pick<PeerRecord, 'limits'>): PeerLimits => limits ?? PEER_LIMITS

const tasksOf = (world: World, peer: PeerId): TaskRecord[] =>
  Object.values(world.tasks).filter(
    ({ requestedBy }: TaskRecord) => requestedBy !== null && world.agents[requestedBy]?.outside?.peer === peer,
  )

/** Tasks that agents of the peer asked for and that go on. */
export const openTasksOf = (world: World, peer: PeerId): number =>
  tasksOf(world, peer).filter((task) => !isTaskOver(task)).length

/** What was spent for the peer in the last 24 hours: on tasks that it asked for and conversations that began then. */
function spentForPeer(world: World, peer: PeerId, at: number): Spent {
  const talks = new Set<TaskId>(Object.values(world.conversations[peer] ?? {}).map(({ task }) => task))
  return [...tasksOf(world, peer), ...Object.values<TaskRecord>(world.tasks).filter(({ id }) => talks.has(id))]
    .filter(({ createdAt }) => createdAt > at - DAY_MS)
    .map(({ id }) => selectTaskCost(world, id))
    .reduce(sumSpent, { tokens: 0, costUsd: null })
}

/** Which limit of a day is reached; null: none. */
export function isOverPeerBudget(
  world: World,
  peer: PeerRecord,
  at: number,
): { what: 'tokensPerDay' | 'costPerDay'; limit: number } | null {
  const { tokensPerDay, costPerDay } = peerLimitsOf(peer)
  if (tokensPerDay === null && costPerDay === null) return null
  const { tokens, costUsd } = spentForPeer(world, peer.id, at)
  if (tokensPerDay !== null && tokens >= tokensPerDay) return { what: 'tokensPerDay', limit: tokensPerDay }
  if (costPerDay !== null && (costUsd ?? 0) >= costPerDay) return { what: 'costPerDay', limit: costPerDay }
  return null
}
