/** Answers that a plan holds for its own steps: the first calls of a tool step, the message of a send_message step. */
import { exactJsonOf, isJsonObject, jsonValueOf } from '@/lib/json'
import { type PlannedStepFormat, parseAnswer, tagsOfObject } from '@/lib/mas/formats'
import type { Json, MessageRecord, StepRecord } from '@/lib/mas/records'
import { selectHistoryRecords } from '@/lib/mas/steps/history'
import type { PlannedStep, StepOutcome } from '@/lib/mas/steps/outcome'
import { doubtCalls, toolCallsOf } from './calls'
import { doubtSources } from './citations'
import type { Skill, SkillReading } from './defineSkill'
import { readMeant } from './meant'
import type { SkillRun } from './port'
import { readAnswer, textOfStep } from './references'

/** A planned step as its plan has it. */
type Planned = PlannedStep & Pick<PlannedStepFormat, 'calls' | 'send_message'>

/** What stands for the text of the step before while a plan is looked through. */
const ANY_TEXT = '…'

/** The outcome with the answers that its planned steps hold as bodies: objects of one tag. */
export function keepAhead(outcome: StepOutcome, run: SkillRun): StepOutcome {
  const kept = ({ calls, send_message, ...step }: Planned): PlannedStep => {
    const answer = calls ? { tool_instruction: calls.map(withArguments) } : send_message ? { send_message } : null
    return answer === null ? step : { ...step, ahead: run.bodies.make(JSON.stringify(answer), 'application/json') }
  }
  const { add, insert } = outcome.steps
  return { ...outcome, steps: { add: add.map(kept), insert: insert.map(kept) } }
}

/** An answer that is an object has the arguments of planned calls as a text of JSON. */
function withArguments(call: { [key: string]: Json }): { [key: string]: Json } {
  const written = typeof call.arguments === 'string' ? exactJsonOf(call.arguments) : undefined
  return isJsonObject(written) ? { ...call, arguments: written } : call
}

/** Why answers written ahead would not be taken when their steps run, for the model; null: they may be. */
export async function doubtAhead(run: SkillRun, { steps }: StepOutcome): Promise<string | null> {
  const doubts: string[] = []
  for (const { step_intention, executor, ahead } of [...steps.add, ...steps.insert]) {
    const text = ahead === undefined ? null : await aheadText(ahead, ANY_TEXT, run)
    const doubt = text === null ? null : await doubtAnswer(text, executor, run)
    if (doubt !== null) doubts.push(`${step_intention}: ${doubt}`)
  }
  return doubts.length === 0 ? null : doubts.join('; ')
}

async function doubtAnswer(text: string, server: string, run: SkillRun): Promise<string | null> {
  const read = parseAnswer(text, { oneOf: ['tool_instruction', 'send_message'], also: [] })
  if (!read.ok) return read.reason
  const { main } = read.answer
  if (main.tag === 'send_message') return null
  return doubtCalls(run, { instruct: null, calls: toolCallsOf(main.value, server, run) })
}

/**
 * The reading of the answer that was written with the plan.
 *
 * out     null: there is none, it does not fit, or the agent has learned something since: then its model is asked
 */
export async function readWrittenAhead(
  run: SkillRun,
  skill: Skill,
): Promise<Extract<SkillReading, { ok: true }> | null> {
  const { ahead } = run.step
  if (ahead === undefined) return null
  const over = selectHistoryRecords(run.world, run.step).over.filter(({ stage }) => stage === run.step.stage)
  if (over.some((step) => failedSince(step, run.step)) || hasNewMessage(run)) return null
  const before = over.findLast(holdsText)
  const text = await aheadText(ahead, before === undefined ? null : await textOfStep(before, run), run)
  if (text === null) return null
  const reading = await readMeant((own) => readAnswer(text, skill, own, true), run)
  if (!reading.ok || reading.doubt !== null) return null
  const doubt = doubtSources(reading.outcome, run) ?? (await doubtCalls(run, reading.outcome))
  return doubt === null ? reading : null
}

/** After the plan was written. */
const failedSince = ({ endedSeq, state }: StepRecord, planned: StepRecord): boolean =>
  state === 'failed' && (endedSeq ?? 0) > planned.createdSeq

/** Was something said to the agent in this task (in the base task: in this thread) after the plan was written? */
function hasNewMessage({ world, step }: SkillRun): boolean {
  const isBase = world.tasks[step.task]?.base === true
  return Object.values<MessageRecord>(world.messages[step.task] ?? {}).some(
    ({ receivers, seq, thread, instruction }) =>
      seq > step.createdSeq &&
      receivers.includes(step.agent) &&
      instruction === null &&
      (!isBase || thread === step.thread),
  )
}

const WRITES_TEXT: readonly string[] = ['think', 'quick_think']

/** A step whose text `before` means: those that only prepare, send or decide are passed over. */
const holdsText = ({ state, type, executor }: StepRecord): boolean =>
  state === 'finished' && (type === 'tool' || WRITES_TEXT.includes(executor))

/** The answer in tags; before: the text of the step before, null: there is none. out: null: it is needed and not there */
async function aheadText(ahead: NonNullable<StepRecord['ahead']>, before: string | null, run: SkillRun) {
  const value = jsonValueOf(await run.bodies.text(ahead))
  if (value === undefined || (before === null && JSON.stringify(value).includes(BEFORE))) return null
  return tagsOfObject(JSON.stringify(withBefore(value, before ?? '')))
}

/** The text of the step before, which is not known yet when the plan is written. */
const BEFORE = JSON.stringify({ from_step: 'before' })

function withBefore(value: Json, text: string): Json {
  if (JSON.stringify(value) === BEFORE) return text
  if (Array.isArray(value)) return value.map((item) => withBefore(item, text))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withBefore(inner, text)]))
}
