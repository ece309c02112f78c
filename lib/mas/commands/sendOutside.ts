/**
 * Somebody of ours says something to an agent of another system by its URI, wherever they work.
 *
 * Owns: which conversation and task that is. Not here: members who write in a task's chat (they just send), the way out (outbox.ts).
 */

import { Fault } from '@/lib/faults'
import type { AgentId, ConversationId, MessageId, TaskId } from '../ids'
import type { ConversationRecord } from '../outsideRecords'
import type { Json } from '../records'
import { isMember, isPresent, isTaskOver, selectName } from '../selectors/agents'
import { findConversation } from '../selectors/outside'
import type { CommandOf } from './command'
import type { DecisionContext } from './draft'
import { outsideAgentOf } from './outsideAgents'
import { deliver } from './send'
import { addParticipants, addTask } from './tasks'

/** Send it; out: the message, and the conversation it is part of by our own id. */
export function sendOutside(
  draft: DecisionContext,
  wish: Omit<CommandOf<'sendOutside'>, 'type'>,
): { message: MessageId; task: TaskId; agent: AgentId; [key: string]: Json } {
  if (!isPresent(draft.world, wish.sender)) throw new Fault('RECEIVER_UNKNOWN', { id: wish.sender })
  if (wish.text.trim() === '' && wish.attachments.length === 0) throw new Fault('EMPTY_TEXT')
  const agent = outsideAgentOf(draft, wish.uri)
  const going = wish.conversation === null ? null : goingOn(draft, agent, wish.sender, wish.conversation)
  const task = going?.task ?? placeOf(draft, wish, agent)
  addParticipants(draft, task, [agent, wish.sender])
  const isHere = task === wish.task
  const message = deliver(draft, {
    task,
    sender: wish.sender,
    receivers: [agent],
    text: wish.text,
    stage: isHere ? wish.stage : null,
    thread: null,
    needReply: wish.needReply ?? true,
    waiting: null,
    returnWaiting: null,
    instruction: null,
    attachments: wish.attachments,
    fromStep: wish.step,
  })
  return { message, task, agent }
}

/** The conversation that is meant, by the id that both sides know or by ours, and that the sender takes part in. */
function goingOn(draft: DecisionContext, agent: AgentId, sender: AgentId, id: string): ConversationRecord {
  const peer = draft.world.agents[agent]?.outside?.peer
  const all: ConversationRecord[] = peer === undefined ? [] : Object.values(draft.world.conversations[peer] ?? {})
  const known = all.find((one) => one.shared === id) ?? findConversation(draft.world, id as ConversationId)
  // A sender becomes a member of the conversation's task and can then read all of it.
  if (!known || known.agent !== agent || !isMember(draft.world, known.task, sender))
    throw new Fault('CONVERSATION_UNKNOWN', { id })
  const task = draft.world.tasks[known.task]
  if (known.closedAt !== null || (task && isTaskOver(task))) throw new Fault('CONVERSATION_OVER', { id })
  if (!task) throw new Fault('CONVERSATION_ASLEEP', { id, task: known.task })
  return known
}

/** Where they work; the base task is no place for others, so from there it is a task of its own. */
function placeOf(draft: DecisionContext, wish: Omit<CommandOf<'sendOutside'>, 'type'>, agent: AgentId): TaskId {
  const here = draft.world.tasks[wish.task]
  if (here && !here.base && !isTaskOver(here)) return here.id
  const who = selectName(draft.world, agent)
  return addTask(draft, {
    name: draft.say('conversationWith', { who }),
    intention: draft.say('conversationGoal', { who, uri: wish.uri }),
    manager: wish.sender,
    members: [agent],
    requestedBy: null,
    requestedIn: null,
    conversation: true,
  })
}
