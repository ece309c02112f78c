/** An agent of another system registers itself and its capabilities. */

import { Fault } from '@/lib/faults'
import type { AgentId } from '../../ids'
import type { AgentConfig } from '../../records'
import type { CommandOf } from '../command'
import type { DecisionContext } from '../decisionContext'
import { outsideAgentOf } from '../effects/outside'

/** A second registration replaces the first. Throws NOT_ALLOWED for an agent of another system. */
export function registerOutside(context: DecisionContext, command: CommandOf<'registerOutside'>): { agent: AgentId } {
  const peer = context.world.peers[command.peer]
  if (!peer || peer.removed || !peer.may.includes('a2a')) throw new Fault('NOT_ALLOWED', { what: 'register agents' })
  const agent = outsideAgentOf(context, command.uri)
  const record = context.world.agents[agent]
  if (!record?.outside || record.outside.peer !== peer.id) throw new Fault('NOT_ALLOWED', { what: 'speak for it' })
  const isSame =
    record.name === (command.name ?? record.name) &&
    JSON.stringify(record.outside.capabilities ?? []) === JSON.stringify(command.capabilities)
  if (isSame) return { agent }
  const { paused: _, removed: __, createdAt: ___, ...own } = record
  const config: AgentConfig = {
    ...own,
    configId: record.configId ?? '',
    name: command.name ?? record.name,
    outside: { ...record.outside, capabilities: command.capabilities },
  }
  context.emit('agent.changed', { agent, config })
  return { agent }
}
