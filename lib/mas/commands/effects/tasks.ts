/** Facts about tasks: made, joined. */
import type { AgentId, StageId, TaskId } from '../../ids'
import type { TaskRecord } from '../../records'
import { isPresent } from '../../selectors/agents/agents'
import { isOutside } from '../../selectors/outside/outsideWork'
import { selectStagePlace } from '../../selectors/tasks/plan'
import type { DecisionContext } from '../decisionContext'
import { deliverSystem } from './deliver'
import { notice } from './deliverToPerson'
import { tellWorkBegun } from './outsideWork'

/** Left out: nobody asked for it. */
type NewTask = { members: AgentId[] } & Pick<TaskRecord, 'name' | 'intention' | 'manager' | 'conversation'> &
  Partial<Pick<TaskRecord, 'requestedBy' | 'requestedIn' | 'madeFor'>>

/** Makes and starts a task with its manager, members and the person who asked; people get a notice, agents a note. */
export function addTask(context: DecisionContext, { members, ...given }: NewTask): TaskId {
  const task = context.id<TaskId>()
  const about = { requestedBy: null, requestedIn: null, ...given }
  const { requestedBy } = about
  const asker = requestedBy === null || isOutside(context.world, requestedBy) ? [] : [requestedBy]
  const group = [...new Set([about.manager, ...members, ...asker])]
  context.emit('task.added', { task, ...about, group, base: false })
  context.emit('task.started', { task })
  for (const person of group.filter((agent) => context.world.agents[agent]?.kind === 'human')) {
    notice(context, person, 'task_started', { task, stage: null, message: null }, {})
  }
  remember(context, task, group, null)
  const added = context.world.tasks[task]
  if (added) tellWorkBegun(context, added)
  return task
}

/** Add the agents that are present and not yet in the group. */
export function addParticipants(context: DecisionContext, task: TaskId, agents: AgentId[]): AgentId[] {
  const group = context.world.tasks[task]?.group ?? []
  const joining = agents.filter((agent) => !group.includes(agent) && isPresent(context.world, agent))
  if (joining.length === 0) return []
  context.emit('task.participantsAdded', { task, agents: joining })
  remember(context, task, joining, null)
  return joining
}

/** Write into the working memory of those who join a task, or get a part in a stage of it. */
export function remember(context: DecisionContext, task: TaskId, agents: AgentId[], stage: StageId | null): void {
  const owner = context.world.tasks[task]
  // In a conversation with another system only what is said to it, or by it, has a place.
  if (!owner || owner.base || owner.conversation) return
  const goal = stage === null ? '' : (context.world.stages[task]?.[stage]?.intention ?? '')
  deliverSystem(context, {
    task,
    receivers: agents,
    text:
      stage === null
        ? context.said('taskJoined', { task: owner.name })
        : context.said('stagePlanned', { n: selectStagePlace(context.world, task, stage).number, goal }),
    stage,
    instruction: { type: 'update_working_memory', stage },
  })
}
