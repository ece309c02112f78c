/**
 * Steps as they run: begun, held, over. All that a step causes is one decision.
 *
 * Owns: startStep, finishStep, recoverStep, recordCall, startEffect. Not here: choosing and running steps (server/engine).
 */

import { Fault } from '@/lib/faults'
import type { StepId } from '../ids'
import type { MemoryChange, StepOutcome } from '../outcome'
import type { Json, ModelCall, StepRecord, StepResult, World } from '../records'
import { isSettled } from '../reduce/message'
import { findStep, isStepOver, isTaskOver, selectNextStep, selectStep } from '../selectors/agents'
import { memoryKey } from '../selectors/memory'
import type { CommandOf } from './command'
import { holdStep, withdrawIfChanged } from './confirm'
import type { DecisionContext } from './draft'
import { afterUnrun } from './endings'
import { checkLimits } from './limits'
import { failLock } from './locks'
import { tellUnanswered } from './outbox'
import { afterStep, endPart } from './parts'
import { addStep, insertStep, mayUse, type StepHome, stepSpecOf } from './steps'
import { type SyncResult, applySync } from './sync'
import { endToolRequests } from './toolRequests'

/** A step may ask for more and come again this often. */
const AGAIN_LIMIT = 10

/** Skills whose failure ends the agent's part: nothing could go on without them. */
const ENDS_PART: readonly string[] = ['planning', 'reflection', 'summary']

export function startStep(draft: DecisionContext, wish: CommandOf<'startStep'>): { attempt: number } {
  const next = selectNextStep(draft.world, wish.agent)
  if (next?.id !== wish.step) throw new Fault('STEP_NOT_NEXT')
  return begin(draft, next, wish)
}

function begin(draft: DecisionContext, next: StepRecord, { node, epoch }: { node: string; epoch: number }): { attempt: number } {
  const attempt = (next.attempt?.number ?? 0) + 1
  const { task, agent, id: step, cause } = next
  draft.emit('step.started', { task, agent, step, node, epoch, attempt })
  const part = next.stage === null ? undefined : draft.world.stages[task]?.[next.stage]?.parts[agent]
  if (next.stage !== null && part === 'idle') {
    draft.emit('stage.agentStateChanged', { task, stage: next.stage, agent, state: 'working', reason: null })
  }
  if (cause.message !== null) {
    draft.emit('message.receipt', { task, message: cause.message, agent, state: 'acknowledged', note: null })
  }
  return { attempt }
}

type Near = CommandOf<'finishStep'>['near']

/** The step that this attempt still runs; null when it is over or another attempt has taken its place. */
function runningAttempt(world: World, id: StepId, attempt: number, near?: Near): StepRecord | null {
  const step = findStep(world, id, near)
  return step && step.state === 'running' && step.attempt?.number === attempt ? step : null
}

/** An outcome of a step that is over is kept for the record and causes nothing. */
function keepLate(draft: DecisionContext, id: StepId, attempt: number, what: string, call: ModelCall | null = null): void {
  const step = findStep(draft.world, id)
  if (!step) throw new Fault('NOT_FOUND', { what: 'step', id })
  draft.emit('effect.lateOutcome', { task: step.task, agent: step.agent, step: id, attempt, what })
  // It was paid for all the same.
  if (call) draft.emit('model.called', { task: step.task, agent: step.agent, step: id, call })
}

export function finishStep(draft: DecisionContext, wish: CommandOf<'finishStep'>): { late: boolean } {
  const { step: id, near, attempt, outcome, goOn } = wish
  const step = runningAttempt(draft.world, id, attempt, near)
  if (!step) {
    keepLate(draft, id, attempt, outcome.state, outcome.call)
    return { late: true }
  }
  const { task, agent } = step
  for (const key of Object.keys(draft.world.effects[task] ?? {})) {
    if (draft.world.effects[task]?.[key]?.step === id) draft.emit('effect.finished', { task, agent, step: id, key })
  }
  endToolRequests(draft, step, draft.say('callOver'))
  if (outcome.call) draft.emit('model.called', { task, agent, step: id, call: outcome.call })

  const notes = changeMemory(draft, step, outcome.memory)
  const carried: SyncResult =
    outcome.state === 'failed'
      ? shareOnly(draft, step, outcome)
      : asksInCircles(draft, step, outcome)
        ? { ok: false, why: draft.say('askedInCircles', { n: AGAIN_LIMIT }) }
        : applySync(draft, step, outcome.sync)
  if (!carried.ok) {
    failStep(draft, step, carried.why, withMade(outcome.result, { refused: carried.why }), outcome.repairs)
  } else if (outcome.state === 'failed') {
    const result = withMade(outcome.result, carried.made)
    failStep(draft, step, outcome.reason ?? 'failed', result, outcome.repairs)
    placeToolDecision(draft, step, outcome)
  } else {
    const refusals = placeSteps(draft, step, outcome)
    instruct(draft, step, outcome)
    const text = [carried.text, ...notes, ...refusals].filter((line) => line !== null && line !== '').join('\n')
    const result = text === '' ? outcome.result : joined(draft, outcome.result, carried.text !== null, text)
    draft.emit('step.finished', {
      task,
      agent,
      step: id,
      result: withMade(result, carried.made),
      repairs: outcome.repairs,
    })
    placeToolDecision(draft, step, outcome)
    settleCause(draft, step, outcome)
    const completion = outcome.sync.update_stage_agent_completion
    if (completion && step.stage !== null) endPart(draft, task, step.stage, agent, { summary: completion.summary })
  }
  failUnanswered(draft, step)
  checkLimits(draft, step)
  afterStep(draft, step)
  leaveLiveList(draft, step)
  // One durable decision for each step of a chain: what follows is decided on the world that this outcome leaves behind.
  const next = goOn === null ? null : selectNextStep(draft.world, agent)
  if (goOn !== null && next !== null) begin(draft, next, goOn)
  return { late: false }
}

/** It was to answer, and is over without having done so or coming again: nobody is to wait for it any longer. */
function failUnanswered(draft: DecisionContext, step: StepRecord): void {
  const { id, task, agent, answers } = step
  const receipt = answers === null ? undefined : draft.world.receipts[task]?.[agent]?.[answers.message]
  if (answers === null || receipt === undefined || isSettled(receipt.state)) return
  const comesAgainLater = (draft.world.work[agent]?.todo ?? []).some(
    (ref) => selectStep(draft.world, ref.task, agent, ref.step)?.answers?.message === answers.message,
  )
  if (comesAgainLater) return
  const why = selectStep(draft.world, task, agent, id)?.reason ?? draft.say('noAnswerGiven')
  if (answers.waiting !== null) failLock(draft, answers.waiting, agent, why)
  else tellUnanswered(draft, step)
  draft.emit('message.receipt', { task, message: answers.message, agent, state: 'failed', note: why })
}

/** The step that ended its own task goes the way of the steps that ended with it. */
function leaveLiveList(draft: DecisionContext, { task, agent, id }: StepRecord): void {
  const owner = draft.world.tasks[task]
  if (owner && isTaskOver(owner)) draft.emit('step.retired', { task, agent, steps: [id] })
}

/** It wants to look something up and come again, as it has so often that it will for ever. */
function asksInCircles(draft: DecisionContext, step: StepRecord, outcome: StepOutcome): boolean {
  if (!comesAgain(outcome.result)) return false
  let before: StepRecord | null = step
  for (let n = 0; n < AGAIN_LIMIT; n++) {
    before = before.cause.step === null ? null : selectStep(draft.world, step.task, step.agent, before.cause.step)
    if (before?.executor !== step.executor || before.result === null || !comesAgain(before.result)) return false
  }
  return true
}

const comesAgain = ({ made }: StepResult): boolean => isRecord(made) && made.again === true

/** A failed step tells the team, and reaches no further. */
function shareOnly(draft: DecisionContext, step: StepRecord, outcome: StepOutcome): SyncResult {
  const { send_shared_info } = outcome.sync
  return applySync(draft, step, send_shared_info ? { send_shared_info } : {})
}

/** The step failed: what hangs on it ends, its part too where nothing could go on. */
function failStep(draft: DecisionContext, step: StepRecord, reason: string, result: StepResult | null, repairs: string[]): void {
  const { task, agent, stage } = step
  draft.emit('step.failed', { task, agent, step: step.id, reason, result, repairs })
  if (step.executor === 'instruction_generation') afterUnrun(draft, step, draft.say('noInstruction'))
  else afterUnrun(draft, { ...step, boundTo: null }, reason)
  if (stage === null || !ENDS_PART.includes(step.executor)) return
  endPart(draft, task, stage, agent, { failed: draft.say('stepFailed', { skill: step.executor, why: reason }) })
}

const withMade = (result: StepResult, made: { [key: string]: Json }): StepResult => {
  if (Object.keys(made).length === 0) return result
  const old = result.made !== null && typeof result.made === 'object' && !Array.isArray(result.made) ? result.made : {}
  return { ...result, made: { ...old, ...made } }
}

/** The result with what SyncState said: in place of the executor's own text, or behind it. */
function joined(draft: DecisionContext, result: StepResult, replaces: boolean, text: string): StepResult {
  if (replaces) return { ...draft.result('text', text), made: result.made }
  // A long result keeps its body; the note stands in what lists and prompts show first.
  return result.body === null
    ? { ...draft.result(result.kind, `${result.text}\n${text}`), made: result.made }
    : { ...result, text: `${text}\n${result.text}`.slice(0, 400) }
}

/** Place the steps that the executor asked for; those the agent may not use are named. */
function placeSteps(draft: DecisionContext, step: StepRecord, outcome: StepOutcome): string[] {
  const home: StepHome = step
  const agent = draft.world.agents[step.agent]
  const cause = { message: null, step: step.id }
  const forbidden: string[] = []
  const isAgain = comesAgain(outcome.result)
  const fits = (planned: { type: 'skill' | 'tool'; executor: string }): boolean => {
    if (agent && mayUse(agent, planned.type, planned.executor)) return true
    forbidden.push(planned.executor)
    return false
  }
  for (const planned of outcome.steps.insert.filter(fits)) {
    const wish = stepSpecOf(planned, cause)
    // Asked again after it has found out: it still answers the same message, and was caused by it.
    const repeats = isAgain && planned.executor === step.executor
    insertStep(
      draft,
      home,
      repeats ? { ...wish, answers: step.answers, cause: { ...step.cause, step: step.id } } : wish,
    )
  }
  for (const planned of outcome.steps.add.filter(fits)) addStep(draft, home, stepSpecOf(planned, cause))
  return forbidden.length === 0 ? [] : [draft.say('notAllowedSteps', { names: forbidden.join(', ') })]
}

const isRecord = (json: Json): json is { [key: string]: Json } =>
  json !== null && typeof json === 'object' && !Array.isArray(json)

/** The call that instruction_generation wrote goes to its tool step; "nothing to call" finishes that step. */
function instruct(draft: DecisionContext, step: StepRecord, { instruct: wish }: StepOutcome): void {
  if (!wish) return
  const tool = selectStep(draft.world, step.task, step.agent, wish.step)
  if (!tool || isStepOver(tool)) return
  const { task, agent, id } = tool
  withdrawIfChanged(draft, tool, wish.instruction)
  draft.emit('step.instructed', { task, agent, step: id, instruction: wish.instruction })
  if (wish.instruction.kind !== 'none') return
  const text = draft.say('notCalled', { reason: wish.instruction.reason })
  draft.emit('step.finished', { task, agent, step: id, result: draft.result('none', text), repairs: [] })
}

/** A tool step is over: the agent decides whether the tool goes on. */
function placeToolDecision(draft: DecisionContext, step: StepRecord, outcome: StepOutcome): void {
  if (!outcome.sync.need_tool_decision || step.byHand) return
  insertStep(draft, step, {
    intention: draft.say('decideTool', { server: step.executor }),
    text: step.text,
    kind: 'skill',
    executor: 'tool_decision',
    cause: { message: null, step: step.id },
  })
}

/** The message that brought the step about is settled for this agent, unless the step asked to come again. */
function settleCause(draft: DecisionContext, step: StepRecord, outcome: StepOutcome): void {
  const { message } = step.cause
  if (message === null || step.answers !== null) return
  if (comesAgain(outcome.result)) return
  draft.emit('message.receipt', { task: step.task, message, agent: step.agent, state: 'done', note: null })
}

function changeMemory(draft: DecisionContext, step: StepRecord, changes: MemoryChange[]): string[] {
  const notes: string[] = []
  for (const change of changes) {
    const known = draft.world.memory[step.agent] ?? []
    if ('add' in change) {
      const key = memoryKey(draft.at, known)
      draft.emit('memory.added', { agent: step.agent, note: { key, text: change.add, task: step.task } })
    } else if (known.some((note) => note.key === change.delete)) {
      draft.emit('memory.removed', { agent: step.agent, key: change.delete })
    } else {
      notes.push(draft.say('unknownMemory', { key: change.delete }))
    }
  }
  return notes
}

export function hold(draft: DecisionContext, wish: CommandOf<'holdStep'>): { request: string | null } {
  const step = runningAttempt(draft.world, wish.step, wish.attempt)
  if (!step) {
    keepLate(draft, wish.step, wish.attempt, 'held')
    return { request: null }
  }
  return { request: holdStep(draft, step, wish) }
}

export function recordCall(draft: DecisionContext, { step: id, call }: CommandOf<'recordCall'>): void {
  const step = findStep(draft.world, id)
  if (!step) throw new Fault('NOT_FOUND', { what: 'step', id })
  draft.emit('model.called', { task: step.task, agent: step.agent, step: id, call })
}

export function startEffect(draft: DecisionContext, { step: id, attempt, key, node }: CommandOf<'startEffect'>): void {
  const step = runningAttempt(draft.world, id, attempt)
  if (!step) throw new Fault('STEP_OVER')
  draft.emit('effect.started', { task: step.task, agent: step.agent, step: id, key, node })
}

/**
 * The node that ran it is gone: it runs again where a repeat does no harm, else it fails and the agent decides. What a person
 * runs by hand fails even when it had not begun: nothing happens in their name when they have long gone on.
 */
export function recoverStep(draft: DecisionContext, { step: id, again, reason }: CommandOf<'recoverStep'>): void {
  const step = findStep(draft.world, id)
  if (!step || !(step.state === 'running' || (step.byHand && !isStepOver(step)))) throw new Fault('STEP_OVER')
  const { task, agent } = step
  endToolRequests(draft, step, draft.say('callLost'))
  if (again) {
    draft.emit('step.requeued', { task, agent, step: id })
    return
  }
  for (const key of Object.keys(draft.world.effects[task] ?? {})) {
    if (draft.world.effects[task]?.[key]?.step === id) draft.emit('effect.finished', { task, agent, step: id, key })
  }
  draft.emit('step.interrupted', { task, agent, step: id, reason })
  afterUnrun(draft, { ...step, boundTo: null }, reason)
  if (step.type === 'tool' && !step.byHand) {
    insertStep(draft, step, {
      intention: draft.say('decideTool', { server: step.executor }),
      text: step.text,
      kind: 'skill',
      executor: 'tool_decision',
      cause: { message: null, step: id },
    })
  }
  afterStep(draft, step)
}
