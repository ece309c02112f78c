/**
 * Tasks: making one, who is in it, ending it.
 *
 * Owns: what these set going. Not here: who may (sync.ts).
 */

import { type AgentId, type StepId, SYSTEM_TASK, type TaskId, type ThreadId } from '../ids'
import type { TaskRecord } from '../records'
import { isPresent } from '../selectors/agents'
import type { DecisionContext } from './draft'
import { endOf } from './endings'
import { closeConversationsOf } from './outbox'
import { deliver, deliverSystem, notice } from './send'
import { endStage, runningStageOf } from './stages'

export type NewTask = {
  name: string
  intention: string
  manager: AgentId
  members: AgentId[]
  requestedBy: AgentId | null
  requestedIn: { task: TaskId; thread: ThreadId } | null
  load?: boolean
  /** It is a conversation with another system. */
  conversation?: true
}

export function addTask(draft: DecisionContext, wish: NewTask): TaskId {
  const task = draft.id<TaskId>()
  const asker = wish.requestedBy === null ? [] : [wish.requestedBy]
  const group = [...new Set([wish.manager, ...wish.members, ...asker])]
  draft.emit('task.added', {
    task,
    name: wish.name,
    intention: wish.intention,
    manager: wish.manager,
    group,
    base: false,
    requestedBy: wish.requestedBy,
    requestedIn: wish.requestedIn,
    load: wish.load ?? false,
    ...(wish.conversation === undefined ? {} : { conversation: wish.conversation }),
  })
  draft.emit('task.started', { task })
  for (const person of group.filter((agent) => draft.world.agents[agent]?.kind === 'human')) {
    notice(draft, person, 'task_started', { task, stage: null, message: null }, {})
  }
  return task
}

/** Those not yet in the group join it. */
export function addParticipants(draft: DecisionContext, task: TaskId, agents: AgentId[]): AgentId[] {
  const group = draft.world.tasks[task]?.group ?? []
  const joining = agents.filter((agent) => !group.includes(agent) && isPresent(draft.world, agent))
  if (joining.length > 0) draft.emit('task.participantsAdded', { task, agents: joining })
  return joining
}

/** The task ends with all that belongs to it; its members are told, and so is whoever asked for it. */
export function finishTask(
  draft: DecisionContext,
  task: TaskRecord,
  state: 'finished' | 'failed',
  summary: string,
  by: StepId | null,
): void {
  const running = runningStageOf(draft, task.id)
  if (running)
    endStage(draft, task, running, by, { failed: draft.say('ended', { what: draft.say('theTask') }), replacedBy: null })
  draft.emit('task.finished', { task: task.id, state, summary })
  endOf(draft, { kind: 'task', task: task.id }, draft.say('theTask'), by)
  closeConversationsOf(draft, task.id, draft.say('ended', { what: draft.say('theTask') }))
  const text = draft.say('taskEnded', { name: task.name, failed: state === 'failed', summary })
  deliverSystem(draft, {
    task: task.id,
    receivers: task.group,
    text,
    stage: null,
    thread: null,
    instruction: { type: 'finish_task' },
    returnWaiting: null,
  })
  tellAsker(draft, task, text)
}

/** Whoever asked hears of the end where they asked. */
function tellAsker(draft: DecisionContext, task: TaskRecord, text: string): void {
  if (task.requestedBy === null || task.requestedIn === null || !isPresent(draft.world, task.requestedBy)) return
  deliver(draft, {
    task: task.requestedIn.task,
    sender: SYSTEM_TASK,
    receivers: [task.requestedBy],
    text,
    stage: null,
    thread: task.requestedIn.thread,
    needReply: false,
    waiting: null,
    returnWaiting: null,
    instruction: null,
  })
}
