/** What people do with single steps: cancel one, have a failed one done again. */
import { Fault } from '@/lib/faults'
import { directedTask, optionalReason, reasonOf, recordAct } from '../../commands/act'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { seenStep } from '../../commands/visible'
import type { AgentId } from '../../ids'
import type { Json, StepRecord } from '../../records'
import { afterStep } from '../../stages/commands/parts'
import { isStepOver } from '../../statuses'
import { isPresent, selectStep } from '../../team/agents'
import { stepsIn } from '../ownSteps'
import { toolCallOf } from '../toolCall'
import { insertAgain } from './addStep'
import { cancelStep } from './endings'

/** Cancels one's own call, or another's step as manager or operator. Throws NOT_FOUND, STEP_OVER, REASON_MISSING. */
export function cancelByPerson(context: DecisionContext, person: AgentId, command: CommandOf<'cancelStep'>): Json {
  const step = seenStep(context, person, command.step)
  const who = context.name(person)
  if (step.byHand && step.agent === person) {
    // Their own step: no reason is needed, the step itself says that it was cancelled.
    const why = optionalReason(command.reason) || context.say('ownCancel')
    if (isStepOver(step)) throw new Fault('STEP_OVER')
    cancelStep(context, step, person, context.say('cancelledBy', { who, why }))
    return { step: step.id }
  }
  directedTask(context, person, step.task)
  const reason = reasonOf(command.reason)
  if (isStepOver(step)) throw new Fault('STEP_OVER')
  cancelStep(context, step, person, context.say('cancelledBy', { who, why: reason }))
  const says = context.said('actCancelled', { who, agent: context.name(step.agent), what: step.intention })
  recordAct(context, person, [step.task], { act: 'cancelStep', on: step.id, reason, says })
  afterStep(context, step)
  return { step: step.id }
}

/**
 * Other arguments are no approval: a call that needs one is held as before, and those who may confirm it are asked.
 *
 * out     the new step
 * faults  NOT_FOUND, NOT_MANAGER, TASK_OVER, REASON_MISSING, STEP_NOT_FAILED, NO_TOOL_CALL (arguments for a step that called no
 *         tool), RECEIVER_GONE, NOT_A_MEMBER, STAGE_OVER, ALREADY_SO
 * source  docs/rules R540, R541
 */
export function retryByPerson(context: DecisionContext, person: AgentId, command: CommandOf<'retryStep'>): Json {
  const failed = seenStep(context, person, command.step)
  const task = directedTask(context, person, failed.task)
  const reason = reasonOf(command.reason)
  if (failed.state !== 'failed' || failed.byHand) throw new Fault('STEP_NOT_FAILED')
  const call = toolCallOf(failed)
  if (command.arguments !== undefined && call === null) throw new Fault('NO_TOOL_CALL')
  const name = context.name(failed.agent)
  if (!isPresent(context.world, failed.agent)) throw new Fault('RECEIVER_GONE', { name })
  if (!task.group.includes(failed.agent)) throw new Fault('NOT_A_MEMBER', { name, task: task.name })
  const stage = failed.stage === null ? null : context.world.stages[failed.task]?.[failed.stage]
  if (stage && stage.state !== 'running') throw new Fault('STAGE_OVER')
  if (isAgainAlready(context, failed)) throw new Fault('ALREADY_SO', { what: 'the step is being done again' })
  const isEdited = command.arguments !== undefined && command.arguments.sha !== call?.arguments.sha
  const edited = isEdited && command.arguments ? { by: person, arguments: command.arguments } : null
  const step = insertAgain(context, failed, edited)
  const who = context.name(person)
  const says = context.said(edited === null ? 'actRetried' : 'actRetriedEdited', {
    who,
    agent: name,
    what: failed.intention,
  })
  recordAct(context, person, [failed.task], { act: 'retryStep', on: failed.id, reason, says })
  return { step }
}

/** It, or its bound step, is in the list again. */
function isAgainAlready(context: DecisionContext, failed: StepRecord): boolean {
  const pair = failed.boundTo === null ? null : selectStep(context.world, failed.task, failed.agent, failed.boundTo)
  return stepsIn(context.world.steps[failed.task]?.[failed.agent]).some(
    (step) => !isStepOver(step) && (step.retryOf === failed.id || (pair !== null && step.retryOf === pair.id)),
  )
}
