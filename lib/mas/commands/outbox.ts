/**
 * What we send to other systems: a message to an agent outside is on its way until its system has it.
 *
 * Owns: putting a message on its way, the tries of it and what each came to, closing conversations.
 * Not here: sending itself (server/faces), what comes in (takeFromOutside.ts).
 */

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
import type { DecisionContext } from './draft'
import { failLock } from './locks'
import { endPart } from './parts'
import { deliver, deliverSystem, type NewMessage } from './send'

/** A message to an agent outside: what the task itself says stays here, anything else is put on its way. */
export function goesOutside(draft: DecisionContext, id: MessageId, agent: AgentId, message: NewMessage): void {
  const { task, sender, instruction } = message
  if (sender === SYSTEM_TASK) {
    if (instruction?.type === 'start_stage') askForPart(draft, task, agent, instruction.stage)
    draft.emit('message.receipt', { task, message: id, agent, state: 'done', note: null })
    return
  }
  if (draft.world.outbox[task]?.[deliveryKey({ message: id, agent })]) return
  const peer = draft.world.agents[agent]?.outside?.peer
  const record = peer === undefined ? undefined : draft.world.peers[peer]
  if (!record || record.removed) {
    draft.emit('message.receipt', { task, message: id, agent, state: 'failed', note: draft.say('noSuchPeer') })
    return
  }
  draft.emit('message.held', { task, message: id, agent })
  const open = selectOpenConversation(draft.world, task, agent)
  const conversation = open?.id ?? draft.id<ConversationId>()
  if (!open) {
    draft.emit('conversation.opened', {
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
  draft.emit('envelope.queued', { task, message: id, agent, peer: record.id, conversation, ours: sender })
}

/** The first language of the peer that has messages in it: MAP has none. */
const spokenWith = ({ may }: PeerRecord): Protocol => may.find((one) => one !== 'map') ?? 'mamp'

/** An agent outside knows no stages: the task's manager asks it for its share, and its answer is the summary. */
function askForPart(draft: DecisionContext, task: TaskId, agent: AgentId, stage: NonNullable<MessageRecord['stage']>): void {
  const record = draft.world.stages[task]?.[stage]
  const owner = draft.world.tasks[task]
  const own = record?.allocation[agent]
  if (!record || !owner || own === undefined) return
  deliver(draft, {
    task,
    sender: owner.manager,
    receivers: [agent],
    text: draft.say('planGoal', { stage: record.intention, own }),
    stage,
    thread: null,
    needReply: true,
    waiting: null,
    returnWaiting: null,
    instruction: null,
  })
}

/** A try begins; refused when there is nothing to send any more. */
export function startDelivery(draft: DecisionContext, wish: CommandOf<'startDelivery'>): Json {
  const { task, message, agent, node } = wish
  const delivery = draft.world.outbox[task]?.[deliveryKey(wish)]
  if (!delivery || !isPending(draft.world, delivery)) throw new Fault('ALREADY_SO', { what: 'it is not to be sent' })
  const attempt = delivery.attempts + 1
  draft.emit('envelope.started', { task, message, agent, attempt, node })
  return { attempt }
}

/** A try is over. What came back of an earlier try is kept for the record all the same. */
export function finishDelivery(draft: DecisionContext, wish: CommandOf<'finishDelivery'>): void {
  const { task, message: id, agent, verdict, shared, next, why: reason, ...line } = wish
  const delivery = draft.world.outbox[task]?.[deliveryKey(wish)]
  const conversation = delivery && findConversation(draft.world, delivery.conversation)
  if (!delivery || !conversation) throw new Fault('ALREADY_SO', { what: 'it was settled before' })
  const { type: _, ...told } = line
  const why = reason === null ? null : saysUnsent(draft, reason)
  draft.emit('envelope.sent', {
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
    draft.emit('message.receipt', { task, message: id, agent, state: 'delivered', note: null })
    if (shared !== null && conversation.shared === null) {
      draft.emit('conversation.named', { conversation: conversation.id, peer: delivery.peer, shared })
    }
  }
  if (verdict === 'failed') failDelivery(draft, { task, message: id, agent }, why ?? draft.say('notDelivered'))
  if (wish.closes) closeConversation(draft, conversation, why ?? draft.say('notDelivered'))
}

/** The reason as the team reads it, where words are stored. */
function saysUnsent(draft: DecisionContext, reason: UnsentReason): string {
  switch (reason.code) {
    case 'noAddress':
      return draft.say('unsentNoAddress')
    case 'notConnected':
      return draft.say('unsentNotConnected')
    case 'noWay':
      return draft.say('unsentNoWay')
    case 'toBeFetched':
      return draft.say('unsentToBeFetched')
    case 'answered':
      return draft.say('unsentAnswered', reason)
    case 'private':
      return draft.say('unsentPrivate', reason)
    case 'late':
      return draft.say('unsentLate', reason)
    case 'network':
      return draft.say('unsentNetwork', reason)
  }
}

/** It will not arrive: whoever waits for the answer, or wanted one, is told. */
function failDelivery(
  draft: DecisionContext,
  { task, message: id, agent }: { task: TaskId; message: MessageId; agent: AgentId },
  why: string,
): void {
  const message = draft.world.messages[task]?.[id]
  draft.emit('message.receipt', { task, message: id, agent, state: 'failed', note: why })
  const owner = draft.world.tasks[task]
  if (!message || !owner || isTaskOver(owner)) return
  const waiting = message.waiting?.[message.receivers.indexOf(agent)]
  const isLocked = waiting !== undefined && lockHolders(draft, waiting) > 0
  if (isLocked) failLock(draft, waiting, agent, why)
  else if (message.sender !== SYSTEM_TASK && draft.world.agents[message.sender]?.kind === 'llm') {
    const who = draft.world.agents[agent]?.name ?? ''
    deliverSystem(draft, {
      task,
      receivers: [message.sender],
      text: draft.say('outcome', { who, how: 'failed', why }),
      stage: message.stage,
      thread: message.thread,
      instruction: null,
      returnWaiting: null,
      replyTo: id,
    })
  }
  if (message.stage !== null) endPart(draft, task, message.stage, agent, { failed: why })
}

const lockHolders = (draft: DecisionContext, waiting: string): number =>
  Object.values(draft.world.work).filter((work) => work.locks.some((lock) => lock.id === waiting)).length

/** What another system asked will not be answered: it is told so, without our reasons. */
export function tellUnanswered(draft: DecisionContext, step: Pick<StepRecord, 'task' | 'agent' | 'thread' | 'answers'>): void {
  const { task, agent, thread, answers } = step
  const owner = draft.world.tasks[task]
  if (answers === null || draft.world.agents[answers.to]?.kind !== 'outside') return
  if (!owner || isTaskOver(owner) || !isMember(draft.world, task, answers.to)) return
  deliver(draft, {
    task,
    sender: agent,
    receivers: [answers.to],
    text: draft.say('willNotAnswer'),
    stage: answers.stage,
    thread,
    needReply: false,
    waiting: null,
    returnWaiting: null,
    instruction: null,
    replyTo: answers.message,
  })
}

export function closeConversation(draft: DecisionContext, { id, peer, closedAt }: ConversationRecord, reason: string): void {
  if (closedAt === null) draft.emit('conversation.closed', { conversation: id, peer, reason })
}

/** The task is over: nothing is said in its conversations any more. */
export function closeConversationsOf(draft: DecisionContext, task: TaskId, reason: string): void {
  for (const conversation of selectConversationsOf(draft.world, task)) closeConversation(draft, conversation, reason)
}
