/** MAMP cards of our agents: identity, accepted content, allowed senders. */

import { selectPeers } from '@/lib/mas/outside/outside'
import type { AgentRecord, World } from '@/lib/mas/records'
import type { Ourselves } from '@/server/otherSystems'
import type { MampCard } from '../../protocols/mamp/card'
import { MAMP_VERSION } from '../../protocols/mamp/message'
import { uriOf } from '../agentUri'

/** Largest accepted message, in bytes. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024

/** URIs of allowed senders: from the configuration, else those of its peers. */
export const allowedAgents = (world: World, { allowedAgents: listed }: Ourselves): string[] =>
  listed.length > 0 ? [...listed] : selectPeers(world).flatMap((peer) => (peer.may.includes('mamp') ? [peer.uri] : []))

export function cardOf(world: World, ourselves: Ourselves, agent: AgentRecord): MampCard {
  return {
    protocol: MAMP_VERSION,
    agent_id: uriOf(world, ourselves, agent.id),
    name: agent.name,
    description: agent.profile,
    owner: { organization: ourselves.name, ...ourselves.owner },
    device: ourselves.device,
    capabilities: {
      content_types: ['text', 'image', 'code', 'file'],
      max_message_size: MAX_MESSAGE_BYTES,
      streaming: true,
      async: true,
      tools: agent.tools,
    },
    access: {
      public: ourselves.public,
      allowed_agents: allowedAgents(world, ourselves),
      require_auth: ourselves.requireAuth,
    },
  }
}
