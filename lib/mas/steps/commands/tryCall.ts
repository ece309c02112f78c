/** A person tries the model of a step with a changed prompt: the call is recorded and paid, and nothing else happens. */
import { Fault } from '@/lib/faults'
import { canReadStep, canSeeAll, taskAccessOf } from '../../access/access'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId, StepId } from '../../ids'
import { selectLimitStop } from '../../limits/limits'
import type { AgentRecord, StepRecord, World } from '../../records'
import { findStep } from '../../team/agents'

/** Throws NOT_ALLOWED, NOT_FOUND. */
export function recordTrial(context: DecisionContext, person: AgentId, { step: id, call }: CommandOf<'tryCall'>): void {
  const { world } = context
  const { task, agent } = triedStep(world, world.agents[person], id)
  context.emit('model.called', { task, agent, step: id, call, triedBy: person })
}

/** The step whose model this person may try. Throws NOT_ALLOWED, NOT_FOUND, also for one that has left the world. */
export function triedStep(world: World, person: AgentRecord | undefined, id: StepId): StepRecord {
  if (person === undefined || !canSeeAll(person)) throw new Fault('NOT_ALLOWED', { what: 'try the model of a step' })
  const step = findStep(world, id)
  if (!step || !canReadStep(taskAccessOf(world, person, step.task), step))
    throw new Fault('NOT_FOUND', { what: 'step', id })
  return step
}

/** Throws BUDGET_USED: a limit of the task, the day or who asked has stopped its work. */
export function mustBeAffordable(world: World, person: AgentId, { task, thread }: StepRecord): void {
  if (selectLimitStop(world, { task, stage: null, thread, agent: person }) !== null) throw new Fault('BUDGET_USED')
}
