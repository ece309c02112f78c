/** Other systems and their agents in our team: as the configuration names them, and as they turn up. */
import { Fault } from '@/lib/faults'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId } from '../../ids'
import type { AgentConfig, AgentRecord, Json, TeamRecord } from '../../records'
import { configOfAgent } from '../../team/commands/applyAgent'
import { removeAgent } from '../../team/commands/members'
import { isPattern, selectPeers } from '../outside'
import { AGENTS_SERVER, type PeerConfig, type PeerRecord } from '../records'
import { closeConversation, mustBePeer, outsideAgentOf } from './conversations'

/** The file's peers; one that it names no more loses its rights and conversations. Peers of operators stay. Throws NO_PEER. */
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

function isSame(config: PeerConfig, record: PeerRecord): boolean {
  const known = configOfPeer(record)
  const inOrder = (record: PeerConfig): Json => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(inOrder(config)) === JSON.stringify(inOrder(known))
}

/** Offers the tool server for writing to peers when there is a peer: without its guide no agent can be given it. */
export function withAgentsGuide(context: DecisionContext, team: TeamRecord): TeamRecord {
  if (selectPeers(context.world).length === 0 || Object.hasOwn(team.toolGuides, AGENTS_SERVER)) return team
  return { ...team, toolGuides: { ...team.toolGuides, [AGENTS_SERVER]: context.say('agentsGuide') } }
}

/** What was configured, without what became of it. */
export const configOfPeer = ({
  removed: _,
  addedAt: __,
  seenAt: ___,
  spent: ____,
  ...config
}: PeerRecord): PeerConfig => config

/** Its conversations are closed and its agents leave the team. */
export function removePeer(context: DecisionContext, { id, uri }: PeerRecord): void {
  const reason = context.say('leftTeam', { name: uri })
  for (const conversation of Object.values(context.world.conversations[id] ?? {}))
    closeConversation(context, conversation, reason)
  for (const agent of Object.values(context.world.agents) as AgentRecord[]) {
    if (agent.outside?.peer === id && !agent.removed) removeAgent(context, agent.id, reason)
  }
  context.emit('peer.removed', { peer: id })
}

/** A second registration replaces the first. Throws NOT_ALLOWED for an agent of another system. */
export function registerOutside(context: DecisionContext, command: CommandOf<'registerOutside'>): { agent: AgentId } {
  const peer = mustBePeer(context, command.peer, 'envelope', 'register agents')
  const agent = outsideAgentOf(context, command.uri)
  const record = context.world.agents[agent]
  if (!record?.outside || record.outside.peer !== peer.id) throw new Fault('NOT_ALLOWED', { what: 'speak for it' })
  const isSame =
    record.name === (command.name ?? record.name) &&
    JSON.stringify(record.outside.capabilities ?? []) === JSON.stringify(command.capabilities)
  if (isSame) return { agent }
  const config: AgentConfig = {
    ...configOfAgent(record),
    configId: record.configId ?? '',
    name: command.name ?? record.name,
    outside: { ...record.outside, capabilities: command.capabilities },
  }
  context.emit('agent.changed', { agent, config })
  return { agent }
}
