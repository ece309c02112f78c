import { fitsPattern } from '@/lib/mas/outside/outside'
import type { PeerRecord } from '@/lib/mas/outside/records'
import type { AgentRecord } from '@/lib/mas/records'
import type { NamedAction } from '@/server/otherSystems'
import type { AdapterContext } from '../adapter'
import { reachableAgents, uriOf, uriOfTheirs } from '../agentUri'
import { listedActions } from './actions'

/** The sender's URI; null: the peer may not speak for it. An id without a scheme is an agent of the peer's domain. */
export function uriOfSender(peer: PeerRecord, id: string): string | null {
  if (id.startsWith('agent://')) return fitsPattern(peer.uri, id) ? id : null
  return uriOfTheirs(peer, id)
}

export type RegistryLine = {
  agent_id: string
  uri: string
  name: string
  capabilities: string[]
  presence: 'online' | 'offline'
  /** Actions that the peer may call on this agent; parameters: their JSON schema. */
  actions?: Pick<NamedAction, 'name' | 'description' | 'parameters'>[]
}

export function ourLines(context: AdapterContext, peer: PeerRecord): RegistryLine[] {
  const world = context.engine.world()
  return reachableAgents(world, peer).map((agent) => ({
    agent_id: agent.configId ?? agent.id,
    uri: uriOf(world, context.ourselves(), agent.id),
    name: agent.name,
    capabilities: [...new Set([...agent.groups, ...agent.skills, ...agent.tools])],
    presence: agent.paused === null ? 'online' : 'offline',
    actions: listedActions(agent, peer.actions, context.ourselves().actions),
  }))
}

/**
 * Agents visible to this peer: our reachable ones, and its own registered ones.
 *
 * in      capability: only agents that have it; null: all. isConnected: does an agent hold a connection now?
 */
export function registryOf(
  context: AdapterContext,
  peer: PeerRecord,
  capability: string | null,
  isConnected: (uri: string) => boolean,
): RegistryLine[] {
  const theirs = Object.values(context.engine.world().agents).flatMap((agent: AgentRecord): RegistryLine[] => {
    if (agent.outside?.peer !== peer.id || agent.removed) return []
    const { uri, capabilities = [] } = agent.outside
    const presence = isConnected(uri) ? 'online' : 'offline'
    return [{ agent_id: idIn(uri), uri, name: agent.name, capabilities, presence }]
  })
  return [...ourLines(context, peer), ...theirs].filter(
    (line) => capability === null || line.capabilities.includes(capability),
  )
}

const idIn = (uri: string): string => decodeURIComponent(/^agent:\/\/[^/]*\/(.*)$/s.exec(uri)?.[1] ?? uri)
