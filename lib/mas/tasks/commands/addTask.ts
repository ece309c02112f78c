/** Facts about tasks: made, joined. */

import { own } from '@/lib/json'
import type { DecisionContext } from '../../commands/decisionContext'
import { selectVersions } from '../../files/files'
import { type AgentId, asId, type MessageId, type StageId, type TaskId } from '../../ids'
import { isAsked, isElsewhere } from '../../members/traits'
import { deliverSystem } from '../../messages/commands/deliver'
import { notice } from '../../messages/commands/deliverToPerson'
import { tellWorkBegun } from '../../outside/commands/outsideWork'
import type { MessageRecord, TaskRecord, World } from '../../records'
import { selectStagePlace } from '../../stages/plan'
import { isPresent } from '../../team/agents'

/** Left out: nobody asked for it. */
type NewTask = { members: AgentId[]; manager: AgentId } & Pick<TaskRecord, 'name' | 'intention' | 'conversation'> &
  Partial<Pick<TaskRecord, 'requestedBy' | 'requestedIn' | 'madeFor'>>

/** Makes and starts a task with its manager, members and the person who asked; people get a notice, agents a note. */
export function addTask(context: DecisionContext, { members, ...given }: NewTask): TaskId {
  const task = context.id<TaskId>()
  const about = { requestedBy: null, requestedIn: null, ...given }
  const { requestedBy } = about
  const asker = requestedBy === null || isElsewhere(context.world, requestedBy) ? [] : [requestedBy]
  const group = [...new Set([about.manager, ...members, ...asker])]
  const request = requestOf(context, about.requestedIn)
  context.emit('task.added', { task, ...about, ...startOf(context, request), group, base: false })
  if (request?.change) context.emit('task.changeBegun', { task: request.change.of, by: task })
  context.emit('task.started', { task })
  for (const person of group.filter((agent) => isAsked(context.world, agent))) {
    notice(context, person, 'task_started', { task, stage: null, message: null }, {})
  }
  remember(context, task, group, null)
  const added = context.world.tasks[task]
  if (added) tellWorkBegun(context, added)
  return task
}

/** A thread has the id of the message that began it. */
const requestOf = ({ world }: DecisionContext, asked: TaskRecord['requestedIn']): MessageRecord | undefined =>
  asked === null ? undefined : world.messages[asked.task]?.[asId<MessageId>(asked.thread)]

/** Whether a request for work wants its plans to be approved: it says so itself, or its template does. */
export const asksForReview = (world: World, request: MessageRecord | undefined): boolean =>
  request?.reviewPlans === true ||
  (request?.fromTemplate !== undefined && own(world.templates, request.fromTemplate)?.reviewPlans === true)

/** What the request says of the task beside its text: its template, and the result to change with its files as they are now. */
function startOf(
  { world }: DecisionContext,
  request: MessageRecord | undefined,
): Pick<TaskRecord, 'fromTemplate' | 'reviewPlans' | 'changeOf' | 'start'> {
  const { fromTemplate, change } = request ?? {}
  const kept = {
    ...(fromTemplate === undefined ? {} : { fromTemplate }),
    ...(asksForReview(world, request) ? { reviewPlans: true as const } : {}),
  }
  if (change === undefined) return kept
  const { of, name, passage, comment } = change
  const files = change.files.map((path) => {
    const now = selectVersions(world, path).at(-1)?.now ?? null
    return { path, sha: now?.sha ?? null, bytes: now?.bytes ?? null }
  })
  return { ...kept, changeOf: of, start: { name, passage, comment, files } }
}

/** Add the agents that are present and not yet in the group. Nobody joins a talk. */
export function addParticipants(context: DecisionContext, task: TaskId, agents: AgentId[]): AgentId[] {
  const owner = context.world.tasks[task]
  if (owner?.talk) return []
  const group = owner?.group ?? []
  const joining = agents.filter((agent) => !group.includes(agent) && isPresent(context.world, agent))
  if (joining.length === 0) return []
  context.emit('task.participantsChanged', { task, added: joining, removed: [] })
  remember(context, task, joining, null)
  return joining
}

/** Write into the working memory of those who join a task, or get a part in a stage of it. */
export function remember(context: DecisionContext, task: TaskId, agents: AgentId[], stage: StageId | null): void {
  const owner = context.world.tasks[task]
  // In a conversation with another system only what is said to it, or by it, has a place.
  if (!owner || owner.base || owner.conversation || owner.talk) return
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
