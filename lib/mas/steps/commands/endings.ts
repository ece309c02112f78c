/** The end rule (R6): ending something also ends its locks, requests and steps. */

import { selectOpenRequests } from '../../asks/requests'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId, RequestId, StageId, StepId, TaskId } from '../../ids'
import { isElsewhere } from '../../members/traits'
import { deliver } from '../../messages/commands/deliver'
import { isOutsideRequester } from '../../outside/outsideWork'
import type { DeliveryRecord, LockRecord, RequestRecord, StepRecord } from '../../records'
import { isOpen, isStepOver, isTaskOver } from '../../statuses'
import { isMember, selectStep } from '../../team/agents'
import { releaseLock } from '../../waits/commands/locks'
import { failLock, supersede } from '../../waits/commands/withoutAnswer'
import { stepsOfAll } from '../ownSteps'

type Place = { task: TaskId; stage: StageId | null; agent: AgentId | null; step: StepId | null }

/** kind: what ends; the rest names what belongs to it. */
type Scope =
  | ({ kind: 'step' } & Pick<Place, 'task' | 'step'>)
  | ({ kind: 'part' } & Pick<Place, 'task' | 'stage' | 'agent'>)
  | ({ kind: 'stage' } & Pick<Place, 'task' | 'stage'>)
  | ({ kind: 'member' } & Pick<Place, 'task' | 'agent'>)
  | ({ kind: 'task' } & Pick<Place, 'task'>)

const covers = ({ kind: _, ...named }: Scope, place: Place): boolean =>
  Object.entries(named).every(([key, id]) => place[key as keyof Place] === id)

/**
 * End everything that belongs to the scope.
 *
 * in      what ends, why in words, and the step that ends it, which is left alone
 * out     locks released as ended, requests superseded, open steps cancelled, waiting ids of replies returned
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

/** Lift the limits whose request is closed, so that the work they stopped continues. */
function liftStops(context: DecisionContext, task: TaskId): void {
  for (const [key, { request, of, day }] of Object.entries(context.world.budgets[task]?.stops ?? {})) {
    const asked = context.world.requests[task]?.[request]
    if (day === undefined && (asked === undefined || !isOpen(asked)))
      context.emit('budget.lifted', { task, key, of, allowed: null })
  }
}

/** Queued messages are superseded, except those to an agent of another system that asked for the task. */
function endQueue(context: DecisionContext, task: TaskId, reason: string): void {
  const owner = context.world.tasks[task]
  for (const deliveries of Object.values(context.world.deliveries[task] ?? {})) {
    for (const { message, receiver, state } of Object.values<DeliveryRecord>(deliveries)) {
      if (state !== 'queued') continue
      const isTold = context.world.messages[task]?.[message]?.type === 'fyi'
      if (isTold && owner && isOutsideRequester(context.world, owner, receiver)) continue
      context.delivery(task, message, receiver, 'superseded', reason)
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
  return selectOpenRequests(context.world, scope.task).filter(({ task, stage, step, kind, asked, asker }) =>
    covers(scope, {
      task,
      stage,
      // A part's request is of the person who was asked; any other is of the agent that asks.
      agent: kind === 'part' ? (asked[0] ?? null) : asker === 'system:task' ? null : asker,
      step,
    }),
  )
}

function openSteps(context: DecisionContext, scope: Scope): StepRecord[] {
  return (
    stepsOfAll(context.world.steps[scope.task])
      .filter(
        (step) =>
          !isStepOver(step) && covers(scope, { task: step.task, stage: step.stage, agent: step.agent, step: step.id }),
      )
      // A reply is still sent when only its writer's part has ended.
      .filter((step: StepRecord) => scope.kind !== 'part' || step.answers === null)
  )
}

/** Cancel a step and its pair with the reason; an agent that waits for its reply gets the waiting id back. */
export function cancelStep(context: DecisionContext, step: StepRecord, by: AgentId | null, reason: string): void {
  if (isStepOver(selectStep(context.world, step.task, step.agent, step.id) ?? step)) return
  context.emit('step.cancelled', { task: step.task, agent: step.agent, step: step.id, by, reason })
  endEffects(context, step)
  afterUnrun(context, step, reason)
}

/** Close the external calls that the step began; an outcome that arrives later is recorded as late. */
export function endEffects(
  context: DecisionContext,
  { task, agent, id }: Pick<StepRecord, 'task' | 'agent' | 'id'>,
): void {
  for (const [key, effect] of Object.entries(context.world.effects[task] ?? {})) {
    if (effect.step === id) context.emit('effect.finished', { task, agent, step: id, key })
  }
}

/** End what depends on a failed or cancelled step: its locks, its request, its pair, the reply it should have sent. */
export function afterUnrun(context: DecisionContext, step: StepRecord, reason: string): void {
  for (const { agent, lock } of locksIn(context, { kind: 'step', task: step.task, step: step.id })) {
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
      context.delivery(step.task, message, step.agent, 'superseded', reason)
    }
    return
  }
  if (step.answers.waiting !== null) failLock(context, step.answers.waiting, step.agent, reason)
  tellUnanswered(context, step)
  context.delivery(step.task, step.answers.message, step.agent, 'failed', reason)
}

/** Supersede the tool requests of a step that is over. */
export function endToolRequests(context: DecisionContext, step: StepRecord, reason: string): void {
  for (const request of selectOpenRequests(context.world, step.task))
    if (request.kind === 'tool' && request.step === step.id) supersede(context, request, reason)
}

/** Tell another system that its question will not be answered, without our reasons. */
export function tellUnanswered(
  context: DecisionContext,
  step: Pick<StepRecord, 'task' | 'agent' | 'thread' | 'answers'>,
): void {
  const { task, agent, thread, answers } = step
  const owner = context.world.tasks[task]
  if (answers === null || !isElsewhere(context.world, answers.to)) return
  if (!owner || isTaskOver(owner) || !isMember(context.world, task, answers.to)) return
  deliver(context, {
    task,
    sender: agent,
    receivers: [answers.to],
    text: context.say('willNotAnswer'),
    stage: answers.stage,
    thread,
    replyTo: answers.message,
  })
}
