/** Our MAMP card: the agent that answers, what it accepts, who may write. */

import type { World } from '@/lib/mas/records'
import { selectPeers } from '@/lib/mas/selectors/outside'
import { MAMP_VERSION, type MampCard } from '@/lib/protocols/mamp'
import type { Ourselves } from '../adapter'
import { uriOf } from '../agentUri'

/** The largest message that is taken, in bytes. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024

/** Whose URIs may write: what the file lists, else the peers that it names. */
export const allowedAgents = (world: World, { allowedAgents: listed }: Ourselves): string[] =>
  listed.length > 0 ? [...listed] : selectPeers(world).flatMap((peer) => (peer.may.includes('mamp') ? [peer.uri] : []))

/** null: no agent of ours manages the base task. */
export function cardOf(world: World, ourselves: Ourselves): MampCard | null {
  const manager = world.baseTask === null ? undefined : world.tasks[world.baseTask]?.manager
  const agent = manager === undefined ? undefined : world.agents[manager]
  if (!agent) return null
  return {
    protocol: MAMP_VERSION,
    agent_id: uriOf(world, ourselves, agent.id),
    name: agent.name,
    description: agent.profile,
    owner: { organization: ourselves.name, ...(ourselves.owner === null ? {} : { user_name: ourselves.owner }) },
    device: ourselves.device === null ? {} : { device_name: ourselves.device },
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
