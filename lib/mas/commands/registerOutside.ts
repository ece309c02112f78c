/**
 * An agent of another system says that it is there and what it can do.
 *
 * Owns: keeping its capabilities with the agent of kind outside. Not here: presence (it is lost with the connection).
 */

import { Fault } from '@/lib/faults'
import type { AgentId } from '../ids'
import type { AgentConfig } from '../records'
import type { CommandOf } from './command'
import type { DecisionContext } from './draft'
import { outsideAgentOf } from './outsideAgents'

/** Said again, it stands for what was said before. */
export function registerOutside(draft: DecisionContext, wish: CommandOf<'registerOutside'>): { agent: AgentId } {
  const peer = draft.world.peers[wish.peer]
  if (!peer || peer.removed || !peer.may.includes('a2a')) throw new Fault('NOT_ALLOWED', { what: 'register agents' })
  const agent = outsideAgentOf(draft, wish.uri)
  const record = draft.world.agents[agent]
  if (!record?.outside || record.outside.peer !== peer.id) throw new Fault('NOT_ALLOWED', { what: 'speak for it' })
  const isSame =
    record.name === (wish.name ?? record.name) &&
    JSON.stringify(record.outside.capabilities ?? []) === JSON.stringify(wish.capabilities)
  if (isSame) return { agent }
  const config: AgentConfig = {
    id: record.id,
    configId: record.configId ?? '',
    kind: record.kind,
    name: wish.name ?? record.name,
    role: record.role,
    profile: record.profile,
    groups: record.groups,
    manager: record.manager,
    mayWait: record.mayWait,
    model: record.model,
    skills: record.skills,
    tools: record.tools,
    access: record.access,
    outside: { ...record.outside, capabilities: wish.capabilities },
  }
  draft.emit('agent.changed', { agent, config })
  return { agent }
}
