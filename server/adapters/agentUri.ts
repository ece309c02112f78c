/** Agents by URI: ours, as other systems know them, and those of a peer. */

import type { AgentId } from '@/lib/mas/ids'
import type { PeerRecord } from '@/lib/mas/outsideRecords'
import type { AgentRecord, World } from '@/lib/mas/records'
import { isPattern } from '@/lib/mas/selectors/outside'
import { splitUri } from '@/lib/protocols/mamp'
import type { Ourselves } from './adapter'

/** agent://our-domain/configured-id; an agent made at run time has its uuid there. */
export const uriOf = (world: World, { domain }: Pick<Ourselves, 'domain'>, agent: AgentId): string =>
  `agent://${domain}/${world.agents[agent]?.configId ?? agent}`

/** Our agent of that URI; null: there is none. */
export function ourAgent(world: World, { domain }: Pick<Ourselves, 'domain'>, uri: string): AgentRecord | null {
  const named = splitUri(uri)
  if (named === null || named.domain.toLowerCase() !== domain.toLowerCase()) return null
  const own = Object.values(world.agents).filter((agent: AgentRecord) => agent.kind !== 'outside' && !agent.removed)
  return own.find((agent) => agent.configId === named.agent || agent.id === named.agent) ?? null
}

/** The URI of the peer's agent of that name; null when the peer is one agent, and this is another. */
export function uriOfTheirs({ uri }: PeerRecord, name: string): string | null {
  const [, domain = '', path = ''] = /^agent:\/\/([^/]*)\/?(.*)$/s.exec(uri) ?? []
  if (!isPattern(uri)) return path === name ? uri : null
  return `agent://${domain}/${encodeURIComponent(name)}`
}
