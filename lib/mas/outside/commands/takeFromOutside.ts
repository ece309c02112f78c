/** A message of an agent of another system becomes a message of ours, in any protocol. */

import { Fault } from '@/lib/faults'
import { beginningOf, shaOf } from '../../bodies'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { mustBeMessage } from '../../commands/texts'
import type { EventShape } from '../../events'
import type { AgentId, MessageId, PeerId, TaskId, WaitingId } from '../../ids'
import { isElsewhere } from '../../members/traits'
import { deliver } from '../../messages/commands/deliver'
import { typeOfNeeds } from '../../messages/records'
import type { Json, MessageRecord } from '../../records'
import { endPart } from '../../stages/commands/parts'
import { isTaskOver, isWorkUnderWay } from '../../statuses'
import { addParticipants } from '../../tasks/commands/addTask'
import { isMember, isPresent } from '../../team/agents'
import { findLock } from '../../waits/commands/locks'
import { isUnseen, outsideIdOf, selectAskedOutside, selectConversation, selectTaken } from '../outside'
import { selectWorkOf, waitsForOutside } from '../outsideWork'
import type { ConversationRecord, NewEnvelope, PeerRecord } from '../records'
import {
  addConversationTask,
  mustBePeer,
  mustGoOn,
  nameConversation,
  openTheirs,
  outsideAgentOf,
} from './conversations'
import { checkPeerLimits } from './peerLimits'

const SUMMARY_CHARACTERS = 4_000

/** The outcome. repeat: it was taken before, and nothing changed now. content: contentShaOf() the first envelope of that id. */
type TakenOutcome = {
  conversation: string | null
  message: MessageId | null
  task: TaskId | null
  repeat: boolean
  content: string | null
}

/** SHA-256 of a message without its envelope, whose conversation and time may differ in a repeat. Of a fetched file the address counts. */
export const contentShaOf = ({
  to,
  text,
  attachments,
  needReply,
  inReplyTo,
  callback,
}: CommandOf<'takeFromOutside'>): string =>
  shaOf(
    JSON.stringify([
      to,
      text,
      needReply,
      inReplyTo,
      callback,
      attachments
        .filter(({ copiedFrom }) => copiedFrom === undefined)
        .map(({ name, body }) => [name, body.mime, body.sha]),
    ]),
  )

/**
 * A message of an agent outside. Its sender's own id makes a repeat without effect.
 *
 * faults  ENVELOPE_ID_TAKEN: the id was used for something else; NOT_ALLOWED, RECEIVER_UNKNOWN, CONVERSATION_…
 */
export function takeFromOutside(
  context: DecisionContext,
  command: CommandOf<'takeFromOutside'>,
): TakenOutcome & { [key: string]: Json } {
  const peer = mustBePeer(context, command.peer, command.protocol)
  const before = selectTaken(context.world, command)
  const content = contentShaOf(command)
  if (before) {
    if ((before.content ?? content) !== content) throw new Fault('ENVELOPE_ID_TAKEN', { id: command.theirs })
    const known = before.conversation === null ? null : context.world.conversations[peer.id]?.[before.conversation]
    return { conversation: known?.shared ?? null, message: before.message, task: before.task, repeat: true, content }
  }
  mustBeMessage(command)
  const agent = outsideAgentOf(context, command.from)
  const known = command.shared === null ? null : conversationOf(context, command.peer, command.shared, agent)
  if (!mayReach(context, peer, command.to, known?.task ?? null)) throw new Fault('RECEIVER_UNKNOWN', { id: command.to })
  const { id, task, shared, openedBy } = known ?? openConversation(context, command, agent)
  addParticipants(context, task, [command.to, agent])

  const about = askedOf(context, task, agent, command)
  const { workState } = command
  // Work that is under way, or that needs to know something of us, has not answered what asked for it.
  const isOpen = workState === 'input_required' || isWorkUnderWay(workState)
  const answered = isOpen ? null : about
  // What it says goes to the task where it was asked for: that may be work that this agent requested.
  const place = about?.task ?? task
  const needReply = isOpen
    ? workState === 'input_required'
    : (command.needReply ?? (answered === null && command.inReplyTo === null && openedBy === 'them'))
  if (about === null) checkPeerLimits(context, peer, command.begins)
  const receiver = receiverOf(context, about, command.to, task)
  const others = (command.also ?? []).filter((one) => one !== receiver && mayReach(context, peer, one, place))
  addParticipants(context, place, others)
  const isWaitedFor = needReply && waitsForOutside(context.world, receiver, agent)
  const message = deliver(context, {
    task: place,
    sender: agent,
    receivers: [receiver, ...others],
    text: command.text,
    stage: about?.stage ?? null,
    thread: about?.thread ?? null,
    type: typeOfNeeds({ needReply, waiting: isWaitedFor }),
    waiting: isWaitedFor ? [receiver, ...others].map(() => context.id<WaitingId>()) : null,
    returnWaiting: answered?.waiting?.[answered.receivers.indexOf(agent)] ?? null,
    replyTo: about?.id ?? command.continues ?? null,
    attachments: command.attachments,
    ...(workState === undefined ? {} : { workState }),
  })
  if (answered !== null) settleAnswered(context, agent, answered, command)
  see(context, peer)
  const { protocol, theirs, status, bytes, sha, body, callback, to: ours } = command
  takeEnvelope(context, {
    ...{ peer: peer.id, protocol, conversation: id, task: place, outsider: agent, message, theirs, content },
    ...{ ours, callback, status, bytes, sha, body },
  })
  return { conversation: shared, message, task: place, repeat: false, content }
}

/** Who asked; where they are gone, the manager of the work, or whom it addressed. */
function receiverOf(context: DecisionContext, answered: MessageRecord | null, to: AgentId, home: TaskId): AgentId {
  if (answered === null || answered.sender === 'system:task') return to
  if (isPresent(context.world, answered.sender)) return answered.sender
  const manager = context.world.tasks[answered.task]?.manager
  return answered.task === home || manager == null ? to : manager
}

type Taking = EventShape<'envelope.taken'> & Pick<NewEnvelope, 'status' | 'bytes' | 'sha' | 'body'>

/** An envelope of a peer had its effect, and is logged. */
export function takeEnvelope(context: DecisionContext, { status, bytes, sha, body, ...taken }: Taking): void {
  context.emit('envelope.taken', taken)
  const { ours: _, callback: __, ...known } = taken
  const outcome = { verdict: 'taken', status, why: null, by: null }
  context.logEnvelope({ direction: 'in', ...known, ...outcome, bytes, sha, body })
}

/** Its key was valid: it is seen, whatever its rights. Throws NOT_ALLOWED. */
export function seePeer(context: DecisionContext, command: CommandOf<'seePeer'>): void {
  const peer = context.world.peers[command.peer]
  if (!peer || peer.removed) throw new Fault('NOT_ALLOWED', { what: 'reach us' })
  see(context, peer)
}

/** It showed its key. */
function see(context: DecisionContext, peer: PeerRecord): void {
  if (isUnseen(peer, context.at)) context.emit('peer.seen', { peer: peer.id })
}

/** Without a list it reaches the manager of the base task, and in an open conversation the members of that. */
function mayReach(context: DecisionContext, peer: PeerRecord, to: AgentId, task: TaskId | null): boolean {
  const { baseTask } = context.world
  const host = baseTask === null ? undefined : context.world.tasks[baseTask]?.manager
  const reach = peer.agents.length > 0 ? peer.agents : [host]
  const isPartner = task !== null && isMember(context.world, task, to)
  // Whom it may address it may draw into a conversation, but into no task that is more than that.
  const isOpenHere = task === null || context.world.tasks[task]?.conversation === true
  return (
    (isPartner || (isOpenHere && reach.includes(to))) && isPresent(context.world, to) && !isElsewhere(context.world, to)
  )
}

type Place = Pick<ConversationRecord, 'id' | 'task' | 'shared' | 'openedBy'>

function conversationOf(context: DecisionContext, peer: PeerId, id: string, agent: AgentId): ConversationRecord {
  const known = selectConversation(context.world, peer, id) ?? named(context, peer, agent, id)
  if (!known || known.agent !== agent) throw new Fault('CONVERSATION_UNKNOWN', { id })
  mustGoOn(context, known, id)
  return known
}

/** Their answer may come before the answer of the call that began the conversation: then it tells us its id. */
function named(context: DecisionContext, peer: PeerId, agent: AgentId, shared: string): ConversationRecord | null {
  const unnamed = Object.values(context.world.conversations[peer] ?? {}).filter(
    (one: ConversationRecord) => one.agent === agent && one.shared === null && one.closedAt === null,
  )
  const [only] = unnamed
  const isUnderWay = Object.values(context.world.outbox[only?.task ?? ('' as TaskId)] ?? {}).some(
    (outgoing) => outgoing.conversation === only?.id && outgoing.attempts > 0,
  )
  if (!only || unnamed.length > 1 || !isUnderWay) return null
  nameConversation(context, only, shared)
  return { ...only, shared }
}

/** A new conversation is a task of its own, managed by the agent that was addressed. */
function openConversation(context: DecisionContext, command: CommandOf<'takeFromOutside'>, agent: AgentId): Place {
  const { peer, protocol, to: ours, callback } = command
  const task = addConversationTask(context, agent, command.from, ours)
  return { ...openTheirs(context, { peer, protocol, task, agent, ours, callback }), task, openedBy: 'them' }
}

/** The question of ours that it answers, also in work that it asked for: the one that it names, else the oldest; null: none. */
function askedOf(
  context: DecisionContext,
  task: TaskId,
  agent: AgentId,
  { inReplyTo, to, needReply, workState }: CommandOf<'takeFromOutside'>,
): MessageRecord | null {
  const work = selectWorkOf(context.world, task).filter((one) => !isTaskOver(one) && one.requestedBy === agent)
  const asked = [task, ...work.map(({ id }) => id)]
    .flatMap((one) => selectAskedOutside(context.world, one, agent))
    .sort((a, b) => a.seq - b.seq)
  if (inReplyTo !== null)
    return asked.find((one) => [one.id, outsideIdOf(context.world, one, agent)].some((id) => id === inReplyTo)) ?? null
  // It says itself that it asks for something of its own.
  if (needReply === true && workState === undefined) return null
  return asked.find((message) => message.sender === to) ?? asked[0] ?? null
}

function settleAnswered(
  context: DecisionContext,
  agent: AgentId,
  answered: MessageRecord,
  { text, workState }: CommandOf<'takeFromOutside'>,
): void {
  const { task } = answered
  const waiting = answered.waiting?.[answered.receivers.indexOf(agent)]
  // A pause may hold the message back, and a lock of another agent stays: an answer ends the wait nevertheless.
  const held = waiting === undefined ? null : findLock(context, waiting)
  if (held === null) {
    context.delivery(task, answered.id, agent, 'answered')
  }
  if (answered.stage !== null) {
    const said = beginningOf(text, SUMMARY_CHARACTERS)
    endPart(context, task, answered.stage, agent, workState === 'failed' ? { failed: said } : { summary: said })
  }
}
