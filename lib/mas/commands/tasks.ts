/** Tasks: making one, who is in it, ending it. */

import { type AgentId, type StepId, SYSTEM_TASK, type TaskId, type ThreadId } from '../ids'
import type { TaskRecord } from '../records'
import { isPresent } from '../selectors/agents'
import type { DecisionContext } from './decisionContext'
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

export function addTask(context: DecisionContext, command: NewTask): TaskId {
  const task = context.id<TaskId>()
  const asker = command.requestedBy === null ? [] : [command.requestedBy]
  const group = [...new Set([command.manager, ...command.members, ...asker])]
  context.emit('task.added', {
    task,
    name: command.name,
    intention: command.intention,
    manager: command.manager,
    group,
    base: false,
    requestedBy: command.requestedBy,
    requestedIn: command.requestedIn,
    load: command.load ?? false,
    ...(command.conversation === undefined ? {} : { conversation: command.conversation }),
  })
  context.emit('task.started', { task })
  for (const person of group.filter((agent) => context.world.agents[agent]?.kind === 'human')) {
    notice(context, person, 'task_started', { task, stage: null, message: null }, {})
  }
  return task
}

/** Those not yet in the group join it. */
export function addParticipants(context: DecisionContext, task: TaskId, agents: AgentId[]): AgentId[] {
  const group = context.world.tasks[task]?.group ?? []
  const joining = agents.filter((agent) => !group.includes(agent) && isPresent(context.world, agent))
  if (joining.length > 0) context.emit('task.participantsAdded', { task, agents: joining })
  return joining
}

/** The task ends with all that belongs to it; its members are told, and so is whoever asked for it. */
export function finishTask(
  context: DecisionContext,
  task: TaskRecord,
  state: 'finished' | 'failed',
  summary: string,
  by: StepId | null,
): void {
  const running = runningStageOf(context, task.id)
  if (running)
    endStage(context, task, running, by, {
      failed: context.say('ended', { what: context.say('theTask') }),
      replacedBy: null,
    })
  context.emit('task.finished', { task: task.id, state, summary })
  endOf(context, { kind: 'task', task: task.id }, context.say('theTask'), by)
  closeConversationsOf(context, task.id, context.say('ended', { what: context.say('theTask') }))
  const text = context.say('taskEnded', { name: task.name, failed: state === 'failed', summary })
  deliverSystem(context, {
    task: task.id,
    receivers: task.group,
    text,
    stage: null,
    thread: null,
    instruction: { type: 'finish_task' },
    returnWaiting: null,
  })
  tellAsker(context, task, text)
}

/** Whoever asked hears of the end where they asked. */
function tellAsker(context: DecisionContext, task: TaskRecord, text: string): void {
  if (task.requestedBy === null || task.requestedIn === null || !isPresent(context.world, task.requestedBy)) return
  deliver(context, {
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
