/** Input that a tool server needs before it answers a call: asked of people, over any time, and sent with the call again. */
import { setTimeout } from 'node:timers/promises'
import type { StepInput, StepRecord, World } from '@/lib/mas/records'
import type { BodyCache } from '../../skills/port'
import type { CallAnswers, InputRequired, QuestionAnswer, ServerRequestHandlers, ToolOutcome } from '../../tools'
import { answerIn, questionToPeople } from './toolServerRequests'

/** A server that never has enough is not asked on. */
const MOST_ROUNDS = 20
/** Before a call is sent again for which nobody was asked. */
const ROUND_MS = 1_000

/** What people answered to the questions of the step's server; undefined: it has asked for nothing. */
export async function givenInput(world: World, step: StepRecord, bodies: BodyCache): Promise<CallAnswers | undefined> {
  const { input } = step
  if (input === undefined) return undefined
  const answers: Record<string, QuestionAnswer> = {}
  for (const { key, request } of input.questions)
    answers[key] = await answerIn((request && world.requests[step.task]?.[request]) || null, bodies)
  return { answers, state: input.state === null ? null : await bodies.text(input.state) }
}

/** For the journal; the state is the server's own, and may be long. out: a text: why people cannot be asked */
export function stepInput(
  step: StepRecord,
  { questions, state }: InputRequired,
  bodies: BodyCache,
): StepInput | string {
  const asked: StepInput['questions'] = []
  for (const { key, question } of questions) {
    const put = questionToPeople(step, question)
    if (put === null) return `${step.executor} asks for a form that is too large for a person`
    asked.push({ key, ...put, request: null })
  }
  return { state: state === null ? null : bodies.make(state, 'text/plain'), questions: asked }
}

type Sender = { step: StepRecord; asks: ServerRequestHandlers; signal: AbortSignal }

/**
 * Sends a call, and again where its server needs nothing from people, or where the person who runs it by hand is there to answer.
 *
 * out     the answer; with questions in it when people must be asked, for whom nothing here waits
 */
export async function withInput(
  { step, asks, signal }: Sender,
  given: CallAnswers | undefined,
  send: (answers: CallAnswers | undefined) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  let outcome = await send(given)
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (outcome.ok || outcome.input === undefined) return outcome
    const { questions, state } = outcome.input
    if (questions.length === 0) await setTimeout(ROUND_MS, undefined, { signal })
    else if (!step.byHand) return outcome
    const answers: Record<string, QuestionAnswer> = {}
    for (const { key, question } of questions) answers[key] = await asks.question(question, signal)
    outcome = await send({ answers, state })
  }
  if (outcome.ok) return outcome
  return { ok: false, code: 'TOOL_TRANSPORT', message: `${step.executor} needs input again and again` }
}
