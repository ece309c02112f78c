/** What we send to other systems: a message to an agent outside is on its way until its system has it. */

import { Fault } from '@/lib/faults'
import { type AgentId, type ConversationId, type MessageId, SYSTEM_TASK, type TaskId } from '../ids'
import type { ConversationRecord, PeerRecord, Protocol, UnsentReason } from '../outsideRecords'
import type { Json, MessageRecord, StepRecord } from '../records'
import { isMember, isTaskOver } from '../selectors/agents'
import {
  deliveryKey,
  findConversation,
  isPending,
  selectConversationsOf,
  selectOpenConversation,
} from '../selectors/outside'
import type { CommandOf } from './command'
import type { DecisionContext } from './decisionContext'
import { failLock } from './locks'
import { endPart } from './parts'
import { deliver, deliverSystem, type NewMessage } from './send'

/** A message to an agent outside: what the task itself says stays here, anything else is put on its way. */
export function goesOutside(context: DecisionContext, id: MessageId, agent: AgentId, message: NewMessage): void {
  const { task, sender, instruction } = message
  if (sender === SYSTEM_TASK) {
    if (instruction?.type === 'start_stage') askForPart(context, task, agent, instruction.stage)
    context.emit('message.receipt', { task, message: id, agent, state: 'done', note: null })
    return
  }
  if (context.world.outbox[task]?.[deliveryKey({ message: id, agent })]) return
  const peer = context.world.agents[agent]?.outside?.peer
  const record = peer === undefined ? undefined : context.world.peers[peer]
  if (!record || record.removed) {
    context.emit('message.receipt', { task, message: id, agent, state: 'failed', note: context.say('noSuchPeer') })
    return
  }
  context.emit('message.held', { task, message: id, agent })
  const open = selectOpenConversation(context.world, task, agent)
  const conversation = open?.id ?? context.id<ConversationId>()
  if (!open) {
    context.emit('conversation.opened', {
      conversation,
      peer: record.id,
      protocol: spokenWith(record),
      task,
      agent,
      ours: sender,
      shared: null,
      openedBy: 'us',
      callback: null,
    })
  }
  context.emit('envelope.queued', { task, message: id, agent, peer: record.id, conversation, ours: sender })
}

/** The first language of the peer that has messages in it: MAP has none. */
const spokenWith = ({ may }: PeerRecord): Protocol => may.find((one) => one !== 'map') ?? 'mamp'

/** An agent outside knows no stages: the task's manager asks it for its share, and its answer is the summary. */
function askForPart(
  context: DecisionContext,
  task: TaskId,
  agent: AgentId,
  stage: NonNullable<MessageRecord['stage']>,
): void {
  const record = context.world.stages[task]?.[stage]
  const owner = context.world.tasks[task]
  const own = record?.allocation[agent]
  if (!record || !owner || own === undefined) return
  deliver(context, {
    task,
    sender: owner.manager,
    receivers: [agent],
    text: context.say('planGoal', { stage: record.intention, own }),
    stage,
    thread: null,
    needReply: true,
    waiting: null,
    returnWaiting: null,
    instruction: null,
  })
}

/** A try begins; refused when there is nothing to send any more. */
export function startDelivery(context: DecisionContext, command: CommandOf<'startDelivery'>): Json {
  const { task, message, agent, node } = command
  const delivery = context.world.outbox[task]?.[deliveryKey(command)]
  if (!delivery || !isPending(context.world, delivery)) throw new Fault('ALREADY_SO', { what: 'it is not to be sent' })
  const attempt = delivery.attempts + 1
  context.emit('envelope.started', { task, message, agent, attempt, node })
  return { attempt }
}

/** A try is over. What came back of an earlier try is kept for the record all the same. */
export function finishDelivery(context: DecisionContext, command: CommandOf<'finishDelivery'>): void {
  const { task, message: id, agent, verdict, shared, next, why: reason, ...line } = command
  const delivery = context.world.outbox[task]?.[deliveryKey(command)]
  const conversation = delivery && findConversation(context.world, delivery.conversation)
  if (!delivery || !conversation) throw new Fault('ALREADY_SO', { what: 'it was settled before' })
  const { type: _, ...told } = line
  const why = reason === null ? null : saysUnsent(context, reason)
  context.emit('envelope.sent', {
    ...told,
    task,
    agent,
    message: id,
    peer: delivery.peer,
    protocol: conversation.protocol,
    conversation: conversation.id,
    theirs: id,
    verdict,
    why,
    ...(reason === null ? {} : { reason }),
    next: verdict === 'retry' ? next : null,
  })
  if (verdict === 'delivered') {
    context.emit('message.receipt', { task, message: id, agent, state: 'delivered', note: null })
    if (shared !== null && conversation.shared === null) {
      context.emit('conversation.named', { conversation: conversation.id, peer: delivery.peer, shared })
    }
  }
  if (verdict === 'failed') failDelivery(context, { task, message: id, agent }, why ?? context.say('notDelivered'))
  if (command.closes) closeConversation(context, conversation, why ?? context.say('notDelivered'))
}

/** The reason as the team reads it, where words are stored. */
function saysUnsent(context: DecisionContext, reason: UnsentReason): string {
  switch (reason.code) {
    case 'noAddress':
      return context.say('unsentNoAddress')
    case 'notConnected':
      return context.say('unsentNotConnected')
    case 'noWay':
      return context.say('unsentNoWay')
    case 'toBeFetched':
      return context.say('unsentToBeFetched')
    case 'answered':
      return context.say('unsentAnswered', reason)
    case 'private':
      return context.say('unsentPrivate', reason)
    case 'late':
      return context.say('unsentLate', reason)
    case 'network':
      return context.say('unsentNetwork', reason)
  }
}

/** It will not arrive: whoever waits for the answer, or wanted one, is told. */
function failDelivery(
  context: DecisionContext,
  { task, message: id, agent }: { task: TaskId; message: MessageId; agent: AgentId },
  why: string,
): void {
  const message = context.world.messages[task]?.[id]
  context.emit('message.receipt', { task, message: id, agent, state: 'failed', note: why })
  const owner = context.world.tasks[task]
  if (!message || !owner || isTaskOver(owner)) return
  const waiting = message.waiting?.[message.receivers.indexOf(agent)]
  const isLocked = waiting !== undefined && lockHolders(context, waiting) > 0
  if (isLocked) failLock(context, waiting, agent, why)
  else if (message.sender !== SYSTEM_TASK && context.world.agents[message.sender]?.kind === 'llm') {
    const who = context.world.agents[agent]?.name ?? ''
    deliverSystem(context, {
      task,
      receivers: [message.sender],
      text: context.say('outcome', { who, how: 'failed', why }),
      stage: message.stage,
      thread: message.thread,
      instruction: null,
      returnWaiting: null,
      replyTo: id,
    })
  }
  if (message.stage !== null) endPart(context, task, message.stage, agent, { failed: why })
}

const lockHolders = (context: DecisionContext, waiting: string): number =>
  Object.values(context.world.work).filter((work) => work.locks.some((lock) => lock.id === waiting)).length

/** What another system asked will not be answered: it is told so, without our reasons. */
export function tellUnanswered(
  context: DecisionContext,
  step: Pick<StepRecord, 'task' | 'agent' | 'thread' | 'answers'>,
): void {
  const { task, agent, thread, answers } = step
  const owner = context.world.tasks[task]
  if (answers === null || context.world.agents[answers.to]?.kind !== 'outside') return
  if (!owner || isTaskOver(owner) || !isMember(context.world, task, answers.to)) return
  deliver(context, {
    task,
    sender: agent,
    receivers: [answers.to],
    text: context.say('willNotAnswer'),
    stage: answers.stage,
    thread,
    needReply: false,
    waiting: null,
    returnWaiting: null,
    instruction: null,
    replyTo: answers.message,
  })
}

export function closeConversation(
  context: DecisionContext,
  { id, peer, closedAt }: ConversationRecord,
  reason: string,
): void {
  if (closedAt === null) context.emit('conversation.closed', { conversation: id, peer, reason })
}

/** The task is over: nothing is said in its conversations any more. */
export function closeConversationsOf(context: DecisionContext, task: TaskId, reason: string): void {
  for (const conversation of selectConversationsOf(context.world, task))
    closeConversation(context, conversation, reason)
}
