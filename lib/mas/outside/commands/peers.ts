/** Other systems that operators name while the team works, beside those of the configuration. */

import { Fault } from '@/lib/faults'
import type { CommandOf, PeerSpec } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId } from '../../ids'
import { isElsewhere } from '../../members/traits'
import type { Json } from '../../records'
import { isHostService } from '../../setup/hostServices'
import { unsignedOf } from '../../setup/setupFields'
import { fitsPattern, isPattern, selectOutsideAgent, selectPeerOf } from '../outside'
import type { ConversationRecord, PeerMade, PeerRecord } from '../records'
import { outsideAgentOf } from './conversations'
import { configOfPeer, removePeer, withAgentsGuide } from './outsideAgents'
import { sendOutside } from './sendOutside'

/** Throws NOT_FOUND, PEER_ADDRESS, and PEER_CONFIGURED for one that the configuration names. */
export function changePeerByOperator(context: DecisionContext, _: AgentId, command: CommandOf<'changePeer'>): void {
  const peer = mustBeMade(context, command.peer)
  const { by, keySha } = peer.made
  put(context, peer.uri, command, { by, keySha, ...signingOf(command) })
}

/** out: the digest of the new key */
export function renewPeerKeyByOperator(context: DecisionContext, _: AgentId, command: CommandOf<'renewPeerKey'>): Json {
  const peer = mustBeMade(context, command.peer)
  const made = { ...peer.made, keySha: command.keySha }
  context.emit('peer.added', { peer: peer.id, config: { ...configOfPeer(peer), made } })
  return { keySha: command.keySha }
}

/** Throws what changePeerByOperator throws. */
export function removePeerByOperator(context: DecisionContext, _: AgentId, command: CommandOf<'removePeer'>): void {
  removePeer(context, mustBeMade(context, command.peer))
}

/** out: the peer, and the digest of the accepted key, the same for a repeat. Throws PEER_KNOWN, PEER_URI, PEER_ADDRESS. */
export function addPeerByOperator(context: DecisionContext, person: AgentId, input: CommandOf<'addPeer'>): Json {
  const { peer, uri, keySha } = input
  const known = (Object.values(context.world.peers) as PeerRecord[]).find((one) => one.uri === uri)
  if (known && !known.removed) throw new Fault('PEER_KNOWN', { uri })
  put(context, uri, input, { by: person, keySha, ...signingOf(input) })
  return { peer, keySha }
}

const signingOf = ({ sendKeyEnv, signingKeyEnv }: PeerSpec): Omit<PeerMade, 'by' | 'keySha'> => ({
  sendKeyEnv,
  signingKeyEnv,
})

/** Does it name no system of its own? `*.example.org` names those below a domain. */
function isEverybody(uri: string): boolean {
  const domain = uri.slice('agent://'.length).split('/')[0] ?? ''
  const parent = domain.startsWith('*.') ? domain.slice(2) : null
  return parent === null ? domain.includes('*') : parent.includes('*') || !parent.includes('.')
}

const leadsToHost = (address: string): boolean =>
  URL.canParse(address) && isHostService(new URL(address).hostname.replace(/^\[|\]$/g, ''))

function put(context: DecisionContext, uri: string, input: PeerSpec, made: PeerMade): void {
  const { peer: id, baseUrl, may, actions, agents, allowPrivate, limits } = input
  if (isEverybody(uri)) throw new Fault('PEER_URI', { uri, why: 'everybody' })
  if (baseUrl !== null && leadsToHost(baseUrl)) throw new Fault('PEER_ADDRESS', { address: baseUrl })
  if (unsignedOf(input).length > 0) throw new Fault('PEER_SIGNS', { uri })
  for (const agent of agents) {
    const record = context.world.agents[agent]
    if (!record || isElsewhere(context.world, agent)) throw new Fault('RECEIVER_UNKNOWN', { id: agent })
    if (record.removed) throw new Fault('RECEIVER_GONE', { name: record.name })
  }
  const config = { id, uri, baseUrl, may, actions, agents, allowPrivate, made, ...(limits ? { limits } : {}) }
  context.emit('peer.added', { peer: id, config })
  if (!isPattern(uri)) outsideAgentOf(context, uri)
  const team = withAgentsGuide(context, context.world.team)
  if (team !== context.world.team) context.emit('config.applied', { team })
}

/** Throws NOT_FOUND, PEER_CONFIGURED. */
function mustBeMade(context: DecisionContext, id: PeerRecord['id']): PeerRecord & { made: PeerMade } {
  const peer = mustBeKnown(context, id)
  const { made } = peer
  if (made === undefined) throw new Fault('PEER_CONFIGURED', { uri: peer.uri })
  return { ...peer, made }
}

function mustBeKnown(context: DecisionContext, id: PeerRecord['id']): PeerRecord {
  const peer = context.world.peers[id]
  if (!peer || peer.removed) throw new Fault('NOT_FOUND', { what: 'other system', id })
  return peer
}

/** Said by the operator, in the conversation that they have with that agent already. Throws NO_PEER, and what sendOutside throws. */
export function testPeerByOperator(
  context: DecisionContext,
  person: AgentId,
  { peer: id, uri, text }: CommandOf<'testPeer'>,
): Json {
  const peer = mustBeKnown(context, id)
  const { baseTask } = context.world
  if (isPattern(uri) || !fitsPattern(peer.uri, uri) || selectPeerOf(context.world, uri)?.id !== id || baseTask === null)
    throw new Fault('NO_PEER', { uri })
  return sendOutside(context, {
    sender: person,
    task: baseTask,
    stage: null,
    step: null,
    uri,
    text,
    attachments: [],
    conversation: goingOn(context, person, peer, uri)?.id ?? null,
    needReply: false,
  })
}

/** One that was opened by an earlier test, and can still be spoken in. */
function goingOn(
  context: DecisionContext,
  person: AgentId,
  peer: PeerRecord,
  uri: string,
): ConversationRecord | undefined {
  const agent = selectOutsideAgent(context.world, uri)?.id
  return Object.values(context.world.conversations[peer.id] ?? {}).findLast(
    (one: ConversationRecord) =>
      one.agent === agent &&
      one.ours === person &&
      one.closedAt === null &&
      context.world.tasks[one.task]?.conversation === true,
  )
}
