/** Messages: sending and delivering are one decision. */

import { shownFileName } from '@/lib/format/fileName'
import { audienceOf } from '../../access/visibility'
import { openAsks } from '../../asks/commands/openRequest'
import type { DecisionContext } from '../../commands/decisionContext'
import { type AgentId, type ConversationId, type MessageId, SYSTEM_TASK, type TaskId } from '../../ids'
import { isAsked, type MemberKind, runsSteps } from '../../members/traits'
import { outgoingKey } from '../../outside/outside'
import { selectConversationTask, selectConversationTo } from '../../outside/outsideWork'
import type { Protocol } from '../../outside/peerProtocols'
import { PROTOCOL_TRAITS } from '../../outside/peerProtocols'
import type { PeerRecord } from '../../outside/records'
import type { MessageRecord } from '../../records'
import { isPresent, selectStep } from '../../team/agents'
import { findLock, releaseLock } from '../../waits/commands/locks'
import { agentReceives } from './deliverToAgent'
import { humanReceives } from './deliverToPerson'
import { type NewMessage, PLAIN_MESSAGE, type Utterance } from './newMessage'

/** Send and deliver. Receivers were checked by the caller. */
export function deliver(context: DecisionContext, utterance: Utterance): MessageId {
  const message = deliverUnasked(context, utterance)
  if (isAsked(context.world, utterance.sender)) openAsks(context, utterance.task, [message])
  return message
}

/** The same of one of several messages of a person: what they ask is opened after the last one, by openAsks. */
export function deliverUnasked(
  context: DecisionContext,
  { text, beginsThread = false, choices, ...more }: Utterance,
): MessageId {
  const spoken = typeof text === 'string' ? { text } : { text: context.textOf(text), said: text }
  const id = context.id<MessageId>()
  const audience = audienceOf(context.world.tasks[more.task])
  const given = {
    ...PLAIN_MESSAGE,
    audience,
    dispatch: id,
    ...more,
    ...spoken,
    ...(beginsThread ? { thread: id } : {}),
  }
  // Also of agents and other systems, whatever they call a file.
  const attachments = given.attachments.map((file) => ({ ...file, name: shownFileName(file.name) }))
  const sent = { ...given, attachments }
  const { type: kind, ...shape } = sent
  context.emit('message.sent', { message: id, kind, ...shape })
  const message: NewMessage = { ...sent, choices }
  message.receivers.forEach((receiver, index) => {
    const waiting = message.waiting?.[index] ?? null
    if (isHeldBack(context, message, receiver)) holdBack(context, id, receiver, message)
    else receives(context, id, receiver, waiting, message)
  })
  return id
}

type Receives = typeof agentReceives

/** How a message reaches a member, by kind. */
const RECEIVES: Readonly<Record<MemberKind, Receives>> = {
  llm: agentReceives,
  human: humanReceives,
  outside: (context, id, agent, _, message) => goesOutside(context, id, agent, message),
}

const receives: Receives = (context, id, agent, waiting, message) =>
  RECEIVES[context.world.agents[agent]?.kind ?? 'llm'](context, id, agent, waiting, message)

/** Messages to an agent wait while it or the task is paused. Those to people, and the task's own, start no work. */
const isHeldBack = (context: DecisionContext, { task, sender }: NewMessage, receiver: AgentId): boolean =>
  sender !== SYSTEM_TASK &&
  !isAsked(context.world, receiver) &&
  ((context.world.tasks[task]?.paused ?? null) !== null || (context.world.agents[receiver]?.paused ?? null) !== null)

/** Queue the message; its waiting id is returned now, so that no agent waits for a second answer. */
function holdBack(
  context: DecisionContext,
  id: MessageId,
  agent: AgentId,
  { task, sender, returnWaiting }: NewMessage,
): void {
  context.delivery(task, id, agent, 'queued')
  const held = findLock(context, returnWaiting)
  if (held?.agent === agent) releaseLock(context, held, 'answered', sender === SYSTEM_TASK ? null : sender)
}

/** Deliver a queued message. */
export function deliverHeld(context: DecisionContext, task: TaskId, id: MessageId, agent: AgentId): void {
  const message = context.world.messages[task]?.[id]
  if (!message) return
  if (runsSteps(context.world, agent)) context.delivery(task, id, agent, 'delivered')
  const asked = message.replyTo === null ? null : (context.world.messages[task]?.[message.replyTo]?.fromStep ?? null)
  const asking = asked === null ? null : selectStep(context.world, task, agent, asked)
  const waiting = message.waiting?.[message.receivers.indexOf(agent)] ?? null
  // An answer belongs to the stage in which the agent waited.
  const stage = message.returnWaiting === null ? message.stage : (asking?.stage ?? message.stage)
  receives(context, id, agent, waiting, { ...message, stage })
}

type SystemMessage = Pick<
  Utterance,
  'task' | 'receivers' | 'text' | 'stage' | 'thread' | 'instruction' | 'returnWaiting' | 'replyTo'
>

/** Deliver a message of the task itself: it needs no membership and gets no reply. */
export function deliverSystem(context: DecisionContext, message: SystemMessage): MessageId | null {
  const receivers = message.receivers.filter((agent) => isPresent(context.world, agent))
  if (receivers.length === 0) return null
  return deliver(context, { ...message, receivers, sender: SYSTEM_TASK })
}

/** Queue a message for an agent of another system; messages of the task itself are not sent. */
function goesOutside(context: DecisionContext, id: MessageId, agent: AgentId, message: NewMessage): void {
  const { task, sender, instruction } = message
  if (sender === SYSTEM_TASK) {
    if (instruction?.type === 'start_stage') askForPart(context, task, agent, instruction.stage)
    context.delivery(task, id, agent, 'done')
    return
  }
  if (context.world.outbox[task]?.[outgoingKey({ message: id, agent })]) return
  const peer = context.world.agents[agent]?.outside?.peer
  const record = peer === undefined ? undefined : context.world.peers[peer]
  if (!record || record.removed) {
    context.delivery(task, id, agent, 'failed', context.say('noSuchPeer'))
    return
  }
  context.delivery(task, id, agent, 'queued')
  const open = selectConversationTo(context.world, task, agent)
  const conversation = open?.id ?? context.id<ConversationId>()
  const home = open?.task ?? selectConversationTask(context.world, task, agent)
  // A requester sees one voice: it does not know which agent does the work.
  const ours = home === task ? sender : (open?.ours ?? context.world.tasks[home]?.manager ?? sender)
  if (!open) {
    context.emit('conversation.opened', {
      conversation,
      peer: record.id,
      protocol: spokenWith(record),
      task: home,
      agent,
      ours,
      shared: null,
      openedBy: 'us',
      callback: null,
    })
  }
  context.emit('envelope.queued', { task, message: id, agent, peer: record.id, conversation, ours })
}

/** The first protocol of the peer that carries messages. */
export const spokenWith = ({ may }: PeerRecord): Protocol => may.find((one) => PROTOCOL_TRAITS[one].messages) ?? 'mamp'

/** Outside agents know no stages: the task's manager asks for the part by message, and the answer is its summary. */
function askForPart(
  context: DecisionContext,
  task: TaskId,
  agent: AgentId,
  stage: NonNullable<MessageRecord['stage']>,
): void {
  const record = context.world.stages[task]?.[stage]
  const owner = context.world.tasks[task]
  const own = record?.allocation[agent]
  if (!record || owner?.manager == null || own === undefined) return
  deliver(context, {
    task,
    sender: owner.manager,
    receivers: [agent],
    text: context.say('planGoal', { stage: record.intention, own }),
    stage,
    type: 'action',
  })
}
