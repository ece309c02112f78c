/** Agents and conversations of other systems: made, and closed. */

import { Fault } from '@/lib/faults'
import type { AgentId, PeerId, TaskId } from '../../ids'
import type { ConversationRecord } from '../../outsideRecords'
import type { AgentConfig } from '../../records'
import { selectConversationsOf, selectOutsideAgent, selectPeerOf } from '../../selectors/outside'
import type { DecisionContext } from '../decisionContext'

/** Our record of the agent with this URI, made on first use. Throws NO_PEER. */
export function outsideAgentOf(context: DecisionContext, uri: string): AgentId {
  const peer = selectPeerOf(context.world, uri)
  if (!peer) throw new Fault('NO_PEER', { uri })
  const known = selectOutsideAgent(context.world, uri)
  const config = configOf(known?.id ?? context.id<AgentId>(), uri, peer.id)
  if (!known) context.emit('agent.created', { agent: config.id, config, runtime: true })
  else if (known.removed || known.outside?.peer !== peer.id) context.emit('agent.changed', { agent: known.id, config })
  return config.id
}

const NAME_CHARACTERS = 80

function configOf(id: AgentId, uri: string, peer: PeerId): AgentConfig {
  const [, domain = '', path = ''] = /^agent:\/\/([^/]*)\/?(.*)$/s.exec(uri) ?? []
  return {
    id,
    configId: '',
    kind: 'outside',
    name: (path === '' ? domain : path).slice(0, NAME_CHARACTERS),
    role: domain.slice(0, NAME_CHARACTERS),
    profile: uri,
    groups: [],
    manager: false,
    mayWait: false,
    model: '',
    skills: [],
    tools: [],
    access: 'none',
    outside: { uri, peer },
  }
}

/** One that is closed already stays as it is. */
export function closeConversation(
  context: DecisionContext,
  { id, peer, closedAt }: ConversationRecord,
  reason: string,
): void {
  if (closedAt === null) context.emit('conversation.closed', { conversation: id, peer, reason })
}

/** Close all conversations of a task that is over. */
export function closeConversationsOf(context: DecisionContext, task: TaskId, reason: string): void {
  for (const conversation of selectConversationsOf(context.world, task))
    closeConversation(context, conversation, reason)
}
