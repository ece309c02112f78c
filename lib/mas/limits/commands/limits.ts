/** Limits: work that reaches one stops, and people decide whether it may continue. */
import { Fault } from '@/lib/faults'
import { isSameValue } from '@/lib/json'
import { openRequest, settleAnswered } from '../../asks/commands/openRequest'
import { recordAct } from '../../commands/act'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { type AgentId, type StageId, type StepId, SYSTEM_TASK, type TaskId, type ThreadId } from '../../ids'
import { deliverSystem } from '../../messages/commands/deliver'
import { tellRequester } from '../../outside/commands/outsideWork'
import { selectWorkCarried } from '../../outside/outsideWork'
import type { BudgetRecord, LimitKind, LimitStop, RequestRecord, StepRecord, TaskRecord, World } from '../../records'
import type { Said, SentenceKey } from '../../said'
import { afterStep, endPart } from '../../stages/commands/parts'
import { lastEnded, selectOperators } from '../../stages/judge'
import { isOpen, isPartOver, isStepOver, isTaskOver } from '../../statuses'
import { cancelStep } from '../../steps/commands/endings'
import { stepsIn } from '../../steps/ownSteps'
import { finishTask } from '../../tasks/commands/finishTask'
import { selectTaskCost } from '../../tasks/taskResult'
import { supersede } from '../../waits/commands/withoutAnswer'
import { isBudget, isDaily, isMoney, WARN_AT } from '../budgets'
import {
  type DayLimit,
  dayLimitOf,
  dayLimitsOf,
  dayOf,
  isStopped,
  periodKey,
  selectBudget,
  selectDayCost,
  selectDayStops,
  selectLimit,
  TASK_KEY,
  type WorkShare,
  workShareKey,
} from '../limits'

/** After a step: stop its share of the work, its task, or the work of the day, an agent or a person when a limit is reached. */
export function checkLimits(context: DecisionContext, step: StepRecord): void {
  const task = context.world.tasks[step.task]
  if (!task || isTaskOver(task)) return
  // A person's own call is not limited in number, but its cost counts.
  if (!step.byHand) checkShare(context, task, step)
  checkTask(context, task)
  checkDay(context, dayLimitsOf(context.world, step))
}

/** The base task and a talk never end, so a limit for all of it would eventually stop everything. */
function checkTask(context: DecisionContext, task: TaskRecord): void {
  if (task.base || task.talk || isTaskOver(task)) return
  for (const limit of ['taskTokens', 'taskCost'] as const)
    checkBudget(context, task.id, { key: TASK_KEY, of: null, limit }, usedOfTask(context.world, task.id, limit))
}

function usedOfTask(world: World, task: TaskId, limit: 'taskTokens' | 'taskCost'): number {
  const { tokens, costUsd } = selectTaskCost(world, task)
  return limit === 'taskTokens' ? tokens : (costUsd ?? 0)
}

function checkDay(context: DecisionContext, limits: readonly DayLimit[]): void {
  const { world, at } = context
  if (world.baseTask === null) return
  for (const limit of limits) checkBudget(context, world.baseTask, limit, selectDayCost(world, limit.key, dayOf(at)))
}

const limitsIn = ({ team, agents }: World) => [team.limits, Object.values(agents).map(({ limits }) => limits ?? null)]

/** Where this changes a limit, the new one counts at once: what no longer reaches it continues, what reaches it stops. */
export function withLimitsApplied<Out>(context: DecisionContext, change: () => Out): Out {
  const before = limitsIn(context.world)
  const out = change()
  if (isSameValue(before, limitsIn(context.world))) return out
  liftUnreached(context)
  for (const task of Object.values<TaskRecord>(context.world.tasks)) checkTask(context, task)
  checkDay(
    context,
    Object.keys(context.world.spent.costs).flatMap((key) => dayLimitOf(key) ?? []),
  )
  return out
}

function liftUnreached(context: DecisionContext): void {
  for (const [task, { stops }] of Object.entries(context.world.budgets) as [TaskId, BudgetRecord][]) {
    for (const [key, stop] of Object.entries(stops ?? {})) {
      const request = context.world.requests[task]?.[stop.request]
      if (isStillReached(context, task, key, stop, request)) continue
      context.emit('budget.lifted', { task, key, of: stop.of, allowed: null })
      if (request && isOpen(request)) supersede(context, request, context.say('limitChanged'))
      const owner = context.world.tasks[task]
      if (owner) tellRequester(context, owner, context.said('workResumed', { name: owner.name }))
      if (request) goOnAfter(context, request, stop)
    }
  }
}

function isStillReached(
  { world, at }: DecisionContext,
  task: TaskId,
  key: string,
  { limit, of, day }: LimitStop,
  request: RequestRecord | undefined,
): boolean {
  if (limit === 'taskTokens' || limit === 'taskCost')
    return usedOfTask(world, task, limit) >= (selectLimit(world, task, key, limit) ?? Number.POSITIVE_INFINITY)
  if (day !== undefined)
    return selectDayCost(world, key, dayOf(at)) >= (selectLimit(world, task, key, limit) ?? Number.POSITIVE_INFINITY)
  if (of === null || request === undefined) return true
  const last = lastEnded(ownSteps(world, { task, stage: request.stage, thread: request.thread, agent: of }))
  return last === null || limitOfShare(world, last) !== null
}

function checkShare(context: DecisionContext, task: TaskRecord, step: StepRecord): void {
  if (isStopped(context.world, step)) return
  const reached = limitOfShare(context.world, step)
  if (reached === null) return
  const height = selectLimit(context.world, task.id, workShareKey(step), reached) ?? 0
  const limit = sayLimit(context, reached, height)
  if (selectOperators(context.world).length === 0) {
    endShare(context, step, context.say('limitNobody', { limit: context.textOf(limit) }))
    return
  }
  stop(context, step, { key: workShareKey(step), of: step.agent, limit: reached, height, step: step.id })
}

/** The limit that this share of the work has reached; null: it may continue. */
function limitOfShare(world: World, share: StepRecord): LimitKind | null {
  const { task, stage, thread, agent } = share
  const part = stage === null ? undefined : world.stages[task]?.[stage]?.parts[agent]
  const key = workShareKey(share)
  const talk = selectBudget(world, task)?.talk ?? 0
  if (share.executor === 'send_message' && talk >= (selectLimit(world, task, key, 'talk') ?? Number.POSITIVE_INFINITY))
    return 'talk'
  if (isPartOver(part)) return null
  const counts = countsOf(stepsIn(world.steps[task]?.[agent]), stage, thread)
  // A part continues until it is submitted: an empty list gets a reflection.
  if (part === undefined && !counts.goesOn) return null
  const reaches = (limit: LimitKind, n: number): boolean =>
    n >= (selectLimit(world, task, key, limit) ?? Number.POSITIVE_INFINITY)
  if (reaches('steps', counts.ran)) return 'steps'
  return counts.isDue && reaches('reflections', counts.reflected) ? 'reflections' : null
}

type Counts = { ran: number; reflected: number; goesOn: boolean; isDue: boolean }

/** isDue: a reflection is to come. */
function countsOf(steps: readonly StepRecord[], stage: StageId | null, thread: ThreadId | null): Counts {
  const counts = { ran: 0, reflected: 0, goesOn: false, isDue: false }
  for (const step of steps) {
    if (step.stage !== stage || step.thread !== thread) continue
    const [isRun, isReflection] = [step.startedAt !== null, step.executor === 'reflection']
    if (isRun) counts.ran += 1
    if (isRun && isReflection) counts.reflected += 1
    if (!isRun && isReflection) counts.isDue = true
    if (!isStepOver(step)) counts.goesOn = true
  }
  return counts
}

const ownSteps = (world: World, { task, stage, thread, agent }: WorkShare): StepRecord[] =>
  stepsIn(world.steps[task]?.[agent]).filter((step) => step.stage === stage && step.thread === thread)

function checkBudget(context: DecisionContext, task: TaskId, what: Omit<Stop, 'height' | 'step'>, used: number): void {
  const { key, limit } = what
  const height = selectLimit(context.world, task, key, limit)
  const budget = selectBudget(context.world, task)
  if (height === null || used < height * WARN_AT || budget?.stops?.[key] !== undefined) return
  if (used >= height) {
    stop(context, { task, stage: null, thread: null }, { ...what, height, step: null })
    return
  }
  const name = `${limit}@${isDaily(limit) ? `${periodKey(context.world, key, limit)}@` : ''}${height}`
  if (budget?.warned.includes(name)) return
  context.emit('budget.warned', { task, limit: name })
  tell(
    context,
    task,
    selectOperators(context.world),
    context.said('limitNear', {
      who: whoOf(context, task, what),
      limit: sayLimit(context, limit, height),
      used: amount(limit, used),
    }),
  )
}

type Stop = { key: string; of: AgentId | null; limit: LimitKind; height: number; step: StepId | null }

/** Stop the work, open a request to the operators, and tell the manager. */
function stop(context: DecisionContext, at: Omit<WorkShare, 'agent'>, stopped: Stop): void {
  const { key, of, limit, height, step } = stopped
  const operators = selectOperators(context.world)
  if (operators.length === 0) return
  const said = { who: whoOf(context, at.task, stopped), limit: sayLimit(context, limit, height) }
  const request = openRequest(context, {
    task: at.task,
    kind: 'limit',
    asked: operators,
    asker: isShare(stopped) ? stopped.of : SYSTEM_TASK,
    step,
    stage: at.stage,
    thread: at.thread,
    question: context.said('limitReached', said),
    choices: [String(height)],
  })
  context.emit('budget.reached', { task: at.task, key, of, limit, height, request })
  const owner = context.world.tasks[at.task]
  // A limit of a day stops in the base task, for which nobody asked.
  if (owner) tellRequester(context, owner, context.said('workStopped', { name: owner.name }))
  const told = isDaily(limit) ? (limit === 'personCost' ? of : null) : (owner?.manager ?? null)
  if (told === null || (told === of && isShare(stopped)) || operators.includes(told)) return
  tell(context, at.task, [told], context.said('limitToManager', said))
}

/** An agent's share of the work, which continues by what the agent has left to do. */
const isShare = (stop: Pick<Stop, 'limit' | 'of'>): stop is { limit: LimitKind; of: AgentId } =>
  !isBudget(stop.limit) && stop.of !== null

const tell = (context: DecisionContext, task: TaskId, receivers: AgentId[], text: Said): void => {
  deliverSystem(context, { task, receivers, text })
}

function whoOf(context: DecisionContext, task: TaskId, { limit, of }: Pick<Stop, 'limit' | 'of'>): string | Said {
  if (limit === 'dayCost') return context.said('theDay')
  if (of === null) return context.world.tasks[task]?.name ?? ''
  return limit === 'personCost' ? context.said('workAskedFor', { who: context.name(of) }) : context.name(of)
}

/** Money with its cents, and more digits only where it is less than one. */
const amount = (limit: LimitKind, n: number): string =>
  isMoney(limit) ? `$${n >= 0.01 ? n.toFixed(2) : String(Number(n.toPrecision(2)))}` : String(n)

const sayLimit = (context: DecisionContext, limit: LimitKind, height: number): Said =>
  context.said(LIMIT_NAMES[limit], { n: String(height) })
const LIMIT_NAMES = {
  steps: 'limitSteps',
  reflections: 'limitReflections',
  talk: 'limitTalk',
  taskTokens: 'limitTokens',
  taskCost: 'limitCost',
  dayCost: 'limitDay',
  agentCost: 'limitDay',
  personCost: 'limitDay',
} as const satisfies Record<LimitKind, SentenceKey>

function stoppedBy(context: DecisionContext, request: RequestRecord): Omit<Stop, 'step'> {
  for (const [key, { request: id, limit, of }] of Object.entries(
    selectBudget(context.world, request.task)?.stops ?? {},
  )) {
    if (id !== request.id) continue
    return { key, of, limit, height: selectLimit(context.world, request.task, key, limit) ?? 0 }
  }
  throw new Fault('NOT_FOUND', { what: 'limit of request', id: request.id })
}

/** An operator extends the limit, or refuses with a reason. Throws NOT_FOUND, REASON_MISSING, BAD_INPUT, WORK_GOES_ON. */
export function decideLimit(
  context: DecisionContext,
  person: AgentId,
  request: RequestRecord,
  command: Pick<CommandOf<'answerRequest'>, 'decision' | 'text' | 'arguments'>,
): void {
  const stopped = stoppedBy(context, request)
  const { key, of, limit, height } = stopped
  const text = command.text.trim()
  const said = {
    who: context.name(person),
    whom: whoOf(context, request.task, stopped),
    limit: sayLimit(context, limit, height),
  }
  if (command.decision === 'refuse') {
    if (text === '') throw new Fault('REASON_MISSING')
    // Without more this ends the task: a conversation stays while it carries work (R189).
    const [work] = key === TASK_KEY ? selectWorkCarried(context.world, request.task) : []
    if (work !== undefined) throw new Fault('WORK_GOES_ON', { task: work.name })
    settleAnswered(context, person, request, command)
    const says = context.said('actRefused', said)
    recordAct(context, person, [request.task], { act: 'refuseMore', on: request.id, reason: text, says })
    const why = context.say('limitRefused', { who: said.who, limit: context.textOf(said.limit), why: text })
    refuse(context, request, stopped, why)
    return
  }
  const more = numberIn(text, limit)
  settleAnswered(context, person, request, command)
  const name = periodKey(context.world, key, limit)
  if (name !== key) context.emit('budget.lifted', { task: request.task, key, of, allowed: null })
  context.emit('budget.lifted', { task: request.task, key: name, of, allowed: { limit, more } })
  const says = context.said('actAllowed', { ...said, n: amount(limit, more) })
  recordAct(context, person, [request.task], { act: 'allowMore', on: request.id, reason: '', says })
  const owner = context.world.tasks[request.task]
  if (owner) tellRequester(context, owner, context.said('workResumed', { name: owner.name }))
  goOnAfter(context, request, stopped)
}

/** The extension that a person wrote, as a number. Throws BAD_INPUT. */
function numberIn(text: string, limit: LimitKind): number {
  const more = Number(text.replace(/^\$/, ''))
  const isCost = isMoney(limit)
  if (text === '' || !Number.isFinite(more) || more <= 0 || more > 1e9 || (!isCost && !Number.isInteger(more))) {
    throw new Fault('BAD_INPUT', {
      why: isCost ? 'Say how many dollars more.' : 'Say how many more, as a whole number.',
    })
  }
  return more
}

/** With nothing left in its list the agent is to think over what is missing, as ever. */
function goOnAfter(context: DecisionContext, request: RequestRecord, stop: Pick<Stop, 'limit' | 'of'>): void {
  if (!isShare(stop)) return
  const share = { task: request.task, stage: request.stage, thread: request.thread, agent: stop.of }
  const last = lastEnded(ownSteps(context.world, share))
  if (last) afterStep(context, last)
}

function refuse(context: DecisionContext, request: RequestRecord, stop: Omit<Stop, 'step'>, why: string): void {
  const { task, stage, thread } = request
  const { key, of, limit } = stop
  // A limit of a day holds until the day is over.
  if (isDaily(limit)) return
  context.emit('budget.lifted', { task, key, of, allowed: null })
  const owner = context.world.tasks[task]
  if (isShare(stop)) endShare(context, { task, stage, thread, agent: stop.of }, why)
  else if (owner && !owner.base && !owner.talk) finishTask(context, owner, { state: 'failed', summary: why }, null)
}

/** The part fails with the reason; what the agent still had to do in this share of the work is cancelled. */
function endShare(context: DecisionContext, share: WorkShare, why: string): void {
  const { task, stage, agent } = share
  if (stage !== null) endPart(context, task, stage, agent, { failed: why })
  for (const step of ownSteps(context.world, share)) if (!isStepOver(step)) cancelStep(context, step, null, why)
}

/** A day at whose limits work stopped is over; what stopped on any other day stays as it is. */
export function beginDay(context: DecisionContext, { day }: CommandOf<'beginDay'>): void {
  const { baseTask } = context.world
  if (baseTask === null || dayOf(context.at) <= day) return
  for (const stop of selectDayStops(context.world)) {
    if (stop.day !== day) continue
    const asked = context.world.requests[baseTask]?.[stop.request]
    context.emit('budget.lifted', { task: baseTask, key: stop.key, of: stop.of, allowed: null })
    if (asked && isOpen(asked)) supersede(context, asked, context.say('newDay'))
  }
}
