/** Other systems and their agents in our team: as the configuration names them, and as they turn up. */

import { Fault } from '@/lib/faults'
import type { AgentId, PeerId } from '../ids'
import type { PeerConfig, PeerRecord } from '../outsideRecords'
import type { AgentConfig, AgentRecord, Json } from '../records'
import { isPattern, selectOutsideAgent, selectPeerOf } from '../selectors/outside'
import type { DecisionContext } from './decisionContext'
import { removeAgent } from './members'
import { closeConversation } from './outbox'

/**
 * The file wins for the peers that it names; one that it names no more may nothing, and nothing of its agents stays open.
 * What operators made stays as it is.
 */
export function applyPeers(context: DecisionContext, peers: readonly PeerConfig[]): void {
  for (const config of peers) {
    const known = context.world.peers[config.id]
    if (!known || known.removed || !isSame(config, known)) context.emit('peer.added', { peer: config.id, config })
  }
  const named = new Set(peers.map((peer) => peer.id))
  for (const peer of Object.values(context.world.peers) as PeerRecord[]) {
    if (!peer.removed && peer.made === undefined && !named.has(peer.id)) removePeer(context, peer)
  }
  for (const { uri } of peers) if (!isPattern(uri)) outsideAgentOf(context, uri)
}

function isSame(config: PeerConfig, { removed: _, addedAt: __, seenAt: ___, ...known }: PeerRecord): boolean {
  const inOrder = (record: PeerConfig): Json => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(inOrder(config)) === JSON.stringify(inOrder(known))
}

export function removePeer(context: DecisionContext, { id, uri }: PeerRecord): void {
  const reason = context.say('leftTeam', { name: uri })
  for (const conversation of Object.values(context.world.conversations[id] ?? {}))
    closeConversation(context, conversation, reason)
  for (const agent of Object.values(context.world.agents) as AgentRecord[]) {
    if (agent.outside?.peer === id && !agent.removed) removeAgent(context, agent.id, reason)
  }
  context.emit('peer.removed', { peer: id })
}

/** The agent of ours that stands for this URI; made when it is heard of for the first time. Throws NO_PEER. */
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
