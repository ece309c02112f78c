/**
 * Conversations and jobs that are brought in whole: a list of messages that were said elsewhere, or a packet that hands a
 * job to an agent of ours.
 *
 * Owns: the task that each becomes. Not here: reading and checking them (server/faces/harmony), a peer's packet, which is a
 * message like any other (takeFromOutside.ts).
 */

import { Fault } from '@/lib/faults'
import type { AgentId, ConversationId, TaskId } from '../ids'
import type { Json } from '../records'
import { isPresent, selectName } from '../selectors/agents'
import type { Bringer, CommandOf } from './command'
import type { DecisionContext } from './draft'
import { outsideAgentOf } from './outsideAgents'
import { deliver } from './send'
import { addTask } from './tasks'

type Brought = { conversation: string; task: TaskId; [key: string]: Json }

/**
 * Keep a conversation that was held elsewhere, as a task of its own.
 *
 * out     the id by which whoever brought it may name it: a peer never learns the task's
 * faults  NOT_ALLOWED, NO_PEER, RECEIVER_UNKNOWN when nobody of ours is there to keep it
 */
export function importConversation(draft: DecisionContext, { from, messages }: CommandOf<'importConversation'>): Brought {
  const { agent, keeper } = bringerOf(draft, from)
  const task = addTask(draft, {
    name: draft.say('importedName', { who: selectName(draft.world, agent) }),
    intention: draft.say('importedGoal'),
    manager: keeper,
    members: [agent],
    requestedBy: null,
    requestedIn: null,
    conversation: true,
  })
  for (const message of messages) {
    // Nobody receives it: what was said elsewhere asks nobody here, and no instruction in it is one to us.
    deliver(draft, {
      task,
      sender: agent,
      receivers: [],
      text: message.text,
      stage: null,
      thread: null,
      needReply: false,
      waiting: null,
      returnWaiting: null,
      instruction: null,
      attachments: message.attachments,
      imported: message.imported,
    })
  }
  return 'person' in from
    ? { conversation: task, task }
    : { conversation: shareWith(draft, from, task, agent, keeper), task, content: from.sha }
}

/** Who stands for it here, and who of ours keeps it. */
function bringerOf(draft: DecisionContext, from: Bringer): { agent: AgentId; keeper: AgentId } {
  const { world } = draft
  const host = world.baseTask === null ? undefined : world.tasks[world.baseTask]?.manager
  if ('person' in from) {
    const person = mustAct(draft, from.person)
    return { agent: person, keeper: host ?? person }
  }
  const peer = world.peers[from.peer]
  if (!peer || peer.removed || !peer.may.includes('harmony')) throw new Fault('NOT_ALLOWED', { what: 'use harmony' })
  const keeper = [...peer.agents, host].find((one) => one !== undefined && isPresent(world, one))
  if (keeper === undefined) throw new Fault('RECEIVER_UNKNOWN', { id: from.uri })
  return { agent: outsideAgentOf(draft, from.uri), keeper }
}

function shareWith(
  draft: DecisionContext,
  { peer, theirs, bytes, sha, body }: Exclude<Bringer, { person: AgentId }>,
  task: TaskId,
  agent: AgentId,
  ours: AgentId,
): string {
  const conversation = draft.id<ConversationId>()
  const shared = `conv-${draft.id()}`
  const open = { conversation, peer, protocol: 'harmony' as const, task, agent, ours, shared }
  draft.emit('conversation.opened', { ...open, openedBy: 'them', callback: null })
  draft.emit('envelope.received', {
    peer,
    protocol: 'harmony',
    conversation,
    task,
    outsider: agent,
    ours,
    message: null,
    theirs,
    verdict: 'taken',
    status: 200,
    why: null,
    callback: null,
    bytes,
    sha,
    body,
  })
  return shared
}

/** A job with all that belongs to it: a task of its own, in which the packet is the first message. */
export function openHandoff(draft: DecisionContext, wish: CommandOf<'openHandoff'>): Brought {
  const person = mustAct(draft, wish.person)
  const receiver = draft.world.agents[wish.to]
  if (!receiver || receiver.removed || receiver.kind !== 'llm') throw new Fault('RECEIVER_UNKNOWN', { id: wish.to })
  const task = addTask(draft, {
    name: draft.say('conversationWith', { who: selectName(draft.world, person) }),
    intention: wish.objective,
    manager: receiver.id,
    members: [person],
    requestedBy: null,
    requestedIn: null,
    conversation: true,
  })
  deliver(draft, {
    task,
    sender: person,
    receivers: [receiver.id],
    text: wish.text,
    stage: null,
    thread: null,
    needReply: true,
    waiting: null,
    returnWaiting: null,
    instruction: null,
  })
  return { conversation: task, task }
}

function mustAct(draft: DecisionContext, person: AgentId): AgentId {
  const record = draft.world.agents[person]
  if (record?.kind !== 'human' || record.removed || record.access === 'none')
    throw new Fault('NOT_ALLOWED', { what: 'act here' })
  return person
}
