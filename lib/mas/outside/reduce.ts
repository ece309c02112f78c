/** Other systems: peers, conversations, envelopes that were taken, messages to be sent. */

import type { ConversationId, PeerId } from '../ids'
import type { World } from '../records'
import { changed, changedOr, withKey, withoutKeys } from '../reduce/branch'
import type { Reducers } from '../reduce/reducer'
import type { CheckpointRecord } from './checkpointRecords'
import { outgoingKey } from './outside'
import type { ConversationRecord, OutgoingRecord } from './records'

/** Number of taken envelopes of a peer in the world. A repeat of an older one is known by the id of its command. */
export const TAKEN_KEPT = 1_000

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
  'envelope.taken': (world, { type: _, v: __, peer, ours, callback, ...taken }, { at, seq }) => ({
    ...world,
    taken: changedOr(world.taken, peer, [], (all) => [...all.slice(1 - TAKEN_KEPT), { ...taken, at, seq }]),
    conversations:
      taken.conversation === null
        ? world.conversations
        : changeConversation(world, { peer, conversation: taken.conversation }, (old) => ({
            ...old,
            ours: ours ?? old.ours,
            callback: callback ?? old.callback,
            lastMessageAt: at,
          })),
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
  'envelope.sent': (world, { next, ...sent }) => ({
    ...world,
    outbox:
      next === null
        ? changed(world.outbox, sent.task, (all) => withoutKeys(all, [outgoingKey(sent)]))
        : changeDelivery(world, sent, (old) => ({ ...old, nextAt: next })),
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
