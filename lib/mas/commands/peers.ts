/**
 * Other systems that operators name while the team works, beside those of the configuration.
 *
 * Owns: adding, changing, a new key, taking out, a message to see whether it arrives. Not here: the peers of the
 * configuration and what their going leaves (outsideAgents.ts), making keys (server/gateway/routes/peers.ts).
 */

import { Fault } from '@/lib/faults'
import type { AgentId } from '../ids'
import type { ConversationRecord, PeerMade, PeerRecord } from '../outsideRecords'
import type { Json } from '../records'
import { fitsPattern, isPattern, selectOutsideAgent, selectPeerOf } from '../selectors/outside'
import { mustOperate } from './act'
import type { Command, CommandOf, PeerSpec } from './command'
import type { DecisionContext } from './draft'
import { outsideAgentOf, removePeer } from './outsideAgents'
import { sendOutside } from './sendOutside'

const PEER_COMMANDS = ['addPeer', 'changePeer', 'renewPeerKey', 'removePeer', 'testPeer'] as const
type PeerCommand = Extract<Command, { type: (typeof PEER_COMMANDS)[number] }>

export const isPeerCommand = (command: Command): command is PeerCommand =>
  PEER_COMMANDS.some((type) => type === command.type)

/** Do what the operator wishes, or throw the Fault that says why not. */
export function changePeers(draft: DecisionContext, person: AgentId, command: PeerCommand): Json {
  mustOperate(draft, person, 'change other systems')
  switch (command.type) {
    case 'addPeer':
      return addPeer(draft, person, command)
    case 'changePeer': {
      const peer = mustBeMade(draft, command.peer)
      const { by, keySha } = peer.made
      put(draft, peer.uri, command, { by, keySha, ...signingOf(command) })
      return null
    }
    case 'renewPeerKey': {
      const { seenAt: _, addedAt: __, removed: ___, ...config } = mustBeMade(draft, command.peer)
      const made = { ...config.made, keySha: command.keySha }
      draft.emit('peer.added', { peer: config.id, config: { ...config, made } })
      return { keySha: command.keySha }
    }
    case 'removePeer':
      removePeer(draft, mustBeMade(draft, command.peer))
      return null
    case 'testPeer':
      return testPeer(draft, person, command)
  }
}

/** Out: whose key it is that this decision let in; the same command again answers the same. */
function addPeer(draft: DecisionContext, person: AgentId, wish: CommandOf<'addPeer'>): Json {
  const { peer, uri, keySha } = wish
  const known = (Object.values(draft.world.peers) as PeerRecord[]).find((one) => one.uri === uri)
  if (known && !known.removed) throw new Fault('PEER_KNOWN', { uri })
  put(draft, uri, wish, { by: person, keySha, ...signingOf(wish) })
  return { peer, keySha }
}

const signingOf = ({ sendKeyEnv, signingKeyEnv, signature }: PeerSpec): Omit<PeerMade, 'by' | 'keySha'> => ({
  sendKeyEnv,
  signingKeyEnv,
  ...(signature === undefined ? {} : { signature }),
})

function put(draft: DecisionContext, uri: string, wish: PeerSpec, made: PeerMade): void {
  const { peer: id, baseUrl, may, actions, agents, allowPrivate } = wish
  if (wish.signingKeyEnv !== null && may.includes('map')) throw new Fault('PEER_SIGNS', { uri })
  for (const agent of agents) {
    const record = draft.world.agents[agent]
    if (!record || record.kind === 'outside') throw new Fault('RECEIVER_UNKNOWN', { id: agent })
    if (record.removed) throw new Fault('RECEIVER_GONE', { name: record.name })
  }
  draft.emit('peer.added', { peer: id, config: { id, uri, baseUrl, may, actions, agents, allowPrivate, made } })
  if (!isPattern(uri)) outsideAgentOf(draft, uri)
}

/** Throws NOT_FOUND, PEER_CONFIGURED. */
function mustBeMade(draft: DecisionContext, id: PeerRecord['id']): PeerRecord & { made: PeerMade } {
  const peer = mustBeKnown(draft, id)
  const { made } = peer
  if (made === undefined) throw new Fault('PEER_CONFIGURED', { uri: peer.uri })
  return { ...peer, made }
}

function mustBeKnown(draft: DecisionContext, id: PeerRecord['id']): PeerRecord {
  const peer = draft.world.peers[id]
  if (!peer || peer.removed) throw new Fault('NOT_FOUND', { what: 'other system', id })
  return peer
}

/** Said by the operator, in the conversation that they have with that agent already. */
function testPeer(draft: DecisionContext, person: AgentId, { peer: id, uri, text }: CommandOf<'testPeer'>): Json {
  const peer = mustBeKnown(draft, id)
  const { baseTask } = draft.world
  if (isPattern(uri) || !fitsPattern(peer.uri, uri) || selectPeerOf(draft.world, uri)?.id !== id || baseTask === null)
    throw new Fault('NO_PEER', { uri })
  return sendOutside(draft, {
    sender: person,
    task: baseTask,
    stage: null,
    step: null,
    uri,
    text,
    attachments: [],
    conversation: goingOn(draft, person, peer, uri)?.id ?? null,
    needReply: false,
  })
}

/** One that was opened by an earlier test, and can still be spoken in. */
function goingOn(draft: DecisionContext, person: AgentId, peer: PeerRecord, uri: string): ConversationRecord | undefined {
  const agent = selectOutsideAgent(draft.world, uri)?.id
  return Object.values(draft.world.conversations[peer.id] ?? {}).findLast(
    (one: ConversationRecord) =>
      one.agent === agent &&
      one.ours === person &&
      one.closedAt === null &&
      draft.world.tasks[one.task]?.conversation === true,
  )
}
