/** Our agents and people by URI, as other systems know them. */

import type { AgentId } from '@/lib/mas/ids'
import type { AgentRecord, World } from '@/lib/mas/records'
import { splitUri } from '@/lib/protocols/mamp'
import type { Ourselves } from './adapter'

/** agent://our-domain/configured-id; whoever was made at run time goes by their uuid. */
export const uriOf = (world: World, { domain }: Pick<Ourselves, 'domain'>, agent: AgentId): string =>
  `agent://${domain}/${world.agents[agent]?.configId ?? agent}`

/** Whom of us the URI means; null: nobody. */
export function ourAgent(world: World, { domain }: Pick<Ourselves, 'domain'>, uri: string): AgentRecord | null {
  const named = splitUri(uri)
  if (named === null || named.domain.toLowerCase() !== domain.toLowerCase()) return null
  const own = Object.values(world.agents).filter((agent: AgentRecord) => agent.kind !== 'outside' && !agent.removed)
  return own.find((agent) => agent.configId === named.agent || agent.id === named.agent) ?? null
}
