/** Other systems: peers, conversations, messages to be sent, the exchange. */
import type { CheckpointRecord } from '../checkpointRecords'
import type { ConversationId, PeerId } from '../ids'
import type { ConversationRecord, EnvelopeRecord, OutgoingRecord } from '../outsideRecords'
import type { World } from '../records'
import { outgoingKey } from '../selectors/outside/outside'
import { changed, changedOr, withKey, withoutKeys } from './branch'
import type { EventPosition, Reducers } from './reducer'

/** Number of envelopes of a peer in the world; older ones are in the journal. */
export const ENVELOPES_KEPT = 1_000

const changeConversation = (
  world: World,
  { peer, conversation }: { peer: PeerId; conversation: ConversationId },
  change: (old: ConversationRecord) => ConversationRecord,
): World['conversations'] => changed(world.conversations, peer, (all) => changed(all, conversation, change))

const changeDelivery = (
  world: World,
  event: Pick<OutgoingRecord, 'task' | 'message' | 'agent'>,
  change: (old: OutgoingRecord) => OutgoingRecord,
): World['outbox'] => changed(world.outbox, event.task, (all) => changed(all, outgoingKey(event), change))

const withLine = (
  world: World,
  peer: PeerId,
  line: Omit<EnvelopeRecord, 'at' | 'seq'>,
  { at, seq }: EventPosition,
): World['exchange'] =>
  changedOr(world.exchange, peer, [], (lines) => [...lines.slice(1 - ENVELOPES_KEPT), { ...line, at, seq }])

const NO_MESSAGE = { conversation: null, task: null, outsider: null, message: null }

/** Number of checkpoints of an agent in the world; older ones are in the journal. */
export const CHECKPOINTS_KEPT = 1_000

export const outsideReducers = {
  'peer.added': (world, { peer, config }, { at }) => ({
    ...world,
    peers: withKey(world.peers, peer, {
      ...config,
      removed: false,
      addedAt: world.peers[peer]?.addedAt ?? at,
      seenAt: world.peers[peer]?.seenAt ?? null,
      ...(world.peers[peer]?.spent === undefined ? {} : { spent: world.peers[peer].spent }),
    }),
  }),
  'peer.removed': (world, { peer }) => ({
    ...world,
    peers: changed(world.peers, peer, (old) => ({ ...old, removed: true })),
  }),
  'peer.seen': (world, { peer }, { at }) => ({
    ...world,
    peers: changed(world.peers, peer, (old) => ({ ...old, seenAt: at })),
  }),
  'conversation.opened': (world, { type: _, v: __, conversation, ...event }, { at }) => ({
    ...world,
    conversations: changedOr(world.conversations, event.peer, {}, (all) =>
      withKey(all, conversation, {
        ...event,
        id: conversation,
        createdAt: at,
        lastMessageAt: at,
        closedAt: null,
        closedBecause: null,
      }),
    ),
  }),
  'conversation.named': (world, event) => ({
    ...world,
    conversations: changeConversation(world, event, (old) => ({ ...old, shared: event.shared })),
  }),
  'conversation.closed': (world, event, { at }) => ({
    ...world,
    conversations: changeConversation(world, event, (old) =>
      old.closedAt === null ? { ...old, closedAt: at, closedBecause: event.reason } : old,
    ),
  }),
  'envelope.received': (world, { type: _, v: __, peer, ours, callback, ...line }, place) => ({
    ...world,
    exchange: withLine(world, peer, { ...line, direction: 'in', by: null }, place),
    conversations:
      line.conversation === null || line.verdict !== 'taken'
        ? world.conversations
        : changeConversation(world, { peer, conversation: line.conversation }, (old) => ({
            ...old,
            ours: ours ?? old.ours,
            callback: callback ?? old.callback,
            lastMessageAt: place.at,
          })),
  }),
  'envelope.answered': (world, { type: _, v: __, peer, ...line }, place) => ({
    ...world,
    exchange: withLine(world, peer, { ...NO_MESSAGE, ...line, direction: 'out', by: 'call' }, place),
  }),
  'envelope.queued': (world, { task, message, agent, peer, conversation, ours }, { at }) => ({
    ...world,
    outbox: changedOr(world.outbox, task, {}, (all) =>
      withKey(all, outgoingKey({ message, agent }), {
        task,
        message,
        agent,
        peer,
        conversation,
        queuedAt: at,
        attempts: 0,
        nextAt: at,
      }),
    ),
    conversations: changeConversation(world, { peer, conversation }, (old) => ({ ...old, ours, lastMessageAt: at })),
  }),
  'envelope.started': (world, event) => ({
    ...world,
    outbox: changeDelivery(world, event, (old) => ({ ...old, attempts: event.attempt })),
  }),
  'envelope.sent': (world, { type: _, v: __, peer, next, agent, ...line }, place) => ({
    ...world,
    exchange: withLine(world, peer, { ...line, outsider: agent, direction: 'out', body: line.body ?? null }, place),
    outbox:
      next === null
        ? changed(world.outbox, line.task, (all) => withoutKeys(all, [outgoingKey({ ...line, agent })]))
        : changeDelivery(world, { ...line, agent }, (old) => ({ ...old, nextAt: next })),
  }),
  'checkpoint.reported': (world, { type: _, v: __, timestamp, checkpoint: id, ...said }, { at, seq }) => ({
    ...world,
    checkpoints: changedOr(world.checkpoints, said.agent, [], (known) => {
      const others = known.filter((one) => one.id !== id)
      const reported: CheckpointRecord = { ...said, id, at: timestamp ?? at, seq }
      return [...others.slice(1 - CHECKPOINTS_KEPT), reported]
    }),
  }),
} satisfies Reducers
