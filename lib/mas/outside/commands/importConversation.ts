/** Conversations and jobs that come in whole: a list of messages from elsewhere, or a packet that hands a job to an agent of ours. */

import { Fault } from '@/lib/faults'
import type { Bringer, CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId, TaskId } from '../../ids'
import { runsSteps } from '../../members/traits'
import { deliver } from '../../messages/commands/deliver'
import { PLAIN_QUESTION, personSends } from '../../messages/commands/personSends'
import type { Json } from '../../records'
import { addTask } from '../../tasks/commands/addTask'
import { isPresent, managerIn, mayAct } from '../../team/agents'
import { mustBePeer, openTheirs, outsideAgentOf } from './conversations'
import { takeEnvelope, takeFromOutside } from './takeFromOutside'

type Brought = { conversation: string; task: TaskId; [key: string]: Json }

/**
 * Keep a conversation that was held elsewhere, as a task of its own.
 *
 * out     the id of the conversation for the importer: a peer never learns the task's
 * faults  NOT_ALLOWED, NO_PEER, RECEIVER_UNKNOWN when nobody of ours is there to keep it; what asking throws
 */
export function importConversation(
  context: DecisionContext,
  { from, messages, asks }: CommandOf<'importConversation'>,
): Brought {
  const { agent, keeper } = bringerOf(context, from, asks !== undefined)
  const task = addTask(context, {
    name: context.say('importedName', { who: context.name(agent) }),
    intention: context.say('importedGoal'),
    manager: keeper,
    members: [agent],
    conversation: true,
  })
  for (const message of messages) {
    // Nobody receives it: what was said elsewhere asks nobody here, and no instruction in it is one to us.
    deliver(context, {
      task,
      sender: agent,
      receivers: [],
      text: message.text,
      attachments: message.attachments,
      imported: message.imported,
    })
  }
  if ('person' in from) {
    // The same as a message of theirs in the page.
    if (asks !== undefined && keeper !== agent)
      personSends(context, agent, { ...PLAIN_QUESTION, task, sender: agent, receivers: [keeper], ...asks })
    return { conversation: task, task }
  }
  const shared = shareWith(context, from, task, agent, keeper)
  if (asks !== undefined) {
    const { uri, ...envelope } = from
    takeFromOutside(context, {
      type: 'takeFromOutside',
      ...envelope,
      protocol: 'harmony',
      from: uri,
      to: keeper,
      shared,
      needReply: true,
      theirs: `${from.theirs}-continue`,
      inReplyTo: null,
      callback: null,
      status: 200,
      ...asks,
    })
  }
  return { conversation: shared, task, content: from.sha }
}

/** Who stands for it here, and who of ours keeps it: where work is asked for, one who manages tasks before the others. */
function bringerOf(context: DecisionContext, from: Bringer, asks: boolean): { agent: AgentId; keeper: AgentId } {
  const { world } = context
  const base = world.baseTask === null ? undefined : world.tasks[world.baseTask]
  const [host] = base === undefined ? [] : managerIn(base)
  if ('person' in from) {
    const person = mustAct(context, from.person)
    return { agent: person, keeper: host ?? person }
  }
  const peer = mustBePeer(context, from.peer, 'harmony')
  const manager = asks ? peer.agents.find((one) => isPresent(world, one) && world.agents[one]?.manager) : undefined
  const keeper = manager ?? [...peer.agents, host].find((one) => one !== undefined && isPresent(world, one))
  if (keeper === undefined) throw new Fault('RECEIVER_UNKNOWN', { id: from.uri })
  return { agent: outsideAgentOf(context, from.uri), keeper }
}

function shareWith(
  context: DecisionContext,
  { uri: _, ...envelope }: Exclude<Bringer, { person: AgentId }>,
  task: TaskId,
  agent: AgentId,
  ours: AgentId,
): string {
  const about = { peer: envelope.peer, protocol: 'harmony' as const, task, ours, callback: null }
  const { id: conversation, shared } = openTheirs(context, { ...about, agent })
  takeEnvelope(context, { ...about, ...envelope, conversation, outsider: agent, message: null, status: 200 })
  return shared
}

/** A task whose first message is the packet of a job. Throws RECEIVER_UNKNOWN, and what mustAct throws. */
export function openHandoff(context: DecisionContext, command: CommandOf<'openHandoff'>): Brought {
  const person = mustAct(context, command.person)
  const receiver = context.world.agents[command.to]
  if (!receiver || receiver.removed || !runsSteps(context.world, receiver.id))
    throw new Fault('RECEIVER_UNKNOWN', { id: command.to })
  const task = addTask(context, {
    name: context.say('conversationWith', { who: context.name(person) }),
    intention: command.objective,
    manager: receiver.id,
    members: [person],
    conversation: true,
  })
  deliver(context, {
    task,
    sender: person,
    receivers: [receiver.id],
    text: command.text,
    type: 'action',
  })
  return { conversation: task, task }
}

function mustAct(context: DecisionContext, person: AgentId): AgentId {
  if (!mayAct(context.world.agents[person])) throw new Fault('NOT_ALLOWED', { what: 'act here' })
  return person
}
