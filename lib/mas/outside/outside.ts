/** Questions about other systems: the agent of a URI, the open conversation, pending deliveries. */

import { type AgentId, type ConversationId, type MessageId, makeIds, type PeerId, type TaskId } from '../ids'
import { needsReply } from '../messages/records'
import type { AgentRecord, MessageRecord, World } from '../records'
import { isSettled, isTaskOver } from '../statuses'
import type { CheckpointRecord } from './checkpointRecords'
import type { Protocol } from './peerProtocols'
import type { ConversationRecord, OutgoingRecord, PeerRecord, TakenRecord } from './records'

export const outgoingKey = ({ message, agent }: { message: MessageId; agent: AgentId }): string => `${message}/${agent}`

/** Whether the URI matches the pattern. Each `*` matches any text; a pattern without a path matches all agents of its domain. */
export function fitsPattern(pattern: string, uri: string): boolean {
  const whole = /^agent:\/\/[^/]+\/?$/.test(pattern) ? `${pattern.replace(/\/$/, '')}/*` : pattern
  // Pieces are looked for from left to right, so a pattern of many stars costs no more than its length.
  const pieces = whole.split('*')
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)]
  if (pieces.length === 1) return uri === whole
  if (!uri.startsWith(first) || !uri.endsWith(last) || uri.length < first.length + last.length) return false
  const end = uri.length - last.length
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = uri.indexOf(piece, at)
    if (found < 0 || found + piece.length > end) return false
    at = found + piece.length
  }
  return true
}

export const isPattern = (uri: string): boolean => uri.includes('*') || /^agent:\/\/[^/]+\/?$/.test(uri)

/** The current peers. */
export const selectPeers = (world: Pick<World, 'peers'>): PeerRecord[] =>
  (Object.values(world.peers) as PeerRecord[]).filter((peer) => !peer.removed)

/** Whose agent that URI is: the peer that names it most exactly. */
export function selectPeerOf(world: World, uri: string): PeerRecord | null {
  const fitting = selectPeers(world).filter((peer) => fitsPattern(peer.uri, uri))
  return fitting.sort((a, b) => b.uri.length - a.uri.length)[0] ?? null
}

/** Once a minute is enough to know that it showed its key. */
const SEEN_EVERY_MS = 60_000
export const isUnseen = ({ seenAt }: PeerRecord, at: number): boolean => seenAt === null || at - seenAt >= SEEN_EVERY_MS

export const selectOutsideAgent = (world: World, uri: string): AgentRecord | null =>
  Object.values(world.agents).find((agent: AgentRecord) => agent.outside?.uri === uri) ?? null

/** The conversation that both sides know by this id. */
export const selectConversation = (world: World, peer: PeerId, shared: string): ConversationRecord | null =>
  Object.values(world.conversations[peer] ?? {}).find((one: ConversationRecord) => one.shared === shared) ?? null

export const findConversation = (world: World, id: ConversationId): ConversationRecord | null => {
  for (const all of Object.values(world.conversations)) if (all[id]) return all[id]
  return null
}

export function selectOpenConversation(world: World, task: TaskId, agent: AgentId): ConversationRecord | null {
  const peer = world.agents[agent]?.outside?.peer
  const all: ConversationRecord[] = peer === undefined ? [] : Object.values(world.conversations[peer] ?? {})
  return all.findLast((one) => one.task === task && one.agent === agent && one.closedAt === null) ?? null
}

export const selectConversationsOf = (world: World, task: TaskId): ConversationRecord[] =>
  Object.values(world.conversations).flatMap((all: Record<ConversationId, ConversationRecord>) =>
    Object.values(all).filter((one: ConversationRecord) => one.task === task),
  )

/** The envelope of that id that was taken from this agent before: a repeat has no second effect. */
export const selectTaken = (
  world: World,
  { peer, protocol, from, theirs }: { peer: PeerId; protocol: Protocol; from: string; theirs: string },
): TakenRecord | null =>
  world.taken[peer]?.find(
    (one) =>
      one.protocol === protocol &&
      one.theirs === theirs &&
      one.outsider !== null &&
      world.agents[one.outsider]?.outside?.uri === from,
  ) ?? null

/** What we asked this agent in the task and it has not answered, oldest first. */
export const selectAskedOutside = (world: World, task: TaskId, agent: AgentId): MessageRecord[] =>
  Object.values(world.messages[task] ?? {})
    .filter((message: MessageRecord) => {
      const delivery = world.deliveries[task]?.[agent]?.[message.id]
      return needsReply(message.type) && delivery !== undefined && !isSettled(delivery.state)
    })
    .sort((a: MessageRecord, b: MessageRecord) => a.seq - b.seq)

/** The id by which an agent of another system knows our message. Where it goes to several agents of one peer, each has its own. */
export function outsideIdOf(
  world: World,
  { id, receivers }: Pick<MessageRecord, 'id' | 'receivers'>,
  agent: AgentId,
): MessageId {
  const peerOf = (one: AgentId): PeerId | undefined => world.agents[one]?.outside?.peer
  const first = receivers.find((one) => peerOf(one) === peerOf(agent))
  return first === undefined || first === agent ? id : makeIds(JSON.stringify([id, agent]))<MessageId>()
}

/** Whether the delivery is pending: not answered, superseded or failed meanwhile. */
export const isPending = (world: World, { task, agent, message }: OutgoingRecord): boolean =>
  world.deliveries[task]?.[agent]?.[message]?.state === 'queued'

/**
 * What is to be sent, oldest first: of each conversation only the first, so that nothing overtakes.
 *
 * out     also what is not yet due (`nextAt`), or is being tried; nothing of a paused task or agent. A task that is over sends
 *         nothing but what its requester was told before
 */
export function selectOutgoing(world: World): OutgoingRecord[] {
  const first = new Map<ConversationId, OutgoingRecord>()
  // A conversation carries messages of its own task and of the work that was asked for in it.
  const seqOf = ({ task, message }: OutgoingRecord): number => world.messages[task]?.[message]?.seq ?? 0
  for (const [task, all] of Object.entries(world.outbox) as [TaskId, Record<string, OutgoingRecord>][]) {
    const owner = world.tasks[task]
    if (!owner || owner.paused) continue
    for (const outgoing of Object.values(all)) {
      if (world.agents[outgoing.agent]?.paused || !isPending(world, outgoing)) continue
      if (isTaskOver(owner) && owner.requestedBy !== outgoing.agent) continue
      const other = first.get(outgoing.conversation)
      if (other === undefined || seqOf(outgoing) < seqOf(other)) first.set(outgoing.conversation, outgoing)
    }
  }
  return [...first.values()]
}

export function findCheckpoint(world: World, id: string): CheckpointRecord | null {
  for (const all of Object.values(world.checkpoints)) {
    const found = all.find((one: CheckpointRecord) => one.id === id)
    if (found) return found
  }
  return null
}

/** The checkpoints of the agents, without a defined order. */
export const selectCheckpointsOf = (world: World, agents: Iterable<AgentId>): CheckpointRecord[] =>
  [...agents].flatMap((agent) => world.checkpoints[agent] ?? [])
