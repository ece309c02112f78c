/** Agents and conversations of other systems: made, and closed. */

import { Fault } from '@/lib/faults'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId, ConversationId, PeerId, TaskId } from '../../ids'
import { runsSteps } from '../../members/traits'
import { type AgentConfig, type MemoryNote, PLAIN_AGENT } from '../../records'
import { isTaskOver } from '../../statuses'
import { addTask } from '../../tasks/commands/addTask'
import { memoryKey } from '../../team/memory'
import { selectConversationsOf, selectOutsideAgent, selectPeerOf } from '../outside'
import type { Protocol } from '../peerProtocols'
import type { ConversationRecord, PeerRecord } from '../records'

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

/** The peer, if it has that right; `what` it would do. Throws NOT_ALLOWED. */
export function mustBePeer({ world }: DecisionContext, id: PeerId, right: Protocol, what = `use ${right}`): PeerRecord {
  const peer = world.peers[id]
  if (!peer || peer.removed || !peer.may.includes(right)) throw new Fault('NOT_ALLOWED', { what })
  return peer
}

/** It can be spoken in. id: as the speaker names it. Throws CONVERSATION_OVER, CONVERSATION_ASLEEP. */
export function mustGoOn({ world }: DecisionContext, { task: home, closedAt }: ConversationRecord, id: string): void {
  const task = world.tasks[home]
  if (closedAt !== null || (task && isTaskOver(task))) throw new Fault('CONVERSATION_OVER', { id })
  if (!task) throw new Fault('CONVERSATION_ASLEEP', { id, task: home })
}

type Begun = Pick<ConversationRecord, 'peer' | 'protocol' | 'task' | 'agent' | 'ours' | 'callback'>

/** A conversation that the other side begins, by an id that both sides know. */
export function openTheirs(context: DecisionContext, begun: Begun): { id: ConversationId; shared: string } {
  const [id, shared] = [context.id<ConversationId>(), `conv-${context.id()}`]
  context.emit('conversation.opened', { ...begun, conversation: id, shared, openedBy: 'them' })
  return { id, shared }
}

/** The task of a conversation with an agent of another system, managed by the one of ours who holds it. */
export function addConversationTask(context: DecisionContext, agent: AgentId, uri: string, manager: AgentId): TaskId {
  const who = context.name(agent)
  return addTask(context, {
    name: context.say('conversationWith', { who }),
    intention: context.say('conversationGoal', { who, uri }),
    manager,
    members: [agent],
    conversation: true,
  })
}

const NAME_CHARACTERS = 80

function configOf(id: AgentId, uri: string, peer: PeerId): AgentConfig {
  const [, domain = '', path = ''] = /^agent:\/\/([^/]*)\/?(.*)$/s.exec(uri) ?? []
  return {
    ...PLAIN_AGENT,
    id,
    configId: '',
    kind: 'outside',
    name: (path === '' ? domain : path).slice(0, NAME_CHARACTERS),
    role: domain.slice(0, NAME_CHARACTERS),
    profile: uri,
    outside: { uri, peer },
  }
}

/** The other side has given it an id; the notes of it name that one from now on. */
export function nameConversation(context: DecisionContext, conversation: ConversationRecord, shared: string): void {
  const { id, peer } = conversation
  context.emit('conversation.named', { conversation: id, peer, shared })
  const holders = removeNotes(context, id)
  for (const agent of holders) noteConversation(context, agent, { ...conversation, shared })
}

/** One that is closed already stays as it is. */
export function closeConversation(
  context: DecisionContext,
  { id, peer, closedAt }: ConversationRecord,
  reason: string,
): void {
  if (closedAt !== null) return
  context.emit('conversation.closed', { conversation: id, peer, reason })
  removeNotes(context, id)
}

/** Stores the conversation's id as a note of the agent that writes in it, once. Does nothing for people. */
export function noteConversation(
  context: DecisionContext,
  agent: AgentId,
  { id, shared, agent: partner }: ConversationRecord,
): void {
  const { world, at } = context
  const notes = world.memory[agent] ?? []
  if (!runsSteps(world, agent) || notes.some(({ conversation }) => conversation === id)) return
  const { name: who = '', outside } = world.agents[partner] ?? {}
  const text = context.say('conversationNote', { who, uri: outside?.uri ?? '', id: shared ?? id })
  // It belongs to no task: it is kept as long as the conversation, also while that is archived.
  context.emit('memory.added', { agent, note: { key: memoryKey(at, notes), text, task: null, conversation: id } })
}

/** out: whose they were */
function removeNotes(context: DecisionContext, conversation: ConversationId): AgentId[] {
  const found = (Object.entries(context.world.memory) as [AgentId, MemoryNote[]][]).flatMap(([agent, notes]) =>
    notes.flatMap((note) => (note.conversation === conversation ? [{ agent, key: note.key }] : [])),
  )
  for (const one of found) context.emit('memory.removed', one)
  return found.map(({ agent }) => agent)
}

/** Close all conversations of a task that is over. */
export function closeConversationsOf(context: DecisionContext, task: TaskId, reason: string): void {
  for (const conversation of selectConversationsOf(context.world, task))
    closeConversation(context, conversation, reason)
}
