/** Stages: adding, starting, finishing and retrying them. One runs at a time. */

import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId, StageId, StepId, TaskId } from '../../ids'
import { deliverSystem } from '../../messages/commands/deliver'
import { reportStage } from '../../outside/commands/checkpoints'
import { tellRequester } from '../../outside/commands/outsideWork'
import type { NewStage, OwnSteps, StageRecord, TaskRecord } from '../../records'
import type { Said } from '../../said'
import { isPartReady, isStepOver } from '../../statuses'
import { endOf } from '../../steps/commands/endings'
import { stepsIn } from '../../steps/ownSteps'
import { addParticipants, remember } from '../../tasks/commands/addTask'
import { selectWorkElsewhere } from '../../tasks/workElsewhere'
import { selectOperators } from '../judge'
import { selectRunningStage, selectStagePlace } from '../plan'
import { askToJudgeTask } from './judge'
import { checkStage, endPart, startParts } from './parts'

/** Add stages in order; agents named in them join; the first one not yet started starts when none runs. */
export function addStages(
  context: DecisionContext,
  task: TaskRecord,
  stages: NewStage[],
  after: StageId | null,
  retryOf: StageId | null = null,
): StageId[] {
  const made: StageId[] = []
  let place = after
  for (const { name, intention, allocation, needs } of stages) {
    const stage = context.id<StageId>()
    addParticipants(context, task.id, Object.keys(allocation) as AgentId[])
    const named = name === undefined ? {} : { name }
    const planned = { ...named, intention, allocation, ...(needs === undefined ? {} : { needs }) }
    context.emit('stage.added', { task: task.id, stage, ...planned, after: place, retryOf })
    remember(context, task.id, Object.keys(allocation) as AgentId[], stage)
    if (place !== null) place = stage
    made.push(stage)
  }
  if (retryOf === null) warnOfWorkElsewhere(context, task.id, stages)
  return made
}

/** That agents of these stages have parts in other tasks too; null: none has. It stops nothing. */
export function saidOfWorkElsewhere(context: DecisionContext, task: TaskId, stages: readonly NewStage[]): Said | null {
  const planned = [...new Set(stages.flatMap(({ allocation }) => Object.keys(allocation) as AgentId[]))]
  const { agents, tasks } = selectWorkElsewhere(context.world, task, planned)
  if (agents.length === 0) return null
  const names = agents.map((agent) => context.name(agent)).join(', ')
  return context.said('workElsewhere', { names, tasks: tasks.map(({ name }) => name).join(', ') })
}

/** The operators in the task are told; an agent that plans reads it in its result. */
function warnOfWorkElsewhere(context: DecisionContext, task: TaskId, stages: readonly NewStage[]): void {
  const text = saidOfWorkElsewhere(context, task, stages)
  const group = context.world.tasks[task]?.group ?? []
  const receivers = selectOperators(context.world).filter((person) => group.includes(person))
  if (text !== null) deliverSystem(context, { task, receivers, text, stage: null, instruction: null })
}

/** Start the first stage that has not begun, unless one runs or the task is paused. */
export function startNext(context: DecisionContext, task: TaskId): StageId | null {
  const record = context.world.tasks[task]
  if (!record || record.paused || selectRunningStage(context.world, task)) return null
  const next = record.stageOrder.find((id) => context.world.stages[task]?.[id]?.state === 'init')
  if (next === undefined) return null
  startStage(context, task, next)
  return next
}

function startStage(context: DecisionContext, task: TaskId, stage: StageId): void {
  const owner = context.world.tasks[task]
  const record = context.world.stages[task]?.[stage]
  if (!owner || !record) return
  if (owner.state === 'init') context.emit('task.started', { task })
  context.emit('stage.started', { task, stage })
  const agents = Object.keys(record.allocation) as AgentId[]
  startParts(
    context,
    owner,
    record,
    agents.filter((agent) => isPartReady(record, agent)),
  )
  // Members who left since the stage was planned do nothing in it; perhaps no one is left.
  for (const agent of agents.filter((one) => !owner.group.includes(one))) {
    endPart(context, task, stage, agent, {
      failed: context.say('notInTask', { names: context.name(agent) }),
    })
  }
  checkStage(context, task, stage)
}

/** The stage ends with everything in it; the step that ends it (`by`) finishes. */
export function endStage(
  context: DecisionContext,
  task: TaskRecord,
  stage: StageRecord,
  by: StepId | null,
  end: { failed: null } | { failed: string; replacedBy: StageId | null },
): void {
  moveStepsOfOthers(context, task, stage, by)
  const result =
    end.failed === null
      ? ({ state: 'finished', reason: null, replacedBy: null } as const)
      : ({ state: 'failed', reason: end.failed, replacedBy: end.replacedBy } as const)
  context.emit('stage.finished', { task: task.id, stage: stage.id, ...result })
  if (end.failed === null) reportStage(context, task, stage)
  endOf(context, { kind: 'stage', task: task.id, stage: stage.id }, context.say('theStage'), by)
  const { number: n } = selectStagePlace(context.world, task.id, stage.id)
  const isRetried = end.failed !== null && end.replacedBy !== null
  const ended = isRetried
    ? context.said('stageRetried', { n })
    : context.said('stageEnded', { n, failed: end.failed !== null })
  deliverSystem(context, {
    task: task.id,
    receivers: Object.keys(stage.allocation) as AgentId[],
    text: ended,
    stage: stage.id,
    instruction: { type: 'finish_stage', stage: stage.id, failed: end.failed !== null },
  })
  // Only the stage's number is reported: its goal belongs to the task.
  tellRequester(context, task, ended)
}

/** Agents without a part in the stage (its judge, receivers of messages) keep their remaining steps. */
function moveStepsOfOthers(context: DecisionContext, task: TaskRecord, stage: StageRecord, by: StepId | null): void {
  for (const [agent, own] of Object.entries(context.world.steps[task.id] ?? {}) as [AgentId, OwnSteps][]) {
    if (stage.allocation[agent] !== undefined) continue
    for (const step of stepsIn(own)) {
      if (step.stage !== stage.id || isStepOver(step) || step.id === by) continue
      context.emit('step.moved', { task: task.id, agent, step: step.id, stage: null })
    }
  }
}

/** The stage's goal is reached: the next one starts, or with none left the manager is asked to judge the task. */
export function finishStage(context: DecisionContext, task: TaskRecord, stage: StageRecord, by: StepId | null): void {
  endStage(context, task, stage, by, { failed: null })
  if (startNext(context, task.id) !== null) return
  const left = context.world.tasks[task.id]
  if (!left || left.paused) return
  askToJudgeTask(context, left)
}

/** Why a stage cannot be tried again now: it has not begun, or another try of it is still to end. null: it can. */
export function whyNoRetry(context: DecisionContext, stage: StageRecord): 'notBegun' | 'isRetried' | null {
  if (stage.state === 'init') return 'notBegun'
  const isOpen = ({ state }: StageRecord): boolean => state === 'init' || state === 'running'
  const tries: StageRecord[] = Object.values(context.world.stages[stage.task] ?? {})
  return tries.some((one) => one.retryOf === stage.id && isOpen(one)) ? 'isRetried' : null
}

/**
 * The stage is not reached: better ones are placed directly behind it, and the first of them starts. One that runs becomes
 * failed, and its agents are told to end it first; one that is over stays what it is, and its new try starts as soon as none
 * runs.
 *
 * out     the new stages in order, and who of the old one is in none of them
 */
export function retryStage(
  context: DecisionContext,
  task: TaskRecord,
  stage: StageRecord,
  better: NewStage[],
  by: StepId | null,
  reason: string,
): { made: StageId[]; leftOut: AgentId[] } {
  const made = addStages(context, task, better, stage.id, stage.id)
  const withNew = context.world.tasks[task.id] ?? task
  if (stage.state === 'running') endStage(context, withNew, stage, by, { failed: reason, replacedBy: made[0] ?? null })
  startNext(context, task.id)
  const isIn = (agent: AgentId): boolean => better.some(({ allocation }) => allocation[agent] !== undefined)
  return { made, leftOut: (Object.keys(stage.allocation) as AgentId[]).filter((agent) => !isIn(agent)) }
}
