/**
 * What people do with single steps: cancel one, have a failed one done again.
 *
 * Owns: the two commands. Not here: what hangs on a step that will not run (endings.ts); a call that runs is aborted by the
 * engine as soon as it sees that its step is over (server/engine/runner).
 */

import { Fault } from '@/lib/faults'
import type { AgentId } from '../ids'
import { stepsIn } from '../ownSteps'
import type { Json, StepRecord } from '../records'
import { isPresent, isStepOver, selectName, selectStep } from '../selectors/agents'
import { directedTask, optionalReason, reasonOf, recordAct } from './act'
import type { CommandOf } from './command'
import type { DecisionContext } from './draft'
import { cancelStep } from './endings'
import { afterStep } from './parts'
import { seenStep } from './seen'
import { insertAgain } from './steps'

export function cancelByPerson(draft: DecisionContext, person: AgentId, wish: CommandOf<'cancelStep'>): Json {
  const step = seenStep(draft, person, wish.step)
  const who = selectName(draft.world, person)
  if (step.byHand && step.agent === person) {
    // Their own: nobody else has to know why, and the step itself says that it was cancelled.
    const why = optionalReason(wish.reason) || draft.say('ownCancel')
    if (isStepOver(step)) throw new Fault('STEP_OVER')
    cancelStep(draft, step, person, draft.say('cancelledBy', { who, why }))
    return { step: step.id }
  }
  directedTask(draft, person, step.task)
  const reason = reasonOf(wish.reason)
  if (isStepOver(step)) throw new Fault('STEP_OVER')
  cancelStep(draft, step, person, draft.say('cancelledBy', { who, why: reason }))
  const says = draft.say('actCancelled', { who, agent: selectName(draft.world, step.agent), what: step.intention })
  recordAct(draft, person, [step.task], { act: 'cancelStep', on: step.id, reason, says })
  afterStep(draft, step)
  return { step: step.id }
}

export function retryByPerson(draft: DecisionContext, person: AgentId, wish: CommandOf<'retryStep'>): Json {
  const failed = seenStep(draft, person, wish.step)
  const task = directedTask(draft, person, failed.task)
  const reason = reasonOf(wish.reason)
  if (failed.state !== 'failed' || failed.byHand) throw new Fault('STEP_NOT_FAILED')
  const name = selectName(draft.world, failed.agent)
  if (!isPresent(draft.world, failed.agent)) throw new Fault('RECEIVER_GONE', { name })
  if (!task.group.includes(failed.agent)) throw new Fault('NOT_A_MEMBER', { name, task: task.name })
  const stage = failed.stage === null ? null : draft.world.stages[failed.task]?.[failed.stage]
  if (stage && stage.state !== 'running') throw new Fault('STAGE_OVER')
  if (isAgainAlready(draft, failed)) throw new Fault('ALREADY_SO', { what: 'the step is being done again' })
  const step = insertAgain(draft, failed)
  const who = selectName(draft.world, person)
  const says = draft.say('actRetried', { who, agent: selectName(draft.world, failed.agent), what: failed.intention })
  recordAct(draft, person, [failed.task], { act: 'retryStep', on: failed.id, reason, says })
  return { step }
}

/** It, or the step that it is bound to, stands in the list again. */
function isAgainAlready(draft: DecisionContext, failed: StepRecord): boolean {
  const pair = failed.boundTo === null ? null : selectStep(draft.world, failed.task, failed.agent, failed.boundTo)
  return stepsIn(draft.world.steps[failed.task]?.[failed.agent]).some(
    (step) => !isStepOver(step) && (step.retryOf === failed.id || (pair !== null && step.retryOf === pair.id)),
  )
}
