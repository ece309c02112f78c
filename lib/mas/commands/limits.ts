/**
 * Limits: what reaches one stands still, and people say whether there may be more.
 *
 * Owns: looking after each step, stopping, warning at 80 %, what an answer to a request of kind limit sets going.
 * Not here: counting (reduce/budget.ts), which step is passed over (selectors/agents), how high limits are (selectors/limits.ts).
 */

import { Fault } from '@/lib/faults'
import { type AgentId, type StepId, SYSTEM_TASK, type TaskId } from '../ids'
import { stepsIn } from '../ownSteps'
import type { LimitKind, RequestRecord, StepRecord, TaskRecord, World } from '../records'
import { isOpen } from '../reduce/request'
import { isStepOver, isTaskOver, selectName } from '../selectors/agents'
import { selectOperators } from '../selectors/judge'
import {
  DAY_KEY,
  dayKey,
  dayOf,
  isDayStopped,
  isStopped,
  type WorkShare,
  selectBudget,
  selectLimit,
  workShareKey,
  TASK_KEY,
} from '../selectors/limits'
import { recordAct } from './act'
import type { CommandOf } from './command'
import type { DecisionContext } from './draft'
import { cancelStep } from './endings'
import { afterStep, endPart, isPartOver } from './parts'
import { answered, openRequest, supersede } from './requests'
import { deliverSystem } from './send'
import { finishTask } from './tasks'

/** Of a budget's height: then people are told. */
const WARN_AT = 0.8

/** A step is over: has its share of the work, its task, or the day reached a limit? */
export function checkLimits(draft: DecisionContext, step: StepRecord): void {
  const task = draft.world.tasks[step.task]
  if (!task || task.load || isTaskOver(task)) return
  // A person knows when to stop; what their call cost counts all the same.
  if (!step.byHand) checkShare(draft, task, step)
  // The base task never ends, so a limit for the whole of it would end the work of everybody one day.
  if (!task.base) {
    const { tokens = 0, costUsd = 0 } = selectBudget(draft.world, task.id) ?? {}
    checkBudget(draft, task.id, TASK_KEY, 'taskTokens', tokens)
    checkBudget(draft, task.id, TASK_KEY, 'taskCost', costUsd)
  }
  const { baseTask, spent } = draft.world
  if (baseTask !== null && !isDayStopped(draft.world)) checkBudget(draft, baseTask, DAY_KEY, 'dayCost', spent.costUsd)
}

function checkShare(draft: DecisionContext, task: TaskRecord, step: StepRecord): void {
  if (isStopped(draft.world, step)) return
  const reached = limitOfShare(draft.world, step)
  if (reached === null) return
  const height = selectLimit(draft.world, task.id, workShareKey(step), reached) ?? 0
  const limit = sayLimit(draft, reached, height)
  if (selectOperators(draft.world).length === 0) {
    endShare(draft, step, draft.say('limitNobody', { limit }))
    return
  }
  stop(draft, step, { key: workShareKey(step), of: step.agent, limit: reached, height, step: step.id })
}

/** The limit that this share of the work has reached; null: it may go on. */
function limitOfShare(world: World, share: StepRecord): LimitKind | null {
  const { task, stage, agent } = share
  const part = stage === null ? undefined : world.stages[task]?.[stage]?.parts[agent]
  const key = workShareKey(share)
  const talk = selectBudget(world, task)?.talk ?? 0
  if (share.executor === 'send_message' && talk >= (selectLimit(world, task, key, 'talk') ?? Number.POSITIVE_INFINITY))
    return 'talk'
  const own = ownSteps(world, share)
  const goesOn = own.some((step) => !isStepOver(step))
  // A part goes on until it is submitted: an empty list gets a reflection.
  if (isPartOver(part) || (part === undefined && !goesOn)) return null
  const ran = own.filter((step) => step.startedAt !== null)
  const reflected = ran.filter((step) => step.executor === 'reflection').length
  const isDue = own.some((step) => step.executor === 'reflection' && step.startedAt === null)
  const reaches = (limit: LimitKind, n: number): boolean =>
    n >= (selectLimit(world, task, key, limit) ?? Number.POSITIVE_INFINITY)
  if (reaches('steps', ran.length)) return 'steps'
  return isDue && reaches('reflections', reflected) ? 'reflections' : null
}

const ownSteps = (world: World, { task, stage, thread, agent }: WorkShare): StepRecord[] =>
  stepsIn(world.steps[task]?.[agent]).filter((step) => step.stage === stage && step.thread === thread)

function checkBudget(draft: DecisionContext, task: TaskId, key: string, limit: LimitKind, used: number): void {
  const height = selectLimit(draft.world, task, key, limit)
  const budget = selectBudget(draft.world, task)
  if (height === null || used < height * WARN_AT || budget?.stops?.[key] !== undefined) return
  if (used >= height) {
    stop(draft, { task, stage: null, thread: null }, { key, of: null, limit, height, step: null })
    return
  }
  const name = `${limit}@${key === DAY_KEY ? `${draft.world.spent.day}@` : ''}${height}`
  if (budget?.warned.includes(name)) return
  draft.emit('budget.warned', { task, limit: name })
  tell(
    draft,
    task,
    selectOperators(draft.world),
    draft.say('limitNear', {
      who: whoOf(draft, task, key, null),
      limit: sayLimit(draft, limit, height),
      used: amount(limit, used),
    }),
  )
}

type Stop = { key: string; of: AgentId | null; limit: LimitKind; height: number; step: StepId | null }

/** It stands still: the operators are asked, the manager is told. */
function stop(draft: DecisionContext, at: Omit<WorkShare, 'agent'>, { key, of, limit, height, step }: Stop): void {
  const operators = selectOperators(draft.world)
  if (operators.length === 0) return
  const said = { who: whoOf(draft, at.task, key, of), limit: sayLimit(draft, limit, height) }
  const request = openRequest(draft, {
    task: at.task,
    kind: 'limit',
    asked: operators,
    asker: of ?? SYSTEM_TASK,
    urgent: false,
    message: null,
    step,
    stage: at.stage,
    lock: null,
    thread: at.thread,
    question: draft.say('limitReached', said),
    choices: [String(height)],
    call: null,
  })
  draft.emit('budget.reached', { task: at.task, key, of, limit, height, request })
  const manager = draft.world.tasks[at.task]?.manager
  if (manager !== undefined && manager !== of && key !== DAY_KEY) {
    tell(draft, at.task, [manager], draft.say('limitToManager', said))
  }
}

const tell = (draft: DecisionContext, task: TaskId, receivers: AgentId[], text: string): void => {
  deliverSystem(draft, { task, receivers, text, stage: null, thread: null, instruction: null, returnWaiting: null })
}

const whoOf = (draft: DecisionContext, task: TaskId, key: string, of: AgentId | null): string =>
  of !== null
    ? selectName(draft.world, of)
    : key === DAY_KEY
      ? draft.say('theDay')
      : (draft.world.tasks[task]?.name ?? '')

/** Money with its cents, and more digits only where it is less than one. */
const amount = (limit: LimitKind, n: number): string =>
  limit === 'taskCost' || limit === 'dayCost'
    ? `$${n >= 0.01 ? n.toFixed(2) : String(Number(n.toPrecision(2)))}`
    : String(n)

function sayLimit(draft: DecisionContext, limit: LimitKind, height: number): string {
  const n = String(height)
  switch (limit) {
    case 'steps':
      return draft.say('limitSteps', { n })
    case 'reflections':
      return draft.say('limitReflections', { n })
    case 'talk':
      return draft.say('limitTalk', { n })
    case 'taskTokens':
      return draft.say('limitTokens', { n })
    case 'taskCost':
      return draft.say('limitCost', { n })
    case 'dayCost':
      return draft.say('limitDay', { n })
    default:
      return limit satisfies never
  }
}

/** What stands still because of this request. */
function stoppedBy(draft: DecisionContext, request: RequestRecord): Omit<Stop, 'step'> {
  for (const [key, { request: id, limit, of }] of Object.entries(
    selectBudget(draft.world, request.task)?.stops ?? {},
  )) {
    if (id !== request.id) continue
    return { key, of, limit, height: selectLimit(draft.world, request.task, key, limit) ?? 0 }
  }
  throw new Fault('NOT_FOUND', { what: 'limit of request', id: request.id })
}

/** An operator allows so many more, or says why not. */
export function decideLimit(
  draft: DecisionContext,
  person: AgentId,
  request: RequestRecord,
  wish: Pick<CommandOf<'answerRequest'>, 'decision' | 'text' | 'arguments'>,
): void {
  const { key, of, limit, height } = stoppedBy(draft, request)
  const text = wish.text.trim()
  const said = {
    who: selectName(draft.world, person),
    whom: whoOf(draft, request.task, key, of),
    limit: sayLimit(draft, limit, height),
  }
  if (wish.decision === 'refuse') {
    if (text === '') throw new Fault('REASON_MISSING')
    answered(draft, person, request, wish)
    const says = draft.say('actRefused', said)
    recordAct(draft, person, [request.task], { act: 'refuseMore', on: request.id, reason: text, says })
    refuse(draft, request, { key, of }, draft.say('limitRefused', { ...said, why: text }))
    return
  }
  const more = numberIn(text, limit)
  answered(draft, person, request, wish)
  const name = key === DAY_KEY ? dayKey(draft.world.spent.day) : key
  if (name !== key) draft.emit('budget.lifted', { task: request.task, key, of })
  draft.emit('budget.extended', { task: request.task, key: name, of, limit, more })
  const says = draft.say('actAllowed', { ...said, n: amount(limit, more) })
  recordAct(draft, person, [request.task], { act: 'allowMore', on: request.id, reason: '', says })
  if (of !== null) goOn(draft, { task: request.task, stage: request.stage, thread: request.thread, agent: of })
}

/** How many more, from what a person wrote. Throws BAD_INPUT. */
function numberIn(text: string, limit: LimitKind): number {
  const more = Number(text.replace(/^\$/, ''))
  const isMoney = limit === 'taskCost' || limit === 'dayCost'
  if (text === '' || !Number.isFinite(more) || more <= 0 || more > 1e9 || (!isMoney && !Number.isInteger(more))) {
    throw new Fault('BAD_INPUT', {
      why: isMoney ? 'Say how many dollars more.' : 'Say how many more, as a whole number.',
    })
  }
  return more
}

/** With nothing left in its list the agent is to think over what is missing, as ever. */
function goOn(draft: DecisionContext, share: WorkShare): void {
  const last = ownSteps(draft.world, share).reduce<StepRecord | null>(
    (latest, step) => ((step.endedSeq ?? 0) >= (latest?.endedSeq ?? 0) ? step : latest),
    null,
  )
  if (last) afterStep(draft, last)
}

function refuse(draft: DecisionContext, request: RequestRecord, { key, of }: Pick<Stop, 'key' | 'of'>, why: string): void {
  const { task, stage, thread } = request
  // The day's limit holds until the day is over, whoever is asked.
  if (key === DAY_KEY) return
  draft.emit('budget.lifted', { task, key, of })
  const owner = draft.world.tasks[task]
  if (of !== null) endShare(draft, { task, stage, thread, agent: of }, why)
  else if (owner && !owner.base) finishTask(draft, owner, 'failed', why, null)
}

/** The part fails with the reason; what the agent still had to do in this share of the work is cancelled. */
function endShare(draft: DecisionContext, share: WorkShare, why: string): void {
  const { task, stage, agent } = share
  if (stage !== null) endPart(draft, task, stage, agent, { failed: why })
  for (const step of ownSteps(draft.world, share)) if (!isStepOver(step)) cancelStep(draft, step, null, why)
}

/** A day that stood still at its limit is over; a day that goes on, or did not, stays as it is. */
export function beginDay(draft: DecisionContext, { day }: CommandOf<'beginDay'>): void {
  const { baseTask, spent } = draft.world
  if (baseTask === null || !isDayStopped(draft.world) || spent.day !== day || dayOf(draft.at) <= day) return
  const request = draft.world.budgets[baseTask]?.stops?.[DAY_KEY]?.request
  const asked = request === undefined ? undefined : draft.world.requests[baseTask]?.[request]
  draft.emit('budget.lifted', { task: baseTask, key: DAY_KEY, of: null })
  if (asked && isOpen(asked)) supersede(draft, asked, draft.say('newDay'))
}
