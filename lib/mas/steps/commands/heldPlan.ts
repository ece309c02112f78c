/** Review of plans: the stages that a manager wants to begin are put to people first. */
import { selectConfirmers } from '../../asks/commands/confirm'
import { openRequest } from '../../asks/commands/openRequest'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId } from '../../ids'
import type { NewStage, PlannedWork, StepRecord, TaskRecord } from '../../records'
import type { Said } from '../../said'
import { asksForReview } from '../../tasks/commands/addTask'
import { mayAct } from '../../team/agents'
import type { StagedInstruction, StepOutcome } from '../outcome'
import { stagesOf, taskMeant } from './namedInAnswer'
import { requestOf } from './requester'
import { whyRefused } from './sync'

type Plan = { instruction: StagedInstruction; stages: NewStage[]; asked: AgentId[]; question: Said }

/**
 * The plan of this outcome, if people decide about it before it is carried out.
 *
 * out     null: it has no stages, nobody wants to review them, or it would be refused anyway
 */
export function planToReview(context: DecisionContext, step: StepRecord, { state, sync }: StepOutcome): Plan | null {
  const instruction = sync.task_instruction
  if (state === 'failed' || instruction === undefined || !hasStages(instruction)) return null
  if (whyRefused(context.world, step, sync, context.at) !== null) return null
  return instruction.action === 'add_task'
    ? planOfNewTask(context, step, instruction)
    : planOfTask(context, step, instruction)
}

const hasStages = (instruction: { action: string; stages?: unknown }): instruction is StagedInstruction =>
  instruction.stages !== undefined

type AddTask = Extract<StagedInstruction, { action: 'add_task' }>

function planOfNewTask(context: DecisionContext, step: StepRecord, instruction: AddTask): Plan | null {
  const { world } = context
  const here = world.tasks[step.task]
  const request = requestOf(world, step)
  const said = request === null ? undefined : world.messages[step.task]?.[request.message]
  if (!here || (world.team.reviewPlans !== true && !asksForReview(world, said))) return null
  const stages = stagesOf(context, here, instruction.stages ?? [])
  const question = context.said('reviewNewTask', { task: instruction.task_name, count: stages.length })
  return { instruction, stages, question, asked: reviewersOf(context, step, request?.by ?? null) }
}

function planOfTask(
  context: DecisionContext,
  step: StepRecord,
  instruction: Exclude<StagedInstruction, AddTask>,
): Plan | null {
  const task = taskMeant(context, step, instruction.task_id)
  if (context.world.team.reviewPlans !== true && task.reviewPlans !== true) return null
  const stages = stagesOf(context, task, instruction.stages)
  const key = instruction.action === 'add_stage' ? 'reviewStages' : 'reviewRetry'
  const question = context.said(key, { task: task.name, count: stages.length })
  return { instruction, stages, question, asked: reviewersOf(context, step, task.requestedBy, task) }
}

/** The person who asked for the task, else its people, else the operators. */
function reviewersOf(
  { world }: DecisionContext,
  step: StepRecord,
  asker: AgentId | null,
  task?: Pick<TaskRecord, 'id'>,
): AgentId[] {
  if (asker !== null && mayAct(world.agents[asker])) return [asker]
  return selectConfirmers(world, { task: task?.id ?? step.task, thread: step.thread })
}

/** The step waits, and with it the later ones of its agent in the same thread; its agent does other work meanwhile. */
export function holdPlan(context: DecisionContext, step: StepRecord, outcome: StepOutcome, plan: Plan): void {
  const { instruction, stages, asked, question } = plan
  const request = openRequest(context, {
    task: step.task,
    kind: 'plan',
    asked,
    asker: step.agent,
    type: 'approval',
    step: step.id,
    stage: step.stage,
    thread: step.thread,
    question,
    plan: {
      work: workOf(instruction),
      stages,
      result: outcome.result,
      repairs: outcome.repairs,
    },
  })
  context.emit('step.held', { task: step.task, agent: step.agent, step: step.id, request })
}

function workOf(instruction: StagedInstruction): PlannedWork {
  const { stages: _, ...work } = instruction
  return work
}
