/** Senders and receivers of envelopes, and the registry. */

import type { PeerRecord } from '@/lib/mas/outsideRecords'
import type { AgentRecord, World } from '@/lib/mas/records'
import { fitsPattern } from '@/lib/mas/selectors/outside'
import type { AdapterContext } from '../adapter'
import { ourAgent, uriOf, uriOfTheirs } from '../agentUri'

/** The sender's URI; null when the peer does not speak for it. An id without a scheme is an agent of the peer's domain. */
export function uriOfSender(peer: PeerRecord, id: string): string | null {
  if (id.startsWith('agent://')) return fitsPattern(peer.uri, id) ? id : null
  return uriOfTheirs(peer, id)
}

/** Our agents that the peer may reach; without a list the manager of the base task. */
export function reachableAgents(world: World, peer: PeerRecord): AgentRecord[] {
  const host = world.baseTask === null ? undefined : world.tasks[world.baseTask]?.manager
  const ids = peer.agents.length > 0 ? peer.agents : host === undefined ? [] : [host]
  return ids.flatMap((id) => {
    const agent = world.agents[id]
    return agent === undefined || agent.removed ? [] : [agent]
  })
}

/** The reachable agent of that id (configured id, uuid, or URI); null: there is none. */
export function receiverOf(
  { ourselves }: AdapterContext,
  world: World,
  peer: PeerRecord,
  id: string,
): AgentRecord | null {
  const uri = id.startsWith('agent://') ? id : `agent://${ourselves().domain}/${id}`
  const agent = ourAgent(world, ourselves(), uri)
  return agent !== null && reachableAgents(world, peer).some((one) => one.id === agent.id) ? agent : null
}

/** One line of the registry. */
export type RegistryLine = {
  agent_id: string
  uri: string
  name: string
  capabilities: string[]
  presence: 'online' | 'offline'
}

/**
 * Who is there for this peer: ours that it reaches, and its own that registered.
 *
 * in      capability: only those that have it; null: all. isConnected: who holds a connection now
 */
export function registryOf(
  context: AdapterContext,
  peer: PeerRecord,
  capability: string | null,
  isConnected: (uri: string) => boolean,
): RegistryLine[] {
  const world = context.engine.world()
  const ours = reachableAgents(world, peer).map(
    (agent): RegistryLine => ({
      agent_id: agent.configId ?? agent.id,
      uri: uriOf(world, context.ourselves(), agent.id),
      name: agent.name,
      capabilities: [...new Set([...agent.groups, ...agent.skills, ...agent.tools])],
      presence: agent.paused === null ? 'online' : 'offline',
    }),
  )
  const theirs = Object.values(world.agents).flatMap((agent: AgentRecord): RegistryLine[] => {
    if (agent.outside?.peer !== peer.id || agent.removed) return []
    const { uri, capabilities = [] } = agent.outside
    const presence = isConnected(uri) ? 'online' : 'offline'
    return [{ agent_id: idIn(uri), uri, name: agent.name, capabilities, presence }]
  })
  return [...ours, ...theirs].filter((line) => capability === null || line.capabilities.includes(capability))
}

const idIn = (uri: string): string => decodeURIComponent(/^agent:\/\/[^/]*\/(.*)$/s.exec(uri)?.[1] ?? uri)
