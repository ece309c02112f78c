/** What the agents of one peer may have done for them: tasks at once, tokens and cost in a day. */
import { Fault } from '@/lib/faults'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId } from '../../ids'
import { isOverPeerBudget, openTasksOf, peerLimitsOf } from '../peerLimits'
import type { PeerRecord } from '../records'

/** Throws PEER_LIMIT when the peer's day is used up, or as many of its tasks run as may when `begins` a task. */
export function checkPeerLimits({ world, at }: DecisionContext, peer: PeerRecord, begins = false): void {
  const { tasks } = peerLimitsOf(peer)
  if (begins && openTasksOf(world, peer.id) >= tasks)
    throw new Fault('PEER_LIMIT', { what: 'tasksAtOnce', limit: tasks })
  const over = isOverPeerBudget(peer, at)
  if (over !== null) throw new Fault('PEER_LIMIT', { ...over, afterS: Math.ceil((over.again - at) / 1_000) })
}

/** Why no task is begun for this agent of another system, for the manager's model; null: one may be. */
export function whyPeerIsAtLimit(context: DecisionContext, agent: AgentId): string | null {
  const id = context.world.agents[agent]?.outside?.peer
  const peer = id === undefined ? undefined : context.world.peers[id]
  if (!peer) return null
  const who = context.name(agent)
  const n = peerLimitsOf(peer).tasks
  if (openTasksOf(context.world, peer.id) >= n) return context.say('peerAtLimit', { who, n })
  const over = isOverPeerBudget(peer, context.at)
  return over === null ? null : context.say('peerDayOver', { who, ...over })
}
