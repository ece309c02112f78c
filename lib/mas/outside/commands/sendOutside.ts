/** Send a message to an agent of another system by its URI. */

import { Fault } from '@/lib/faults'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId, ConversationId, MessageId, TaskId } from '../../ids'
import { deliver, spokenWith } from '../../messages/commands/deliver'
import { typeOfNeeds } from '../../messages/records'
import type { Json } from '../../records'
import { isTaskOver } from '../../statuses'
import { addParticipants } from '../../tasks/commands/addTask'
import { isMember, isPresent } from '../../team/agents'
import { findConversation, selectOpenConversation } from '../outside'
import { isOutsideRequester } from '../outsideWork'
import { PROTOCOL_TRAITS } from '../peerProtocols'
import type { ConversationRecord } from '../records'
import { addConversationTask, mustGoOn, noteConversation, outsideAgentOf } from './conversations'

/** out: the message, and its conversation by our id. Throws RECEIVER_UNKNOWN, EMPTY_TEXT, and what finding the two throws. */
export function sendOutside(
  context: DecisionContext,
  command: Omit<CommandOf<'sendOutside'>, 'type'>,
): { message: MessageId; task: TaskId; agent: AgentId; [key: string]: Json } {
  if (!isPresent(context.world, command.sender)) throw new Fault('RECEIVER_UNKNOWN', { id: command.sender })
  if (command.text.trim() === '' && command.attachments.length === 0) throw new Fault('EMPTY_TEXT')
  const agent = outsideAgentOf(context, command.uri)
  const going = command.conversation === null ? null : goingOn(context, agent, command.sender, command.conversation)
  const task = going?.task ?? placeOf(context, command, agent)
  // An agent that asked for the work of a task is not in its group: it reads what is addressed to it alone.
  const owner = context.world.tasks[task]
  const isRequester = owner !== undefined && isOutsideRequester(context.world, owner, agent)
  addParticipants(context, task, isRequester ? [command.sender] : [agent, command.sender])
  if (command.action !== undefined) mustTakeActions(context, task, agent)
  const isHere = task === command.task
  const message = deliver(context, {
    task,
    sender: command.sender,
    receivers: [agent],
    text: command.text,
    stage: isHere ? command.stage : null,
    type: typeOfNeeds({ needReply: command.needReply ?? true, waiting: false }),
    attachments: command.attachments,
    fromStep: command.step,
    ...(command.action === undefined ? {} : { action: command.action }),
  })
  const conversation = selectOpenConversation(context.world, task, agent)
  if (conversation !== null) noteConversation(context, command.sender, conversation)
  return { message, task, agent }
}

/** Throws NO_ACTIONS where the protocol has none. */
function mustTakeActions(context: DecisionContext, task: TaskId, agent: AgentId): void {
  const record = context.world.agents[agent]
  const peer = record?.outside && context.world.peers[record.outside.peer]
  const protocol = selectOpenConversation(context.world, task, agent)?.protocol ?? (peer && spokenWith(peer))
  if (!protocol || !PROTOCOL_TRAITS[protocol].actions) throw new Fault('NO_ACTIONS', { name: context.name(agent) })
}

/** The conversation that is meant, by the id that both sides know or by ours, and that the sender takes part in. */
function goingOn(context: DecisionContext, agent: AgentId, sender: AgentId, id: string): ConversationRecord {
  const peer = context.world.agents[agent]?.outside?.peer
  const all: ConversationRecord[] = peer === undefined ? [] : Object.values(context.world.conversations[peer] ?? {})
  const known = all.find((one) => one.shared === id) ?? findConversation(context.world, id as ConversationId)
  // A sender becomes a member of the conversation's task and can then read all of it.
  if (!known || known.agent !== agent || !isMember(context.world, known.task, sender))
    throw new Fault('CONVERSATION_UNKNOWN', { id })
  mustGoOn(context, known, id)
  return known
}

/** Where they work; the base task is no place for others, so from there it is a task of its own. */
function placeOf(context: DecisionContext, command: Omit<CommandOf<'sendOutside'>, 'type'>, agent: AgentId): TaskId {
  const here = context.world.tasks[command.task]
  if (here && !here.base && !isTaskOver(here)) return here.id
  return addConversationTask(context, agent, command.uri, command.sender)
}
