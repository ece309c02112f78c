/** Agents by URI: ours, as other systems know them, and those of a peer. */
import type { AgentId } from '@/lib/mas/ids'
import { isPattern } from '@/lib/mas/outside/outside'
import type { PeerRecord } from '@/lib/mas/outside/records'
import type { AgentRecord, World } from '@/lib/mas/records'
import type { Ourselves } from '@/server/otherSystems'
import { splitUri } from '../protocols/mamp/message'

/** agent://our-domain/configured-id; for an agent made at run time its uuid. */
export const uriOf = (world: World, { domain }: Pick<Ourselves, 'domain'>, agent: AgentId): string =>
  `agent://${domain}/${world.agents[agent]?.configId ?? agent}`

/** Our agent with that URI; null: none. */
export function ourAgent(world: World, { domain }: Pick<Ourselves, 'domain'>, uri: string): AgentRecord | null {
  const named = splitUri(uri)
  if (named === null || named.domain.toLowerCase() !== domain.toLowerCase()) return null
  const own = Object.values(world.agents).filter((agent: AgentRecord) => agent.kind !== 'outside' && !agent.removed)
  return own.find((agent) => agent.configId === named.agent || agent.id === named.agent) ?? null
}

/** The URI of the peer's agent of that name; null: the peer is a single agent of another name, or the name fits no URI. */
export function uriOfTheirs({ uri }: PeerRecord, name: string): string | null {
  const [, domain = '', path = ''] = /^agent:\/\/([^/]*)\/?(.*)$/s.exec(uri) ?? []
  if (!isPattern(uri)) return path === name ? uri : null
  // An unpaired surrogate has no UTF-8 form.
  return /\p{Surrogate}/u.test(name) ? null : `agent://${domain}/${encodeURIComponent(name)}`
}

/** The agent addressed when none is named: the manager of the base task. */
export function hostOf(world: World): AgentRecord | null {
  const host = world.baseTask === null ? undefined : world.tasks[world.baseTask]?.manager
  return host == null ? null : (world.agents[host] ?? null)
}

/** Our agents that the peer may reach; without a list the manager of the base task. */
export function reachableAgents(world: World, peer: PeerRecord): AgentRecord[] {
  const named = peer.agents.length > 0 ? peer.agents.map((id) => world.agents[id]) : [hostOf(world)]
  return named.flatMap((agent) => (agent === undefined || agent === null || agent.removed ? [] : [agent]))
}

/** The reachable agent of that id (configured id, uuid, or URI); null: there is none. */
export function reachableAgent(
  world: World,
  ourselves: Pick<Ourselves, 'domain'>,
  peer: PeerRecord,
  id: string,
): AgentRecord | null {
  const agent = ourAgent(world, ourselves, id.startsWith('agent://') ? id : `agent://${ourselves.domain}/${id}`)
  return agent !== null && reachableAgents(world, peer).some((one) => one.id === agent.id) ? agent : null
}
