/** Records by the ids of a person's command; unreadable ones count as not found. Ask before the first event. */
import { Fault } from '@/lib/faults'
import { own } from '@/lib/json'
import { canReadMessage, canReadStep, canSeeRequest, canSeeTask, taskAccessOf } from '../access/access'
import type { AgentId, MessageId, RequestId, StageId, StepId, TaskId } from '../ids'
import type { AgentRecord, MessageRecord, RequestRecord, StageRecord, StepRecord, TaskRecord } from '../records'
import { isOpen, isTaskOver } from '../statuses'
import { findStep, selectStep } from '../team/agents'
import type { HeldLock } from '../waits/commands/locks'
import type { DecisionContext } from './decisionContext'

function authorOf({ world }: DecisionContext, person: AgentId): AgentRecord {
  const record = own<AgentRecord>(world.agents, person)
  if (!record) throw new Fault('NOT_FOUND', { what: 'agent', id: person })
  return record
}

/** Throws NOT_FOUND, also for one that this person may not see. */
export function seenTask(context: DecisionContext, person: AgentId, id: TaskId): TaskRecord {
  const task = own<TaskRecord>(context.world.tasks, id)
  if (!task || !canSeeTask(context.world, authorOf(context, person), id))
    throw new Fault('NOT_FOUND', { what: 'task', id })
  return task
}

/** A task that is not over, of which this person is a member, or need not be. Throws NOT_FOUND, NOT_A_MEMBER, TASK_OVER. */
export function ownTask(context: DecisionContext, person: AgentId, id: TaskId, needNotBeMember = false): TaskRecord {
  const task = seenTask(context, person, id)
  if (!needNotBeMember && !task.group.includes(person))
    throw new Fault('NOT_A_MEMBER', { name: context.name(person), task: task.name })
  if (isTaskOver(task)) throw new Fault('TASK_OVER', { task: task.name })
  return task
}

/** Throws RECEIVER_UNKNOWN, RECEIVER_GONE. */
export function presentAgent({ world }: DecisionContext, id: AgentId): AgentRecord {
  const agent = own<AgentRecord>(world.agents, id)
  if (!agent) throw new Fault('RECEIVER_UNKNOWN', { id })
  if (agent.removed) throw new Fault('RECEIVER_GONE', { name: agent.name })
  return agent
}

const sees = (context: DecisionContext, person: AgentId, task: TaskId): boolean =>
  canSeeTask(context.world, authorOf(context, person), task)

/** Throws NOT_FOUND, also for one of a task that this person may not see. */
export function seenStage(context: DecisionContext, person: AgentId, id: StageId): StageRecord {
  for (const stages of Object.values(context.world.stages)) {
    const stage = own<StageRecord>(stages, id)
    if (stage && sees(context, person, stage.task)) return stage
  }
  throw new Fault('NOT_FOUND', { what: 'stage', id })
}

/** A wait is seen with its step. */
export function seesLock(
  context: DecisionContext,
  person: AgentId,
  agent: AgentId,
  { task, step: id }: HeldLock['lock'],
): boolean {
  const step = selectStep(context.world, task, agent, id)
  if (step === null) return sees(context, person, task) && context.world.tasks[task]?.base !== true
  return canReadStep(taskAccessOf(context.world, authorOf(context, person), task), step)
}

/** May this person read it? */
export const readsMessage = (context: DecisionContext, person: AgentId, message: MessageRecord): boolean =>
  canReadMessage(taskAccessOf(context.world, authorOf(context, person), message.task), message)

/** May this person read it? */
export const readsRequest = (context: DecisionContext, person: AgentId, request: RequestRecord): boolean =>
  canSeeRequest(context.world, authorOf(context, person), request)

/** in: task: where it must be; left out, anywhere. Throws NOT_FOUND, also for one that this person may not read. */
export function seenMessage(context: DecisionContext, person: AgentId, id: MessageId, task?: TaskId): MessageRecord {
  const { world } = context
  for (const messages of task === undefined ? Object.values(world.messages) : [world.messages[task]]) {
    const message = own<MessageRecord>(messages, id)
    if (message && readsMessage(context, person, message)) return message
  }
  throw new Fault('NOT_FOUND', { what: 'message', id })
}

/** Throws NOT_FOUND, also for one that this person may not read. */
export function seenRequest(context: DecisionContext, person: AgentId, id: RequestId): RequestRecord {
  for (const requests of Object.values(context.world.requests)) {
    const request = own<RequestRecord>(requests, id)
    if (request && readsRequest(context, person, request)) return request
  }
  throw new Fault('NOT_FOUND', { what: 'request', id })
}

/** Throws NOT_FOUND, also for one that this person may not read. */
export function seenStep(context: DecisionContext, person: AgentId, id: StepId): StepRecord {
  const step = findStep(context.world, id)
  if (!step || !canReadStep(taskAccessOf(context.world, authorOf(context, person), step.task), step))
    throw new Fault('NOT_FOUND', { what: 'step', id })
  return step
}

/** Throws REQUEST_OVER with who was first. */
export function mustNotBeOver(context: DecisionContext, request: RequestRecord): void {
  if (isOpen(request)) return
  throw new Fault('REQUEST_OVER', {
    by: request.answer ? context.name(request.answer.by) : (request.endReason ?? request.state),
    how: request.state,
    at: request.endedAt ?? context.at,
    request: request.id,
  })
}
