/** Confirmation of a risky call: held until a person decides, with the digest of what they saw. */
import { Fault } from '@/lib/faults'
import { tellChat } from '../../commands/act'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { type AgentId, type RequestId, type StepId, SYSTEM_TASK, type WaitingId } from '../../ids'
import { isAsked } from '../../members/traits'
import type { HeldCall, Json, RequestRecord, StepRecord, ToolInstruction, World } from '../../records'
import { afterStep } from '../../stages/commands/parts'
import { selectOperators } from '../../stages/judge'
import { isOpen } from '../../statuses'
import { insertStep, toolDecisionAfter } from '../../steps/commands/addStep'
import { ruled } from '../../steps/commands/toolRuled'
import type { FailureCause } from '../../steps/failureCause'
import { allowingRule, outdatedRules, strictRuleFor } from '../../steps/toolRules'
import { mayAct, selectStep } from '../../team/agents'
import { findLock, releaseLock } from '../../waits/commands/locks'
import { supersede } from '../../waits/commands/withoutAnswer'
import { openRequest, settleAnswered } from './openRequest'

/** Who confirms a step's risky call: the people of its task, else the operators; in a talk its person alone; in the base task the
 * person who began the thread. */
export function selectConfirmers(world: World, step: Pick<StepRecord, 'task' | 'thread'>): AgentId[] {
  const owner = world.tasks[step.task]
  if (owner?.talk) return owner.group.filter((id) => isAsked(world, id))
  const beganBy = step.thread === null ? undefined : world.messages[step.task]?.[step.thread]?.sender
  const own = owner?.base ? (beganBy === undefined || beganBy === SYSTEM_TASK ? [] : [beganBy]) : (owner?.group ?? [])
  const humans = own.filter((id) => mayAct(world.agents[id]))
  return humans.length > 0 ? humans : selectOperators(world)
}

/** People are asked about a call, unless an operator's standing rule allows the tool. out: the request; null: it runs */
export function holdStep(
  context: DecisionContext,
  step: StepRecord,
  { call, title }: CommandOf<'holdStep'>,
): RequestId | null {
  endOutdated(context, step, call)
  const allowing = allowingRule(context.world, step, call, context.at)
  if (allowing !== null) {
    const { task, agent, id } = step
    const allowed = 'task' in allowing.owner ? true : 'agent'
    const approval = { by: allowing.rule.by, edited: false, digest: call.digest, arguments: null, allowed } as const
    context.emit('step.approved', { task, agent, step: id, ...approval })
    return null
  }
  const lock = context.id<WaitingId>()
  const request = openRequest(context, {
    task: step.task,
    kind: 'confirm',
    asked: selectConfirmers(context.world, step),
    asker: step.agent,
    type: strictRuleFor(context.world, step, call)?.rule === 'urgent' ? 'urgent' : 'approval',
    step: step.id,
    stage: step.stage,
    lock,
    thread: step.thread,
    question: title ?? context.said('allow', { call: `${call.server}.${call.tool}` }),
    call,
  })
  context.emit('step.held', { task: step.task, agent: step.agent, step: step.id, request })
  context.emit('lock.added', {
    agent: step.agent,
    task: step.task,
    lock: { id: lock, kind: 'confirm', stage: step.stage, step: step.id, on: null, message: null, request },
  })
  return request
}

/** What was allowed is another tool than this one: its rules end, and the chat says so. */
function endOutdated(context: DecisionContext, step: StepRecord, { server, tool, definition }: HeldCall): void {
  for (const { owner, rule } of outdatedRules(context.world, step, { server, tool, definition })) {
    ruled(context, owner, { server, tool, rule: null, by: null })
    const words = { who: context.name(rule.by), tool: `${server}.${tool}` }
    tellChat(context, step.task, context.said('toolRuleOutdated', words), step.stage)
  }
}

/** A held step got other arguments: the question is withdrawn, and people are asked again when the step is next. */
export function withdrawIfChanged(context: DecisionContext, step: StepRecord, instruction: ToolInstruction): void {
  const request = step.held === null ? undefined : context.world.requests[step.task]?.[step.held]
  if (!request || !isOpen(request)) return
  if (instruction.kind === 'call' && instruction.arguments.sha === request.call?.digest) return
  const lock = findLock(context, request.lock)
  if (lock) releaseLock(context, lock, 'ended', null)
  supersede(context, request, context.say('argumentsChanged'))
}

/** The call runs as it is or edited, or fails. Throws STEP_OVER, BAD_ARGUMENTS, DIGEST_CHANGED (another call than was seen). */
export function decideConfirmation(
  context: DecisionContext,
  person: AgentId,
  request: RequestRecord,
  command: CommandOf<'answerRequest'>,
): void {
  const step = request.step === null ? null : findHeld(context, request, request.step)
  if (!step || !request.call) throw new Fault('STEP_OVER')
  if (command.digest !== request.call.digest) throw new Fault('DIGEST_CHANGED')
  const edited = command.decision === 'approve_edited' ? command.arguments : null
  if (command.decision === 'approve_edited' && edited === null) {
    throw new Fault('BAD_ARGUMENTS', { why: 'there are none to run' })
  }
  settleAnswered(context, person, request, command)
  const held = findLock(context, request.lock)
  if (held) releaseLock(context, held, 'answered', person)
  const { task, agent } = step

  if (command.decision === 'refuse') {
    const reason = context.say('refusedBy', { who: context.name(person), why: command.text })
    failHeld(context, step, reason, { status: 'refused', reason: command.text }, 'person')
    return
  }
  context.emit('step.approved', {
    task,
    agent,
    step: step.id,
    by: person,
    edited: edited !== null,
    digest: edited?.sha ?? request.call.digest,
    arguments: edited,
  })
}

/** It was not approved, so it does not run; the agent decides how to continue. */
export function failHeld(
  context: DecisionContext,
  step: StepRecord,
  reason: string,
  made: Json,
  failureCause?: FailureCause,
): void {
  const { task, agent, id } = step
  const result = context.result('tool', reason, made)
  const cause = failureCause === undefined ? {} : { failureCause }
  context.emit('step.failed', { task, agent, step: id, reason, ...cause, result, repairs: [] })
  insertStep(context, step, toolDecisionAfter(context, step))
  afterStep(context, step)
}

function findHeld(context: DecisionContext, request: RequestRecord, id: StepId): StepRecord | null {
  const step = request.asker === 'system:task' ? null : selectStep(context.world, request.task, request.asker, id)
  return step && step.held === request.id ? step : null
}
