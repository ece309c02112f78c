/**
 * Who judges a task, and what happens when nobody does.
 *
 * Owns: asking the manager to judge, passing the judging on, and the request to the operators while a task has no judge: once
 * per cause, withdrawn when there is one again. Not here: what a judgement does (stages.ts, tasks.ts).
 */

import type { EventType } from '../events'
import { type AgentId, type StageId, SYSTEM_TASK, type TaskId } from '../ids'
import { stepsIn } from '../ownSteps'
import type { RequestRecord, StageRecord, StepRecord, TaskRecord, World } from '../records'
import { isOpen } from '../reduce/request'
import { isStepOver, isTaskOver, selectName } from '../selectors/agents'
import { isJudging, selectOperators, selectUnjudged, type Unjudged } from '../selectors/judge'
import type { DecisionContext } from './draft'
import { cancelStep } from './endings'
import { answered, openRequest, supersede } from './requests'
import { deliver, deliverSystem } from './send'

/** The parts of this stage are over, or nothing in it can move: the manager is to say how it goes on. */
export function askToJudgeStage(draft: DecisionContext, task: TaskRecord, stage: StageId): void {
  deliverSystem(draft, {
    task: task.id,
    receivers: [task.manager],
    text: draft.say('judgeStage', { n: task.stageOrder.indexOf(stage) + 1 }),
    stage,
    thread: null,
    instruction: { type: 'judge_stage', stage },
    returnWaiting: null,
  })
}

/** No stage is left: the manager is to finish the task or to add stages. */
export function askToJudgeTask(draft: DecisionContext, task: TaskRecord): void {
  askForTask(draft, task, draft.say('judgeTask'))
}

/** A task that was made without stages: the manager is to plan them. */
export function askForPlan(draft: DecisionContext, task: TaskRecord): void {
  askForTask(draft, task, draft.say('planTask', { goal: task.intention }))
}

function askForTask(draft: DecisionContext, task: TaskRecord, text: string): void {
  deliverSystem(draft, {
    task: task.id,
    receivers: [task.manager],
    text,
    stage: null,
    thread: null,
    instruction: { type: 'judge_task' },
    returnWaiting: null,
  })
}

const stepsToJudge = (world: World, task: TaskId): StepRecord[] =>
  Object.values(world.steps[task] ?? {}).flatMap((own) =>
    stepsIn(own).filter((step) => !isStepOver(step) && isJudging(world, step)),
  )

/** The stage, or with all of them over the task, is to be judged, and nobody has been asked. */
export function askWhatIsDue(draft: DecisionContext, id: TaskId): void {
  const task = draft.world.tasks[id]
  if (!task || task.base || task.load || task.paused || isTaskOver(task)) return
  if (stepsToJudge(draft.world, id).length > 0 || openJudgeRequests(draft.world, id).length > 0) return
  const stages: StageRecord[] = Object.values(draft.world.stages[id] ?? {})
  const running = stages.find((stage) => stage.state === 'running')
  if (running) {
    if (running.judging) askToJudgeStage(draft, task, running.id)
  } else if (stages.length > 0 && stages.every((stage) => stage.state !== 'init')) askToJudgeTask(draft, task)
}

const openJudgeRequests = (world: World, task: TaskId): RequestRecord[] =>
  Object.values(world.requests[task] ?? {}).filter(
    (request: RequestRecord) => request.kind === 'judge' && isOpen(request),
  )

/**
 * A person decided what was to be judged: whoever was asked to is no longer.
 *
 * which   'task': only whether the task is over, as when stages are added; 'all': also its running stage
 */
export function settleJudging(
  draft: DecisionContext,
  task: TaskRecord,
  person: AgentId,
  what: string,
  which: 'task' | 'all',
): void {
  for (const step of stepsToJudge(draft.world, task.id)) {
    const notice = step.cause.message === null ? null : draft.world.messages[task.id]?.[step.cause.message]
    if (which === 'all' || notice?.instruction?.type === 'judge_task') cancelStep(draft, step, person, what)
  }
  for (const request of openJudgeRequests(draft.world, task.id)) {
    if (which === 'task' && request.stage !== null) continue
    answered(draft, person, request, { decision: 'done', text: what, arguments: null })
    if (request.message === null) continue
    for (const agent of request.asked) {
      draft.emit('message.receipt', { task: task.id, message: request.message, agent, state: 'done', note: what })
    }
  }
}

/** Another one manages the task: what its last manager was still to judge, it is asked to. */
export function handOverJudging(draft: DecisionContext, before: TaskRecord, why: string): void {
  for (const step of stepsToJudge(draft.world, before.id)) cancelStep(draft, step, null, why)
  for (const request of openJudgeRequests(draft.world, before.id)) supersede(draft, request, why)
  askWhatIsDue(draft, before.id)
}

/**
 * Look at the tasks that this decision may have left without a judge, or given one again.
 *
 * out     an Action to the operators for a cause that is new, withdrawn when it is gone
 */
export function watchJudges(draft: DecisionContext): void {
  for (const id of touchedTasks(draft)) {
    const task = draft.world.tasks[id]
    if (!task || task.base || task.load) continue
    const unjudged = selectUnjudged(draft.world, task)
    const question = unjudged === null ? null : questionOf(draft, task, unjudged)
    const told = openJudgeRequests(draft.world, id).find((request) => isToOperators(draft.world, request))
    if (told?.question === question) continue
    if (told) supersede(draft, told, draft.say('judgedAgain'))
    if (unjudged !== null && question !== null) tellOperators(draft, task, unjudged, question)
  }
}

/** It says that there is no judge; one that asks a person who manages carries the order to judge. */
const isToOperators = (world: World, { task, message }: RequestRecord): boolean =>
  (message === null ? null : world.messages[task]?.[message]?.instruction) === null

/** Tasks that the decision named, or whose manager it changed. */
function touchedTasks(draft: DecisionContext): Set<TaskId> {
  const touched = new Set<TaskId>()
  let changesAgents = false
  for (const event of draft.events) {
    if ('task' in event && event.task !== null) touched.add(event.task)
    else if (event.type.startsWith('agent.') || CHANGES_ALL.includes(event.type)) changesAgents = true
  }
  // A task without stages is planned where it was asked for.
  const { baseTask, tasks } = draft.world
  const isAsked = baseTask !== null && touched.has(baseTask)
  if (changesAgents || isAsked) {
    for (const task of Object.values(tasks)) {
      if (!isTaskOver(task) && (changesAgents || task.stageOrder.length === 0)) touched.add(task.id)
    }
  }
  return touched
}
const CHANGES_ALL: readonly string[] = ['human.accessChanged', 'config.applied'] satisfies EventType[]

function questionOf(draft: DecisionContext, task: TaskRecord, { cause, who, why }: Unjudged): string {
  const names = { who: selectName(draft.world, who), task: task.name }
  switch (cause) {
    case 'failed':
      return draft.say('noJudge', { ...names, why: why ?? draft.say('undecided') })
    case 'paused':
      return draft.say('judgePaused', names)
    case 'gone':
      return draft.say('judgeGone', names)
    case 'noModel':
      return draft.say('judgeNoModel', names)
    default:
      return cause satisfies never
  }
}

function tellOperators(draft: DecisionContext, task: TaskRecord, { step }: Unjudged, question: string): void {
  const operators = selectOperators(draft.world)
  if (operators.length === 0) return
  const stages: StageRecord[] = Object.values(draft.world.stages[task.id] ?? {})
  const stage = stages.find((one) => one.state === 'running')?.id ?? null
  const message = deliver(draft, {
    task: task.id,
    sender: SYSTEM_TASK,
    receivers: operators,
    text: question,
    stage,
    thread: null,
    needReply: true,
    waiting: null,
    returnWaiting: null,
    instruction: null,
    fromStep: step,
  })
  openRequest(draft, {
    task: task.id,
    kind: 'judge',
    asked: operators,
    asker: SYSTEM_TASK,
    urgent: false,
    message,
    step,
    stage,
    lock: null,
    thread: null,
    question,
    choices: [],
    call: null,
  })
}
