/**
 * Records by the ids that a person's command names. What its author cannot read is not found, in the same words as what
 * does not exist. To be asked before the decision's first event (selectors/sight.ts).
 */

import { Fault } from '@/lib/faults'
import type { AgentId, MessageId, RequestId, StepId, TaskId } from '../ids'
import type { AgentRecord, MessageRecord, RequestRecord, StepRecord, TaskRecord } from '../records'
import { findStep, selectStep } from '../selectors/agents'
import { canReadMessage, canReadStep, taskAccessOf, canSeeRequest, canSeeTask } from '../selectors/reach'
import type { DecisionContext } from './draft'
import type { HeldLock } from './locks'

/** What stands under that key and nothing inherited: an id comes from outside. */
const own = <T>(records: Record<string, T> | undefined, id: string): T | undefined =>
  records !== undefined && Object.hasOwn(records, id) ? records[id] : undefined

function authorOf({ world }: DecisionContext, person: AgentId): AgentRecord {
  const record = own<AgentRecord>(world.agents, person)
  if (!record) throw new Fault('NOT_FOUND', { what: 'agent', id: person })
  return record
}

export function seenTask(draft: DecisionContext, person: AgentId, id: TaskId): TaskRecord {
  const task = own<TaskRecord>(draft.world.tasks, id)
  if (!task || !canSeeTask(draft.world, authorOf(draft, person), id)) throw new Fault('NOT_FOUND', { what: 'task', id })
  return task
}

export const sees = (draft: DecisionContext, person: AgentId, task: TaskId): boolean =>
  canSeeTask(draft.world, authorOf(draft, person), task)

/** A wait is seen with its step. */
export function seesLock(draft: DecisionContext, person: AgentId, agent: AgentId, { task, step: id }: HeldLock['lock']): boolean {
  const step = selectStep(draft.world, task, agent, id)
  if (step === null) return sees(draft, person, task) && draft.world.tasks[task]?.base !== true
  return canReadStep(taskAccessOf(draft.world, authorOf(draft, person), task), step)
}

export const readsMessage = (draft: DecisionContext, person: AgentId, message: MessageRecord): boolean =>
  canReadMessage(taskAccessOf(draft.world, authorOf(draft, person), message.task), message)

export const readsRequest = (draft: DecisionContext, person: AgentId, request: RequestRecord): boolean =>
  canSeeRequest(draft.world, authorOf(draft, person), request)

/** in: task: where it must be; left out, anywhere */
export function seenMessage(draft: DecisionContext, person: AgentId, id: MessageId, task?: TaskId): MessageRecord {
  const { world } = draft
  for (const messages of task === undefined ? Object.values(world.messages) : [world.messages[task]]) {
    const message = own<MessageRecord>(messages, id)
    if (message && readsMessage(draft, person, message)) return message
  }
  throw new Fault('NOT_FOUND', { what: 'message', id })
}

export function seenRequest(draft: DecisionContext, person: AgentId, id: RequestId): RequestRecord {
  for (const requests of Object.values(draft.world.requests)) {
    const request = own<RequestRecord>(requests, id)
    if (request && readsRequest(draft, person, request)) return request
  }
  throw new Fault('NOT_FOUND', { what: 'request', id })
}

export function seenStep(draft: DecisionContext, person: AgentId, id: StepId): StepRecord {
  const step = Object.hasOwn(Object.prototype, id) ? null : findStep(draft.world, id)
  if (!step || !canReadStep(taskAccessOf(draft.world, authorOf(draft, person), step.task), step))
    throw new Fault('NOT_FOUND', { what: 'step', id })
  return step
}
