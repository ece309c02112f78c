/** A person decides about the stages that a manager planned: they begin, as they are or changed, or the plan is sent back. */
import { Fault } from '@/lib/faults'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId } from '../../ids'
import type { HeldPlan, Json, NewStage, RequestRecord, StepRecord, StepResult } from '../../records'
import { finishPlanned } from '../../steps/commands/runSteps'
import { checkStages } from '../../tasks/commands/checkStages'
import { selectStep } from '../../team/agents'
import { settleAnswered } from './openRequest'

/**
 * Approved, its stages begin in this decision; sent back, the step of the manager runs again and reads the comment.
 *
 * faults  STEP_OVER, REASON_MISSING (sent back without a comment), BAD_ARGUMENTS (changed, without stages), and BAD_INPUT,
 *         RECEIVER_UNKNOWN, RECEIVER_GONE where these stages cannot begin
 */
export function decidePlan(
  context: DecisionContext,
  person: AgentId,
  request: RequestRecord,
  command: CommandOf<'answerRequest'>,
): void {
  const { plan } = request
  const step = findHeld(context, request)
  if (!step || !plan) throw new Fault('STEP_OVER')
  if (command.decision === 'refuse') {
    if (command.text.trim() === '') throw new Fault('REASON_MISSING')
    settleAnswered(context, person, request, command)
    context.emit('step.requeued', { task: step.task, agent: step.agent, step: step.id })
    return
  }
  const changed = command.decision === 'approve_edited' ? changedStages(context, command) : null
  settleAnswered(context, person, request, { ...command, ...(changed === null ? {} : { plan: changed }) })
  const stages = changed ?? [...plan.stages]
  const said = changed === null ? null : { edited_by: context.name(person), stages: named(context, stages) }
  finishPlanned(context, step, plan, stages, { result: resultOf(context, plan, said), said: said ?? {} })
}

function findHeld(context: DecisionContext, request: RequestRecord): StepRecord | null {
  if (request.step === null || request.asker === 'system:task') return null
  const step = selectStep(context.world, request.task, request.asker, request.step)
  return step?.held === request.id ? step : null
}

/** Parts that no longer wait for somebody without a part. */
function changedStages(context: DecisionContext, { plan }: CommandOf<'answerRequest'>): NewStage[] {
  if (plan === undefined || plan.length === 0) throw new Fault('BAD_ARGUMENTS', { why: 'there are no stages' })
  checkStages(context, plan)
  return plan.map(({ needs, ...stage }) => {
    const isIn = (agent: string): boolean => Object.hasOwn(stage.allocation, agent)
    const kept = Object.entries(needs ?? {}).flatMap(([agent, others]) => {
      const left = others.filter(isIn)
      return isIn(agent) && left.length > 0 ? [[agent, left] as const] : []
    })
    return kept.length === 0 ? stage : { ...stage, needs: Object.fromEntries(kept) }
  })
}

/** The stages as later prompts of the manager show them. */
const named = (context: DecisionContext, stages: readonly NewStage[]): Json =>
  stages.map(({ intention, allocation }) => ({
    intention,
    parts: (Object.entries(allocation) as [AgentId, string][]).map(
      ([agent, goal]) => `${context.name(agent)}: ${goal}`,
    ),
  }))

/** What the step wrote, or that a person changed it. */
function resultOf(context: DecisionContext, plan: HeldPlan, said: { edited_by: string } | null): StepResult {
  if (said === null) return plan.result
  const goals = context.textOf(context.said('planChanged', { who: said.edited_by }))
  return { ...context.result('text', goals), made: plan.result.made }
}
