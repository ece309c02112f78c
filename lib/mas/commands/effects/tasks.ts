/** Facts about tasks: made, joined. */

import type { AgentId, TaskId, ThreadId } from '../../ids'
import { isPresent } from '../../selectors/agents'
import type { DecisionContext } from '../decisionContext'
import { notice } from './deliverToPerson'

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

/** Add the agents that are present and not yet in the group. */
export function addParticipants(context: DecisionContext, task: TaskId, agents: AgentId[]): AgentId[] {
  const group = context.world.tasks[task]?.group ?? []
  const joining = agents.filter((agent) => !group.includes(agent) && isPresent(context.world, agent))
  if (joining.length > 0) context.emit('task.participantsAdded', { task, agents: joining })
  return joining
}
