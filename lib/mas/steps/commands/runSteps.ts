/** Steps as they run: begun, held, over. All that a step causes is one decision. */
import { Fault } from '@/lib/faults'
import { fieldsIn } from '@/lib/json'
import { withdrawIfChanged } from '../../asks/commands/confirm'
import { bodyOfResult, previewOf } from '../../bodies'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import type { StageId, StepId } from '../../ids'
import { checkLimits } from '../../limits/commands/limits'
import { selectNextStep } from '../../members'
import type { HeldPlan, Json, ModelCall, NewStage, SharedLine, StepRecord, StepResult, World } from '../../records'
import { afterStep, endPart } from '../../stages/commands/parts'
import { comesAgain, isSettled, isStepOver, isTaskOver } from '../../statuses'
import { findStep, selectStep, wasCalled } from '../../team/agents'
import { failLock } from '../../waits/commands/withoutAnswer'
import type { FailureCause } from '../failureCause'
import { plainOutcome, type StepOutcome, type SyncOutput } from '../outcome'
import { batchOf, stepsIn } from '../ownSteps'
import {
  addStep,
  insertCalls,
  insertStep,
  mayUse,
  recordStep,
  type StepHome,
  type StepSpec,
  stepSpecOf,
  toolDecisionAfter,
} from './addStep'
import { changeMemory } from './changeMemory'
import { afterUnrun, endEffects, endToolRequests, tellUnanswered } from './endings'
import { holdPlan, planToReview } from './heldPlan'
import { applyPlan, applySync, done, type SyncResult } from './sync'

/** A step may ask for more and come again this often. */
const AGAIN_LIMIT = 10

/** Skills whose failure ends the agent's part unless their outcome says otherwise: the part cannot continue without them. */
const ENDS_PART: readonly string[] = ['planning', 'reflection', 'summary']

/** out: the number of the attempt. Throws STEP_NOT_NEXT. */
export function startStep(context: DecisionContext, command: CommandOf<'startStep'>): { attempt: number } {
  const next = selectNextStep(context.world, command.agent)
  if (next?.id !== command.step) throw new Fault('STEP_NOT_NEXT')
  return begin(context, next, command)
}

function begin(
  context: DecisionContext,
  next: StepRecord,
  { node, epoch }: { node: string; epoch: number },
): { attempt: number } {
  const attempt = (next.attempt?.number ?? 0) + 1
  const { task, agent, id: step, cause } = next
  context.emit('step.started', { task, agent, step, node, epoch, attempt })
  const part = next.stage === null ? undefined : context.world.stages[task]?.[next.stage]?.parts[agent]
  if (next.stage !== null && part === 'idle') {
    context.emit('stage.agentStateChanged', { task, stage: next.stage, agent, state: 'working', reason: null })
  }
  if (cause.message !== null) {
    context.delivery(task, cause.message, agent, 'acknowledged')
  }
  return { attempt }
}

type Near = CommandOf<'finishStep'>['near']

/** The step that this attempt runs; null when it is over or another attempt has replaced this one. */
export function runningAttempt(world: World, id: StepId, attempt: number, near?: Near): StepRecord | null {
  const step = findStep(world, id, near)
  return step && step.state === 'running' && step.attempt?.number === attempt ? step : null
}

function mustFind({ world }: DecisionContext, id: StepId): StepRecord {
  const step = findStep(world, id)
  if (!step) throw new Fault('NOT_FOUND', { what: 'step', id })
  return step
}

/** An outcome of a step that is over is kept for the record and causes nothing. */
export function keepLate(
  context: DecisionContext,
  id: StepId,
  attempt: number,
  what: string,
  call: ModelCall | null = null,
): void {
  const step = mustFind(context, id)
  context.emit('effect.lateOutcome', { task: step.task, agent: step.agent, step: id, attempt, what })
  // Its cost counts nevertheless.
  if (call) context.emit('model.called', { task: step.task, agent: step.agent, step: id, call })
}

/** Applies the outcome of an attempt; with goOn the next step starts in the same decision. out: late. Throws NOT_FOUND. */
export function finishStep(context: DecisionContext, command: CommandOf<'finishStep'>): { late: boolean } {
  const { step: id, near, attempt, outcome, goOn } = command
  const step = runningAttempt(context.world, id, attempt, near)
  if (!step) {
    keepLate(context, id, attempt, outcome.state, outcome.call)
    return { late: true }
  }
  const { task, agent } = step
  endEffects(context, step)
  endToolRequests(context, step, context.say('callOver'))
  if (outcome.call) context.emit('model.called', { task, agent, step: id, call: outcome.call })

  const notes = changeMemory(context, step, outcome.memory)
  const plan = planToReview(context, step, outcome)
  if (plan !== null) {
    holdPlan(context, step, outcome, plan)
    checkLimits(context, step)
    beginNext(context, agent, goOn)
    return { late: false }
  }
  const carried: SyncResult =
    outcome.state === 'failed'
      ? done()
      : asksInCircles(context, step, outcome)
        ? { ok: false, why: context.say('askedInCircles', { n: AGAIN_LIMIT }) }
        : applySync(context, step, outcome.sync)
  const said = { repairs: outcome.repairs, ...lineOf(context, step, outcome.sync) }
  if (!carried.ok) {
    failStep(context, step, carried.why, withMade(outcome.result, { refused: carried.why }), said)
  } else if (outcome.state === 'failed') {
    const part = outcome.sync.update_stage_agent_state
    failStep(context, step, outcome.reason ?? 'failed', outcome.result, { ...said, ...causeIn(outcome) }, part)
    placeToolDecision(context, step, outcome)
  } else {
    const refusals = placeSteps(context, step, outcome)
    instruct(context, step, outcome)
    insertCalls(context, step, outcome.calls, outcome.instruct?.step ?? null)
    const text = [carried.text, ...notes, ...refusals].filter((line) => line !== null && line !== '').join('\n')
    const result = text === '' ? outcome.result : joined(context, outcome.result, carried.text !== null, text)
    context.emit('step.finished', { task, agent, step: id, result: withMade(result, carried.made), ...said })
    placeToolDecision(context, step, outcome)
    settleCause(context, step, outcome.result)
    const completion = outcome.sync.update_stage_agent_completion
    if (completion && step.stage !== null) submit(context, step, step.stage, completion.summary)
  }
  afterEnd(context, step)
  beginNext(context, agent, goOn)
  return { late: false }
}

/**
 * A person approved its plan: carries it out, and ends the step.
 *
 * in      what the result of the step says, and what it says of the stages beside what was made
 * faults  BAD_INPUT where the stages cannot begin now
 */
export function finishPlanned(
  context: DecisionContext,
  step: StepRecord,
  { work, repairs }: HeldPlan,
  stages: readonly NewStage[],
  { result, said }: { result: StepResult; said: { [key: string]: Json } },
): void {
  const carried = applyPlan(context, step, work, stages)
  if (!carried.ok) throw new Fault('BAD_INPUT', { why: carried.why })
  const { task, agent, id } = step
  const made = { ...carried.made, ...said }
  context.emit('step.finished', { task, agent, step: id, result: withMade(result, made), repairs })
  settleCause(context, step, result)
  afterEnd(context, step)
}

function afterEnd(context: DecisionContext, step: StepRecord): void {
  failUnanswered(context, step)
  checkLimits(context, step)
  afterStep(context, step)
  leaveLiveList(context, step)
}

/** One durable decision for each step of a chain: what follows is decided on the world that this outcome leaves behind. */
function beginNext(context: DecisionContext, agent: StepRecord['agent'], goOn: CommandOf<'finishStep'>['goOn']): void {
  const next = goOn === null ? null : selectNextStep(context.world, agent)
  if (goOn !== null && next !== null) begin(context, next, goOn)
}

/** The part is over. A reflection that ends it writes the summary too, which is recorded as a step of its own. */
function submit(context: DecisionContext, step: StepRecord, stage: StageId, summary: string): void {
  if (step.executor === 'reflection') {
    const spec: StepSpec = {
      intention: context.say('submit'),
      text: step.text,
      kind: 'skill',
      executor: 'summary',
      cause: { message: null, step: step.id },
    }
    recordStep(context, step, spec, context.result('text', summary))
  }
  endPart(context, step.task, stage, step.agent, { summary })
}

/** It should have answered and ended without an answer: nobody waits for it any longer. */
function failUnanswered(context: DecisionContext, step: StepRecord): void {
  const { id, task, agent, answers } = step
  const delivery = answers === null ? undefined : context.world.deliveries[task]?.[agent]?.[answers.message]
  if (answers === null || delivery === undefined || isSettled(delivery.state)) return
  const comesAgainLater = (context.world.work[agent]?.todo ?? []).some(
    (ref) => selectStep(context.world, ref.task, agent, ref.step)?.answers?.message === answers.message,
  )
  if (comesAgainLater) return
  const why = selectStep(context.world, task, agent, id)?.reason ?? context.say('noAnswerGiven')
  if (answers.waiting !== null) failLock(context, answers.waiting, agent, why)
  else tellUnanswered(context, step)
  context.delivery(task, answers.message, agent, 'failed', why)
}

/** The step that ended its own task goes the way of the steps that ended with it. */
function leaveLiveList(context: DecisionContext, { task, agent, id }: StepRecord): void {
  const owner = context.world.tasks[task]
  if (owner && isTaskOver(owner)) context.emit('step.retired', { task, agent, steps: [id] })
}

/** It asked for more information too often and would repeat endlessly. */
function asksInCircles(context: DecisionContext, step: StepRecord, outcome: StepOutcome): boolean {
  if (!comesAgain(outcome.result)) return false
  let before: StepRecord | null = step
  for (let n = 0; n < AGAIN_LIMIT; n++) {
    before = before.cause.step === null ? null : selectStep(context.world, step.task, step.agent, before.cause.step)
    if (before?.executor !== step.executor || !comesAgain(before.result)) return false
  }
  return true
}

/** What the end of a step says beside its result. */
type Said = { repairs: string[]; line?: SharedLine }

/** What it tells all of its task, why it failed too. */
function lineOf({ world }: DecisionContext, { agent, stage }: StepRecord, sync: SyncOutput): { line?: SharedLine } {
  if (sync.send_shared_info === undefined) return {}
  return { line: { role: world.agents[agent]?.role ?? '', stage, content: sync.send_shared_info.content } }
}

const causeIn = ({ failureCause }: StepOutcome): { failureCause?: FailureCause } =>
  failureCause === undefined ? {} : { failureCause }

/** The step failed: what depends on it ends, and its part too if that cannot continue. */
function failStep(
  context: DecisionContext,
  step: StepRecord,
  reason: string,
  result: StepResult | null,
  said: Said & { failureCause?: FailureCause },
  part?: SyncOutput['update_stage_agent_state'],
): void {
  const { task, agent, stage } = step
  context.emit('step.failed', { task, agent, step: step.id, reason, result, ...said })
  if (step.executor === 'instruction_generation') afterUnrun(context, step, context.say('noInstruction'))
  else afterUnrun(context, { ...step, boundTo: null }, reason)
  const isEnd = part === undefined ? ENDS_PART.includes(step.executor) : part.state === 'failed'
  if (stage === null || !isEnd) return
  const why = part?.reason ?? reason
  endPart(context, task, stage, agent, { failed: context.say('stepFailed', { skill: step.executor, why }) })
}

const withMade = (result: StepResult, made: { [key: string]: Json }): StepResult => {
  if (Object.keys(made).length === 0) return result
  return { ...result, made: { ...fieldsIn(result.made), ...made } }
}

/** The result with what SyncState said: in place of the executor's own text, or behind it. */
function joined(context: DecisionContext, result: StepResult, replaces: boolean, text: string): StepResult {
  if (replaces) return { ...context.result('text', text), made: result.made }
  const body = bodyOfResult(result)
  // A long result keeps its body; the note is in the part that lists and prompts show first.
  return body === null
    ? { ...context.result(result.kind, `${result.text}\n${text}`), made: result.made }
    : { ...result, body, text: previewOf(`${text}\n${result.text}`) }
}

/** Place the steps that the executor asked for; those the agent may not use are named. */
function placeSteps(context: DecisionContext, step: StepRecord, outcome: StepOutcome): string[] {
  const home: StepHome = step
  const agent = context.world.agents[step.agent]
  const cause = { message: null, step: step.id }
  const forbidden: string[] = []
  const isAgain = comesAgain(outcome.result)
  const fits = (planned: { type: 'skill' | 'tool'; executor: string }): boolean => {
    if (agent && mayUse(agent, planned.type, planned.executor)) return true
    forbidden.push(planned.executor)
    return false
  }
  const inserted = outcome.steps.insert.filter(fits)
  for (const planned of inserted) {
    const command = stepSpecOf(planned, cause)
    // Asked again after it has found out: it still answers the same message, and was caused by it. What it first needs may be
    // a step of the same skill, a question to somebody else.
    const repeats = isAgain && planned === inserted.at(-1) && planned.executor === step.executor
    insertStep(
      context,
      home,
      repeats ? { ...command, answers: step.answers, cause: { ...step.cause, step: step.id } } : command,
    )
  }
  for (const planned of outcome.steps.add.filter(fits)) addStep(context, home, stepSpecOf(planned, cause))
  return forbidden.length === 0 ? [] : [context.say('notAllowedSteps', { names: forbidden.join(', ') })]
}

/** The call that instruction_generation wrote goes to its tool step; "nothing to call" finishes that step. */
function instruct(context: DecisionContext, step: StepRecord, { instruct: command }: StepOutcome): void {
  if (!command) return
  const tool = selectStep(context.world, step.task, step.agent, command.step)
  if (!tool || isStepOver(tool)) return
  const { task, agent, id } = tool
  withdrawIfChanged(context, tool, command.instruction)
  context.emit('step.instructed', { task, agent, step: id, instruction: command.instruction })
  if (command.instruction.kind !== 'none') return
  const text = context.say('notCalled', { reason: command.instruction.reason })
  context.emit('step.finished', { task, agent, step: id, result: context.result('none', text), repairs: [] })
}

/** After the last of the calls written together the agent decides whether to continue, unless that call was marked as last. */
function placeToolDecision(context: DecisionContext, step: StepRecord, outcome: StepOutcome): void {
  if (step.type !== 'tool' || step.byHand) return
  const together = callsWith(context, step)
  if (together.some((one) => !isStepOver(one))) return
  const isAsked = outcome.sync.need_tool_decision === true || together.some((one) => one.state === 'finished')
  if (!isAsked) return
  const spec = toolDecisionAfter(context, step)
  const isLast = step.instruction?.kind === 'call' && step.instruction.last === true
  const isEnded = isLast && outcome.state === 'finished' && together.every((one) => one.state === 'finished')
  if (!isEnded) insertStep(context, step, spec)
  else recordStep(context, step, spec, context.result('text', context.say('toolEnded'), { continue: false }))
}

/** The other calls that were written together with this one. */
function callsWith(context: DecisionContext, step: StepRecord): StepRecord[] {
  const batch = batchOf(step)
  if (batch === null) return []
  return stepsIn(context.world.steps[step.task]?.[step.agent]).filter(
    (one) => one.type === 'tool' && one.id !== step.id && batchOf(one) === batch,
  )
}

/** The message that brought the step about is settled for this agent, unless the step asked to come again. */
function settleCause(context: DecisionContext, step: StepRecord, result: StepResult): void {
  const { message } = step.cause
  if (message === null || step.answers !== null) return
  if (comesAgain(result)) return
  context.delivery(step.task, message, step.agent, 'done')
}

/** Throws NOT_FOUND. */
export function recordCall(context: DecisionContext, { step: id, call }: CommandOf<'recordCall'>): void {
  const step = mustFind(context, id)
  context.emit('model.called', { task: step.task, agent: step.agent, step: id, call })
}

/** Recorded whether or not the step is over by now: the files have changed. Throws NOT_FOUND. */
export function recordFiles(context: DecisionContext, { type: _, step: id, ...found }: CommandOf<'recordFiles'>): void {
  const step = mustFind(context, id)
  const { task, agent, thread } = step
  context.emit('files.changed', { task, agent, step: id, thread, ...found })
}

/** Recorded before a call that changes something is made. Throws STEP_OVER. */
export function startEffect(
  context: DecisionContext,
  { step: id, attempt, key, node }: CommandOf<'startEffect'>,
): void {
  const step = runningAttempt(context.world, id, attempt)
  if (!step) throw new Fault('STEP_OVER')
  context.emit('effect.started', { task: step.task, agent: step.agent, step: id, key, node })
}

/** The step's node is gone: it runs again where a repeat is harmless, else it fails, as calls by hand do. Throws STEP_OVER. */
export function recoverStep(context: DecisionContext, command: CommandOf<'recoverStep'>): void {
  const { step: id, attempt, again, reason } = command
  const step = findStep(context.world, id)
  if (!step || !(step.state === 'running' || (step.byHand && !isStepOver(step)))) throw new Fault('STEP_OVER')
  if (attempt !== undefined && (step.attempt?.number ?? null) !== attempt) throw new Fault('STEP_OVER')
  const { task, agent } = step
  endToolRequests(context, step, context.say('callLost'))
  if (again === 'unlessCalled' ? !wasCalled(context.world, step) : again) {
    context.emit('step.requeued', { task, agent, step: id })
    return
  }
  endEffects(context, step)
  context.emit('step.interrupted', { task, agent, step: id, reason })
  afterUnrun(context, { ...step, boundTo: null }, reason)
  placeToolDecision(context, step, { ...plainOutcome(''), state: 'failed', sync: { need_tool_decision: true } })
  afterStep(context, step)
}
