/** Judging: who judges a task, and the request to operators when there is no judge. */

import { openRequest, settleAnswered } from '../../asks/commands/openRequest'
import { selectOpenRequests } from '../../asks/requests'
import type { DecisionContext } from '../../commands/decisionContext'
import type { EventType } from '../../events'
import { type AgentId, type StageId, SYSTEM_TASK, type TaskId } from '../../ids'
import { deliver, deliverSystem } from '../../messages/commands/deliver'
import type { RequestRecord, StageRecord, StepRecord, TaskRecord, World } from '../../records'
import type { Said } from '../../said'
import { isStepOver, isTaskOver } from '../../statuses'
import { cancelStep } from '../../steps/commands/endings'
import { stepsIn } from '../../steps/ownSteps'
import { managerIn } from '../../team/agents'
import { supersede } from '../../waits/commands/withoutAnswer'
import { isJudging, selectOperators, selectUnjudged, type Unjudged } from '../judge'
import { selectRunningStage, selectStagePlace } from '../plan'

/** The parts of this stage are over, or none can continue: the manager decides how to proceed. */
export function askToJudgeStage(context: DecisionContext, task: TaskRecord, stage: StageId): void {
  deliverSystem(context, {
    task: task.id,
    receivers: managerIn(task),
    text: context.said('judgeStage', { n: selectStagePlace(context.world, task.id, stage).number }),
    stage,
    instruction: { type: 'judge_stage', stage },
  })
}

/** No stage is left: the manager is to finish the task or to add stages. */
export function askToJudgeTask(context: DecisionContext, task: TaskRecord): void {
  askForTask(context, task, context.said('judgeTask'))
}

/** A task that was made without stages: the manager is to plan them. */
export function askForPlan(context: DecisionContext, task: TaskRecord): void {
  askForTask(context, task, context.said('planTask', { goal: task.intention }))
}

function askForTask(context: DecisionContext, task: TaskRecord, text: Said): void {
  deliverSystem(context, {
    task: task.id,
    receivers: managerIn(task),
    text,
    instruction: { type: 'judge_task' },
  })
}

const stepsToJudge = (world: World, task: TaskId): StepRecord[] =>
  Object.values(world.steps[task] ?? {}).flatMap((own) =>
    stepsIn(own).filter((step) => !isStepOver(step) && isJudging(world, step)),
  )

/** The stage, or with all of them over the task, needs a judgement that was not asked for yet. */
export function askWhatIsDue(context: DecisionContext, id: TaskId): void {
  const task = context.world.tasks[id]
  if (!task || task.paused || isTaskOver(task)) return
  if (stepsToJudge(context.world, id).length > 0 || openJudgeRequests(context.world, id).length > 0) return
  const stages: StageRecord[] = Object.values(context.world.stages[id] ?? {})
  const running = selectRunningStage(context.world, id)
  if (running) {
    if (running.judging) askToJudgeStage(context, task, running.id)
  } else if (stages.length > 0 && stages.every((stage) => stage.state !== 'init')) askToJudgeTask(context, task)
}

const openJudgeRequests = (world: World, task: TaskId): RequestRecord[] =>
  selectOpenRequests(world, task).filter(({ kind }) => kind === 'judge')

/** A person decided what was to be judged: closes the steps and requests for it. which 'task': only whether the task is over. */
export function settleJudging(
  context: DecisionContext,
  task: TaskRecord,
  person: AgentId,
  what: string,
  which: 'task' | 'all',
): void {
  for (const step of stepsToJudge(context.world, task.id)) {
    const notice = step.cause.message === null ? null : context.world.messages[task.id]?.[step.cause.message]
    if (which === 'all' || notice?.instruction?.type === 'judge_task') cancelStep(context, step, person, what)
  }
  for (const request of openJudgeRequests(context.world, task.id)) {
    if (which === 'task' && request.stage !== null) continue
    settleAnswered(context, person, request, { decision: 'done', text: what, arguments: null })
    if (request.message === null) continue
    for (const agent of request.asked) {
      context.delivery(task.id, request.message, agent, 'done', what)
    }
  }
}

/** The manager changed: the new one is asked to judge what the old one had not judged. */
export function handOverJudging(context: DecisionContext, before: TaskRecord, why: string): void {
  const [steps, requests] = [stepsToJudge(context.world, before.id), openJudgeRequests(context.world, before.id)]
  for (const step of steps) cancelStep(context, step, null, why)
  for (const request of requests) supersede(context, request, why)
  const task = context.world.tasks[before.id]
  if (task && task.stageOrder.length === 0 && steps.length + requests.length > 0) askForPlan(context, task)
  else askWhatIsDue(context, before.id)
}

/** Reports tasks that this decision left without a judge to the operators; withdraws the report when they have one again. */
export function watchJudges(context: DecisionContext): void {
  for (const id of touchedTasks(context)) {
    const task = context.world.tasks[id]
    if (!task || task.base) continue
    const unjudged = selectUnjudged(context.world, task)
    const question = unjudged === null ? null : questionOf(context, task, unjudged)
    const told = openJudgeRequests(context.world, id).find((request) => isToOperators(context.world, request))
    if (told?.question === (question === null ? null : context.textOf(question))) continue
    if (told) supersede(context, told, context.say('judgedAgain'))
    if (unjudged !== null && question !== null) tellOperators(context, task, unjudged, question)
  }
}

/** It says that there is no judge; one that asks a person who manages carries the order to judge. */
const isToOperators = (world: World, { task, message }: RequestRecord): boolean =>
  (message === null ? null : world.messages[task]?.[message]?.instruction) === null

/** Tasks that the decision named, or whose manager it changed. */
function touchedTasks(context: DecisionContext): Set<TaskId> {
  const touched = new Set<TaskId>()
  let changesAgents = false
  for (const event of context.events) {
    if ('task' in event && event.task !== null) touched.add(event.task)
    else if (event.type.startsWith('agent.') || CHANGES_ALL.includes(event.type)) changesAgents = true
  }
  // A task without stages is planned where it was asked for.
  const { baseTask, tasks } = context.world
  const isAsked = baseTask !== null && touched.has(baseTask)
  if (changesAgents || isAsked) {
    for (const task of Object.values(tasks)) {
      if (!isTaskOver(task) && (changesAgents || task.stageOrder.length === 0)) touched.add(task.id)
    }
  }
  return touched
}
const CHANGES_ALL: readonly string[] = ['human.accessChanged', 'config.applied'] satisfies EventType[]

function questionOf(context: DecisionContext, task: TaskRecord, { cause, who, why }: Unjudged): Said {
  const names = { who: context.name(who), task: task.name }
  switch (cause) {
    case 'failed':
      return context.said('noJudge', { ...names, why: why ?? context.said('undecided') })
    case 'paused':
      return context.said('judgePaused', names)
    case 'gone':
      return context.said('judgeGone', names)
    case 'noModel':
      return context.said('judgeNoModel', names)
    default:
      return cause satisfies never
  }
}

function tellOperators(context: DecisionContext, task: TaskRecord, { step }: Unjudged, question: Said): void {
  const operators = selectOperators(context.world)
  if (operators.length === 0) return
  const stage = selectRunningStage(context.world, task.id)?.id ?? null
  const message = deliver(context, {
    task: task.id,
    sender: SYSTEM_TASK,
    receivers: operators,
    text: question,
    stage,
    type: 'action',
    fromStep: step,
  })
  openRequest(context, {
    task: task.id,
    kind: 'judge',
    asked: operators,
    asker: SYSTEM_TASK,
    message,
    step,
    stage,
    question,
  })
}
