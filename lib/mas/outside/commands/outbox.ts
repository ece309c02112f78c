/** What we send to other systems: a message to an agent outside is on its way until its system has it. */

import { Fault } from '@/lib/faults'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { SYSTEM_TASK } from '../../ids'
import { runsSteps } from '../../members/traits'
import { deliverSystem } from '../../messages/commands/deliver'
import type { OfDelivery } from '../../messages/events'
import type { Json } from '../../records'
import { endPart } from '../../stages/commands/parts'
import { isTaskOver } from '../../statuses'
import { findLock } from '../../waits/commands/locks'
import { failLock } from '../../waits/commands/withoutAnswer'
import { findConversation, isPending, outgoingKey, outsideIdOf } from '../outside'
import type { UnsentReason } from '../records'
import { closeConversation, nameConversation } from './conversations'

/** Start a delivery attempt; refused when there is nothing to send. */
export function startSending(context: DecisionContext, command: CommandOf<'startSending'>): Json {
  const { task, message, agent, node } = command
  const outgoing = context.world.outbox[task]?.[outgoingKey(command)]
  if (!outgoing || !isPending(context.world, outgoing)) throw new Fault('ALREADY_SO', { what: 'it is not to be sent' })
  const attempt = outgoing.attempts + 1
  context.emit('envelope.started', { task, message, agent, attempt, node })
  return { attempt }
}

/** Finish a delivery attempt. The outcome of an earlier attempt is recorded too. Throws ALREADY_SO when it was settled before. */
export function finishSending(context: DecisionContext, command: CommandOf<'finishSending'>): void {
  const { task, message: id, agent, verdict, shared, next, why: reason, status, by, bytes, sha, body } = command
  const outgoing = context.world.outbox[task]?.[outgoingKey(command)]
  const conversation = outgoing && findConversation(context.world, outgoing.conversation)
  if (!outgoing || !conversation) throw new Fault('ALREADY_SO', { what: 'it was settled before' })
  const why = reason === null ? null : saysUnsent(context, reason)
  const sent = context.world.messages[task]?.[id]
  context.emit('envelope.sent', { task, message: id, agent, verdict, next: verdict === 'retry' ? next : null })
  context.logEnvelope({
    direction: 'out',
    peer: outgoing.peer,
    protocol: conversation.protocol,
    conversation: conversation.id,
    task,
    outsider: agent,
    message: id,
    theirs: sent ? outsideIdOf(context.world, sent, agent) : id,
    ...{ verdict, status, why, by, bytes, sha, body },
    ...(reason === null ? {} : { reason }),
  })
  if (verdict === 'delivered') {
    context.delivery(task, id, agent, 'delivered')
    if (shared !== null && conversation.shared === null) {
      nameConversation(context, conversation, shared)
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

/** The delivery failed for good: tell the agent that waits for the answer or wanted one. */
function failDelivery(context: DecisionContext, { task, message: id, agent }: OfDelivery, why: string): void {
  const message = context.world.messages[task]?.[id]
  context.delivery(task, id, agent, 'failed', why)
  const owner = context.world.tasks[task]
  if (!message || !owner || isTaskOver(owner)) return
  const waiting = message.waiting?.[message.receivers.indexOf(agent)]
  const isLocked = waiting !== undefined && findLock(context, waiting) !== null
  if (isLocked) failLock(context, waiting, agent, why)
  else if (message.sender !== SYSTEM_TASK && runsSteps(context.world, message.sender)) {
    const who = context.world.agents[agent]?.name ?? ''
    deliverSystem(context, {
      task,
      receivers: [message.sender],
      text: context.said('outcome', { who, how: 'failed', why }),
      stage: message.stage,
      thread: message.thread,
      replyTo: id,
    })
  }
  if (message.stage !== null) endPart(context, task, message.stage, agent, { failed: why })
}
