/**
 * The end rule: whatever ends, ends in the same decision with its locks, requests and steps.
 *
 * Law (docs/rules.md R6): no lock and no open request refers to something that is over.
 */

import type { AgentId, RequestId, StageId, StepId, TaskId } from '../ids'
import { stepsIn } from '../ownSteps'
import type { LockRecord, ReceiptRecord, RequestRecord, StepRecord } from '../records'
import { isOpen } from '../reduce/request'
import { isStepOver, selectStep } from '../selectors/agents'
import { DAY_KEY } from '../selectors/limits'
import type { DecisionContext } from './decisionContext'
import { failLock, releaseLock } from './locks'
import { tellUnanswered } from './outbox'
import { supersede } from './requests'
import { endToolRequests } from './toolRequests'

export type Scope =
  | { kind: 'step'; task: TaskId; agent: AgentId; step: StepId }
  | { kind: 'part'; task: TaskId; stage: StageId; agent: AgentId }
  | { kind: 'stage'; task: TaskId; stage: StageId }
  | { kind: 'member'; task: TaskId; agent: AgentId }
  | { kind: 'task'; task: TaskId }

type Place = { task: TaskId; stage: StageId | null; agent: AgentId | null; step: StepId | null }

const covers = (scope: Scope, place: Place): boolean => {
  if (place.task !== scope.task) return false
  switch (scope.kind) {
    case 'step':
      return place.step === scope.step
    case 'part':
      return place.stage === scope.stage && place.agent === scope.agent
    case 'stage':
      return place.stage === scope.stage
    case 'member':
      return place.agent === scope.agent
    case 'task':
      return true
    default:
      return scope satisfies never
  }
}

/**
 * End everything that belongs to the scope.
 *
 * in      what ends, why in words, and the step that is ending it, which goes on to its own end
 * out     locks released as ended, requests superseded, steps that had not ended cancelled, replies owed handed back
 */
export function endOf(context: DecisionContext, scope: Scope, what: string, except: StepId | null = null): void {
  const reason = context.say('ended', { what })
  for (const { agent, lock } of locksIn(context, scope)) releaseLock(context, { agent, lock }, 'ended', null)
  for (const request of requestsIn(context, scope)) supersede(context, request, reason)
  for (const step of openSteps(context, scope)) {
    if (step.id !== except) cancelStep(context, step, null, reason)
  }
  if (scope.kind === 'task') endQueue(context, scope.task, reason)
  liftStops(context, scope.task)
}

/** What stood still at a limit stands still no longer when the question of it is over. */
export function liftStops(context: DecisionContext, task: TaskId): void {
  for (const [key, { request, of }] of Object.entries(context.world.budgets[task]?.stops ?? {})) {
    const asked = context.world.requests[task]?.[request]
    const isDay = key === DAY_KEY
    if (!isDay && (asked === undefined || !isOpen(asked))) context.emit('budget.lifted', { task, key, of })
  }
}

/** Messages that still waited to be delivered never will be. */
function endQueue(context: DecisionContext, task: TaskId, reason: string): void {
  for (const receipts of Object.values(context.world.receipts[task] ?? {})) {
    for (const { message, receiver, state } of Object.values<ReceiptRecord>(receipts)) {
      if (state !== 'queued') continue
      context.emit('message.receipt', { task, message, agent: receiver, state: 'superseded', note: reason })
    }
  }
}

function locksIn(context: DecisionContext, scope: Scope): { agent: AgentId; lock: LockRecord }[] {
  return (Object.keys(context.world.work) as AgentId[]).flatMap((agent) =>
    (context.world.work[agent]?.locks ?? [])
      .filter((lock) => covers(scope, { task: lock.task, stage: lock.stage, agent, step: lock.step }))
      .map((lock) => ({ agent, lock })),
  )
}

function requestsIn(context: DecisionContext, scope: Scope): RequestRecord[] {
  return Object.values(context.world.requests[scope.task] ?? {}).filter(
    (request: RequestRecord) =>
      isOpen(request) &&
      covers(scope, {
        task: request.task,
        stage: request.stage,
        // A part's request is of the person who was asked; any other is of the agent that asks.
        agent:
          request.kind === 'part' ? (request.asked[0] ?? null) : request.asker === 'system:task' ? null : request.asker,
        step: request.step,
      }),
  )
}

function openSteps(context: DecisionContext, scope: Scope): StepRecord[] {
  const agents = context.world.steps[scope.task] ?? {}
  return (
    Object.values(agents)
      .flatMap((own) => stepsIn(own))
      .filter(
        (step) =>
          !isStepOver(step) && covers(scope, { task: step.task, stage: step.stage, agent: step.agent, step: step.id }),
      )
      // A reply that is owed to someone still goes out when only the part of its writer is over.
      .filter((step: StepRecord) => scope.kind !== 'part' || step.answers === null)
  )
}

/** A step that will not run: it fails with the reason, its pair with it, and whoever waits for its reply is told. */
export function cancelStep(context: DecisionContext, step: StepRecord, by: AgentId | null, reason: string): void {
  if (isStepOver(selectStep(context.world, step.task, step.agent, step.id) ?? step)) return
  context.emit('step.cancelled', { task: step.task, agent: step.agent, step: step.id, by, reason })
  endEffects(context, step)
  afterUnrun(context, step, reason)
}

/** The calls to the outside that it had begun: whatever they still bring is late. */
export function endEffects(
  context: DecisionContext,
  { task, agent, id }: Pick<StepRecord, 'task' | 'agent' | 'id'>,
): void {
  for (const [key, effect] of Object.entries(context.world.effects[task] ?? {})) {
    if (effect.step === id) context.emit('effect.finished', { task, agent, step: id, key })
  }
}

/** What hangs on a step that failed or was cancelled: its own locks, its request, its pair, the reply it owed. */
export function afterUnrun(context: DecisionContext, step: StepRecord, reason: string): void {
  for (const { agent, lock } of locksIn(context, { kind: 'step', task: step.task, agent: step.agent, step: step.id })) {
    releaseLock(context, { agent, lock }, 'ended', null)
  }
  const held = step.held === null ? null : context.world.requests[step.task]?.[step.held as RequestId]
  if (held && isOpen(held)) supersede(context, held, reason)
  endToolRequests(context, step, reason)
  if (step.boundTo !== null) {
    const pair = selectStep(context.world, step.task, step.agent, step.boundTo)
    if (pair && !isStepOver(pair)) {
      context.emit('step.cancelled', { task: pair.task, agent: pair.agent, step: pair.id, by: null, reason })
    }
  }
  if (step.answers === null) {
    const { message } = step.cause
    if (message !== null) {
      context.emit('message.receipt', {
        task: step.task,
        message,
        agent: step.agent,
        state: 'superseded',
        note: reason,
      })
    }
    return
  }
  if (step.answers.waiting !== null) failLock(context, step.answers.waiting, step.agent, reason)
  tellUnanswered(context, step)
  context.emit('message.receipt', {
    task: step.task,
    message: step.answers.message,
    agent: step.agent,
    state: 'failed',
    note: reason,
  })
}
